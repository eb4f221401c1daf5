// Generated columns in place of your own: when flights leave, and how late they are.

/** The axis of a chart: equal bins from `lo` to `hi`. */
export interface Scale {
  readonly label: string;
  readonly unit: string;
  readonly lo: number;
  readonly hi: number;
  readonly bins: number;
}

export interface Column extends Scale {
  readonly values: Float32Array<ArrayBuffer>;
}

/** The columns of the page: a brush over the first one selects rows of the second. */
export interface Columns {
  readonly brushed: Column;
  readonly shown: Column;
}

const DEPARTURE: Scale = { label: "Departure", unit: "h", lo: 0, hi: 24, bins: 96 };
const DELAY: Scale = { label: "Delay", unit: "min", lo: -20, hi: 140, bins: 80 };

/** Fills both columns. The delay grows from the morning to the evening. The same number of rows has the same values. */
export function generated(rows: number): Columns {
  const departure = new Float32Array(rows);
  const delay = new Float32Array(rows);
  let state = 0x9e3779b9;
  const random = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < rows; i++) {
    const peak = random() < 0.5 ? 4 : 13;
    departure[i] = peak + 7 * (random() + random()) * 0.5 + random() * 2;
    delay[i] = -15 + 12 * random() - (departure[i]! - 2) * 2 * Math.log(1 - random());
  }
  return { brushed: { ...DEPARTURE, values: departure }, shown: { ...DELAY, values: delay } };
}
