// per-thread: one table per worker, without replicas.
//
//   COUNTS   [cell]   counters of 32 bits; this is the result, so there is nothing to fold
//
// Bound: two equal samples in succession are a store and a load of one address. If the processor cannot forward the
// store to the load at no cost, the latency of this round trip is the bound. Two random values are the worst data,
// although the loop has no branches.
// Source: Nugteren et al., as described by Brown & Snoeyink, section 4.2; on a CPU a worker is the thread.
import { COUNTS } from "../lib/memory.as";

@inline function bump(at: u32): void {
  store<u32>(at, load<u32>(at, COUNTS) + 1, COUNTS);
}

export function count_per_thread_u8(ptr: u32, n: u32): void {
  const end = ptr + n;
  const whole = ptr + (n & ~7);
  for (; ptr < whole; ptr += 8) {
    bump(<u32>load<u8>(ptr, 0) << 2);
    bump(<u32>load<u8>(ptr, 1) << 2);
    bump(<u32>load<u8>(ptr, 2) << 2);
    bump(<u32>load<u8>(ptr, 3) << 2);
    bump(<u32>load<u8>(ptr, 4) << 2);
    bump(<u32>load<u8>(ptr, 5) << 2);
    bump(<u32>load<u8>(ptr, 6) << 2);
    bump(<u32>load<u8>(ptr, 7) << 2);
  }
  for (; ptr < end; ptr++) bump(<u32>load<u8>(ptr) << 2);
}

export function count_per_thread_u16(ptr: u32, n: u32): void {
  const end = ptr + n * 2;
  const whole = ptr + (n & ~3) * 2;
  for (; ptr < whole; ptr += 8) {
    bump(<u32>load<u16>(ptr, 0) << 2);
    bump(<u32>load<u16>(ptr, 2) << 2);
    bump(<u32>load<u16>(ptr, 4) << 2);
    bump(<u32>load<u16>(ptr, 6) << 2);
  }
  for (; ptr < end; ptr += 2) bump(<u32>load<u16>(ptr) << 2);
}
