// A round of two units a thread, all on their way before the first is added.

const WRITTEN_OUT = true;
const IN_FLIGHT = 2u;

struct Round {
  a: Unit,
  b: Unit,
}

fn loadRound(at: u32) -> Round {
  return Round(
    load(at),
    load(at + THREADS),
  );
}

fn addRound(round: Round) {
  addUnit(round.a);
  addUnit(round.b);
}
