import { normal, xorshift } from "./random.ts";

/** The joint distributions of two columns of bytes, and of a third one that depends on neither. */
export const JOINT_DISTRIBUTIONS = [
  "independent",
  "equal",
  "constant",
  "correlated",
  "two points",
  "sorted",
  "zipf",
  "gauss",
  "smooth",
] as const;
export type JointDistribution = (typeof JOINT_DISTRIBUTIONS)[number];

/** Number of generated samples. Larger data repeat them. */
export const JOINT_TILE: number = 2 ** 21;
/** Pixels across the picture of `smooth`, whose columns are its coordinates. */
const ACROSS = 4096;
/** The standard deviation of the difference of correlated columns, and that of `gauss`. */
const NEAR = 5;
const SIGMA = 10;
/** Groups into which pairs of bytes are divided. */
export const GROUPS = 1000;
/** A prime, so that masks do not repeat with the data. */
const MASK_PERIOD = 9973;

type Bytes = (i: number) => readonly [number, number, number];

/** A piece of several columns, from which data of any length are laid out. */
export class JointTile {
  readonly name: JointDistribution;
  readonly x: Uint8Array = new Uint8Array(JOINT_TILE);
  readonly y: Uint8Array = new Uint8Array(JOINT_TILE);
  readonly z: Uint8Array = new Uint8Array(JOINT_TILE);
  /** Pixels of x, y and z. */
  readonly rgb: Uint8Array = new Uint8Array(3 * JOINT_TILE);
  /** Pairs of x and y as one number, and the group of each. */
  readonly pairs: Uint16Array = new Uint16Array(JOINT_TILE);
  readonly codes: Uint16Array = new Uint16Array(JOINT_TILE);
  /** x and y plus a fraction, divided by 256. */
  readonly fx: Float32Array = new Float32Array(JOINT_TILE);
  readonly fy: Float32Array = new Float32Array(JOINT_TILE);
  /** A byte per sample. Two thirds are not 0. */
  readonly mask: Uint8Array = new Uint8Array(JOINT_TILE);

  constructor(name: JointDistribution) {
    this.name = name;
    const next = xorshift(0x9e3779b9);
    const bytes = bytesOf(name, next);
    const varies = name !== "constant" && name !== "two points";
    for (let i = 0; i < JOINT_TILE; i++) {
      const [x, y, z] = bytes(i);
      this.x[i] = x;
      this.y[i] = y;
      this.z[i] = z;
      this.rgb[3 * i] = x;
      this.rgb[3 * i + 1] = y;
      this.rgb[3 * i + 2] = z;
      this.pairs[i] = 256 * x + y;
      this.codes[i] = ((256 * x + y) * GROUPS) >> 16;
      const [a, b] = varies ? [next(), next()] : [0.5, 0.5];
      this.fx[i] = (x + a) / 256;
      this.fy[i] = name === "equal" ? this.fx[i]! : (y + b) / 256;
      this.mask[i] = (i % MASK_PERIOD) % 3;
    }
  }

  /** Fills memory with `samples` samples of a column, a multiple of the piece's. Sorted data repeat each sample. */
  lay<T extends Uint8Array | Uint16Array | Float32Array>(column: T, memory: Uint8Array, samples: number): T {
    const each = column.length / JOINT_TILE;
    const of = column.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => T;
    const to = new of(memory.buffer, memory.byteOffset, samples * each);
    const times = samples / JOINT_TILE;
    if (this.name === "sorted" && each === 1) {
      for (let i = 0; i < JOINT_TILE; i++) to.fill(column[i]!, i * times, (i + 1) * times);
    } else {
      for (let i = 0; i < times; i++) to.set(column, i * column.length);
    }
    return to;
  }
}

function bytesOf(name: JointDistribution, next: () => number): Bytes {
  const byte = () => Math.floor(256 * next());
  const bounded = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
  const zipf = () => Math.floor(2 ** (8 * next())) - 1;
  const near = () => bounded(128 + SIGMA * normal(next));
  switch (name) {
    case "independent":
      return () => [byte(), byte(), byte()];
    case "equal":
      return () => {
        const x = byte();
        return [x, x, x];
      };
    case "constant":
      return () => [77, 200, 5];
    case "correlated":
      return () => {
        const x = byte();
        return [x, bounded(x + NEAR * normal(next)), bounded(x + NEAR * normal(next))];
      };
    case "two points":
      return () => (next() < 0.5 ? [10, 20, 30] : [200, 100, 50]);
    case "sorted":
      return (i) => {
        const cell = Math.floor((i * 65_536) / JOINT_TILE);
        return [cell >> 8, cell & 255, cell >> 8];
      };
    case "zipf":
      return () => [zipf(), zipf(), zipf()];
    case "gauss":
      return () => [near(), near(), near()];
    case "smooth":
      return (i) => [(i % ACROSS) >> 4, Math.floor(i / ACROSS) >> 1, (i % ACROSS) >> 4];
  }
}
