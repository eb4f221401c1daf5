/** The decoder's result, with the damage that was found. */
interface Pixels {
  readonly type: "u8" | "u16";
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint16Array;
  readonly names: readonly string[];
  readonly damage: string | null;
}

/**
 * Decoded pixels at the depth in which they are stored. You can pass it to an engine: `engine.histograms(picture)`. Its
 * own properties describe samples. `names` and `damage`, which an engine does not know, are getters.
 */
export class Picture {
  readonly type: "u8" | "u16";
  /** Pixels per row. */
  readonly width: number;
  /** Number of rows. */
  readonly height: number;
  /** Interleaved samples per pixel, 1 to 4. */
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

  /** The channels in order: `grey`, `r g b` or `c m y k` (0 is no ink), then `a` if there is an alpha. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** A description of the damage in a picture that was decoded with `lenient`, or null if it is whole. */
  get damage(): string | null {
    return this.#damage;
  }
}
