/** Marsaglia's 32-bit xorshift, as numbers in [0, 1) that are exact in f32 too. */
export function xorshift(seed: number): () => number {
  const memory = Int32Array.of(seed);
  return () => {
    let state = memory[0]!;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    memory[0] = state;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Returns a standard normal number: the sum of twelve uniform ones minus six. */
export function normal(next: () => number): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += next();
  return sum;
}
