// A round of one unit per thread, whose documents are added in a loop. It compiles faster than an unrolled round
// (round.ts).

const WRITTEN_OUT = false;
const IN_FLIGHT = 1u;

fn addRound(at: u32, thread: u32, isFull: bool) {}
