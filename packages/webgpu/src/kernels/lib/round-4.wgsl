// A round of four units a thread, all on their way before the first is added.

const WRITTEN_OUT = true;
const IN_FLIGHT = 4u;

struct Round {
  a: Unit,
  b: Unit,
  c: Unit,
  d: Unit,
}

fn loadRound(at: u32) -> Round {
  return Round(
    load(at),
    load(at + THREADS),
    load(at + 2u * THREADS),
    load(at + 3u * THREADS),
  );
}

fn addRound(round: Round) {
  addUnit(round.a);
  addUnit(round.b);
  addUnit(round.c);
  addUnit(round.d);
}
