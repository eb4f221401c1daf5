/** Sets `count` bits from `at` on. */
export function setBits(bits: Uint8Array, at: number, count: number): void {
  let i = at;
  const end = at + count;
  while (i < end && i & 7) {
    bits[i >> 3]! |= 1 << (i & 7);
    i++;
  }
  const whole = (end - i) >> 3;
  if (whole > 0) {
    bits.fill(0xff, i >> 3, (i >> 3) + whole);
    i += whole << 3;
  }
  for (; i < end; i++) bits[i >> 3]! |= 1 << (i & 7);
}

/** Copies `count` bits from bit `from` of `source` to bit `to` of `bits`, which is zero there. */
export function copyBits(
  bits: Uint8Array,
  to: number,
  source: Uint8Array,
  from: number,
  count: number,
): void {
  if (((to | from) & 7) === 0) {
    const whole = count >> 3;
    bits.set(source.subarray(from >> 3, (from >> 3) + whole), to >> 3);
    const rest = count & 7;
    if (rest > 0) bits[(to >> 3) + whole]! |= source[(from >> 3) + whole]! & ((1 << rest) - 1);
    return;
  }
  for (let i = 0; i < count; i++) {
    const f = from + i;
    const t = to + i;
    bits[t >> 3]! |= ((source[f >> 3]! >> (f & 7)) & 1) << (t & 7);
  }
}

/** Counts the set bits among `count` bits from bit `at` on. */
export function countBits(bits: Uint8Array, at: number, count: number): number {
  let sum = 0;
  let i = at;
  const end = at + count;
  for (; i < end && i & 7; i++) sum += (bits[i >> 3]! >> (i & 7)) & 1;
  for (; i + 8 <= end; i += 8) sum += ONES[bits[i >> 3]!]!;
  for (; i < end; i++) sum += (bits[i >> 3]! >> (i & 7)) & 1;
  return sum;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
  return ones;
});
