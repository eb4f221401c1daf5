// A round of four units a thread, all on their way before the first is added.

const WRITTEN_OUT = true;
const IN_FLIGHT = 4u;

fn addRound(at: u32) {
  let a = load(at);
  let b = load(at + THREADS);
  let c = load(at + 2u * THREADS);
  let d = load(at + 3u * THREADS);
  addUnit(a);
  addUnit(b);
  addUnit(c);
  addUnit(d);
}
