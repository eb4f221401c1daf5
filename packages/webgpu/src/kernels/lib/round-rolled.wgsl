// A round of one unit a thread, whose documents are added in a loop: less to compile.

const WRITTEN_OUT = false;
const IN_FLIGHT = 1u;

alias Round = u32;

fn loadRound(at: u32) -> Round {
  return at;
}

fn addRound(round: Round) {}
