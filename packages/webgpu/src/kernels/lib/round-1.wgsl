// A round of one unit a thread.

const WRITTEN_OUT = true;
const IN_FLIGHT = 1u;

struct Round {
  a: Unit,
}

fn loadRound(at: u32) -> Round {
  return Round(load(at));
}

fn addRound(round: Round) {
  addUnit(round.a);
}
