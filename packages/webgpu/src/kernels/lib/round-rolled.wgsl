// A round of one unit a thread, whose documents are added in a loop: less to compile.

const WRITTEN_OUT = false;
const IN_FLIGHT = 1u;

fn addRound(at: u32) {}
