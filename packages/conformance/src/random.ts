/** Seeded numbers, the same on every machine: Marsaglia's xorshift32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds are spread over all 32 bits; zero is the one state that xorshift never leaves.
    this.#state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0 || 1;
  }

  /** An integer of 32 random bits. */
  bits(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state;
  }

  /** A number of [0, 1). */
  unit(): number {
    return this.bits() / 2 ** 32;
  }

  /** A whole number of [0, n). */
  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  /** About a normal distribution of mean 0 and deviation 1: twelve uniform numbers less six. */
  gauss(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.unit();
    return sum;
  }
}
