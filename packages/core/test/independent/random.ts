/** Random numbers that a seed and the number of a run repeat. Source: Doty-Humphrey's sfc32. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, run: number) {
    this.#a = seed | 0;
    this.#b = run | 0;
    this.#c = (run / 2 ** 32) | 0;
    for (let i = 0; i < 12; i++) this.word();
  }

  /** 32 random bits. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A number in [0, 1). */
  part(): number {
    return this.word() / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.part() * (most - least + 1));
  }

  /** Whether an event of this probability happens. */
  chance(probability: number): boolean {
    return this.part() < probability;
  }

  pick<T>(of: readonly T[]): T {
    return of[this.whole(0, of.length - 1)]!;
  }

  list<T>(length: number, make: (i: number) => T): T[] {
    return Array.from({ length }, (_, i) => make(i));
  }
}
