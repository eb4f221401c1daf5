// A round of eight units a thread, all on their way before the first is added.

const WRITTEN_OUT = true;
const IN_FLIGHT = 8u;

struct Round {
  a: Unit,
  b: Unit,
  c: Unit,
  d: Unit,
  e: Unit,
  f: Unit,
  g: Unit,
  h: Unit,
}

fn loadRound(at: u32) -> Round {
  return Round(
    load(at),
    load(at + THREADS),
    load(at + 2u * THREADS),
    load(at + 3u * THREADS),
    load(at + 4u * THREADS),
    load(at + 5u * THREADS),
    load(at + 6u * THREADS),
    load(at + 7u * THREADS),
  );
}

fn addRound(round: Round) {
  addUnit(round.a);
  addUnit(round.b);
  addUnit(round.c);
  addUnit(round.d);
  addUnit(round.e);
  addUnit(round.f);
  addUnit(round.g);
  addUnit(round.h);
}
