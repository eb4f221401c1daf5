// A round of one unit a thread, whose documents are added in a loop: less to compile than one that is written out
// (round.ts).

const WRITTEN_OUT = false;
const IN_FLIGHT = 1u;

fn addRound(at: u32, thread: u32, isFull: bool) {}
