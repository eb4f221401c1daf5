/** The layout of samples: `height` rows of `width` pixels, `rowPitch` bytes apart. Dense samples are one row. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly rowPitch: number;
  /** Bytes per pixel. */
  readonly pixelBytes: number;
}

/** A rectangle of pixels that one step of a worker counts. */
export interface Chunk {
  readonly row: number;
  readonly rows: number;
  readonly column: number;
  readonly columns: number;
}

/**
 * Samples cut into chunks of at most `most` pixels. Their numbers begin at 0, so that workers can take them with a
 * shared counter. A chunk has several short rows, or a part of a long row.
 */
export class Chunks {
  readonly count: number;
  readonly #geometry: Geometry;
  readonly #rows: number;
  readonly #columns: number;
  readonly #segments: number;

  constructor(geometry: Geometry, most: number) {
    const { width, height } = geometry;
    this.#geometry = geometry;
    this.#columns = Math.min(width, most);
    this.#rows = width > most ? 1 : Math.max(1, Math.floor(most / Math.max(1, width)));
    this.#segments = Math.ceil(width / Math.max(1, this.#columns));
    this.count = width === 0 ? 0 : Math.ceil(height / this.#rows) * this.#segments;
  }

  at(index: number): Chunk {
    const { width, height } = this.#geometry;
    const row = Math.floor(index / this.#segments) * this.#rows;
    const column = (index % this.#segments) * this.#columns;
    return {
      row,
      rows: Math.min(this.#rows, height - row),
      column,
      columns: Math.min(this.#columns, width - column),
    };
  }
}
