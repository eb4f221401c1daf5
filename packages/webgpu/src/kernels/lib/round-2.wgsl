// A round of two units a thread, both on their way before the first is added.

const WRITTEN_OUT = true;
const IN_FLIGHT = 2u;

fn addRound(at: u32) {
  let a = load(at);
  let b = load(at + THREADS);
  addUnit(a);
  addUnit(b);
}
