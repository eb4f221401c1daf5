/** The distributions of 8-bit data that every benchmark goes through. */
export const DISTRIBUTIONS = ["uniform", "zeros", "gauss", "ramp", "two", "sorted"] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

/** Standard deviation of `gauss`, around the middle. */
const SIGMA = 10;

/** Fills bytes with a distribution; the same bytes every time. */
export function fill(bytes: Uint8Array, distribution: Distribution): void {
  const next = xorshift(0x9e3779b9);
  const n = bytes.length;
  switch (distribution) {
    case "uniform":
      for (let i = 0; i < n; i++) bytes[i] = next() >>> 24;
      break;
    case "zeros":
      bytes.fill(0);
      break;
    case "gauss":
      for (let i = 0; i < n; i++)
        bytes[i] = Math.max(0, Math.min(255, Math.round(128 + SIGMA * normal(next))));
      break;
    case "ramp":
      for (let i = 0; i < n; i++) bytes[i] = i & 255;
      break;
    case "two":
      for (let i = 0; i < n; i++) bytes[i] = next() & 0x8000_0000 ? 200 : 50;
      break;
    case "sorted":
      for (let i = 0; i < n; i++) bytes[i] = Math.floor((i / n) * 256);
  }
}

/** Marsaglia's 32-bit xorshift. */
function xorshift(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** A standard normal number: the sum of twelve uniform ones less six. */
function normal(next: () => number): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += next() / 2 ** 32;
  return sum;
}
