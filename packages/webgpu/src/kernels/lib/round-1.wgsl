// A round of one unit a thread.

const WRITTEN_OUT = true;
const IN_FLIGHT = 1u;

fn addRound(at: u32) {
  addUnit(load(at));
}
