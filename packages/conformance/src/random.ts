/** Seeded random numbers, the same on every machine (Marsaglia's xorshift32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Multiplication spreads neighbouring seeds over all 32 bits. Zero is the one state that xorshift never leaves.
    this.#state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0 || 1;
  }

  /** Returns an integer of 32 random bits. */
  bits(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state;
  }

  /** Returns a number in [0, 1). */
  unit(): number {
    return this.bits() / 2 ** 32;
  }

  /** Returns a whole number in [0, n). */
  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  /** Returns a number of approximately normal distribution (mean 0, deviation 1), from twelve uniform numbers. */
  gauss(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.unit();
    return sum;
  }
}
