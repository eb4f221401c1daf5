/** What the decoder gave, and what is known of it. */
interface Pixels {
  readonly type: "u8" | "u16";
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint16Array;
  readonly names: readonly string[];
  readonly damage: string | null;
}

/**
 * Decoded pixels at the depth that they are stored in. An engine takes it as it is, `engine.histograms(picture)`: its own
 * properties are those of a description of samples, and what an engine does not know, `names` and `damage`, are getters.
 */
export class Picture {
  readonly type: "u8" | "u16";
  /** Pixels a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Interleaved samples a pixel, 1 to 4. */
  readonly channels: number;
  /** width x height x channels samples, row by row. */
  readonly data: Uint8Array | Uint16Array;
  readonly #names: readonly string[];
  readonly #damage: string | null;

  /** @internal */
  constructor({ type, width, height, data, names, damage }: Pixels) {
    this.type = type;
    this.width = width;
    this.height = height;
    this.channels = names.length;
    this.data = data;
    this.#names = Object.freeze([...names]);
    this.#damage = damage;
  }

  /** The channels in their order: `grey`, `r g b` or `c m y k` (ink: 0 is none), then `a` where there is an alpha. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** What is damaged in a picture that was decoded leniently, in words; null for a whole one. */
  get damage(): string | null {
    return this.#damage;
  }
}
