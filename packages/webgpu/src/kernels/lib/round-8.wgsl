// A round of eight units a thread, all on their way before the first is added.

const WRITTEN_OUT = true;
const IN_FLIGHT = 8u;

fn addRound(at: u32) {
  let a = load(at);
  let b = load(at + THREADS);
  let c = load(at + 2u * THREADS);
  let d = load(at + 3u * THREADS);
  let e = load(at + 4u * THREADS);
  let f = load(at + 5u * THREADS);
  let g = load(at + 6u * THREADS);
  let h = load(at + 7u * THREADS);
  addUnit(a);
  addUnit(b);
  addUnit(c);
  addUnit(d);
  addUnit(e);
  addUnit(f);
  addUnit(g);
  addUnit(h);
}
