import type { Random } from "./random.ts";
import { half, isWhole, neighbour, SIZES, type Type, wholeRange } from "./reference.ts";

export const TYPES: readonly Type[] = [
  "u8",
  "i8",
  "u16",
  "i16",
  "u32",
  "i32",
  "f32",
  "f64",
  "f16",
  "i64",
  "u64",
];

/** Types in the frequency of cases. The 16-bit types cost polybin a table of 65,536 entries per case. */
export const SOME_TYPES: readonly Type[] = TYPES.flatMap((type) =>
  SIZES[type] === 2 ? [type] : Array<Type>(14).fill(type),
);

/** Numbers at which representations end. */
const SPECIAL: readonly number[] = [
  ...[0, 0.1, 0.5, 1, 3, 10, 1000, 2 ** -24, 2 ** -14, 2 ** -149, 2 ** -126, 2 ** -1022, Number.MIN_VALUE],
  ...[
    127,
    128,
    255,
    256,
    2048,
    32_767,
    65_504,
    65_520,
    65_535,
    2 ** 24,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    2 ** 63,
    2 ** 64,
  ],
  ...[3.4028234663852886e38, 3.4028235677973366e38, 1e40, 1e-40, 1e-300, 1e300, Number.MAX_VALUE],
];

/** A finite number of any size. */
export function wild(random: Random): number {
  const size = random.pick(SPECIAL);
  const one = random.pick([
    () => size,
    () => -size,
    () => near(random, size),
    () => near(random, -size),
    () => random.whole(-300, 300),
    () => random.whole(-300, 300) / random.pick([2, 3, 10, 16, 100]),
    () => (random.part() - 0.5) * 10 ** random.whole(-20, 20),
    () => (random.part() - 0.5) * 2 ** random.whole(-1070, 1020),
  ])();
  return Number.isFinite(one) ? one : size;
}

/** A number at most three f64 away. */
export function near(random: Random, x: number): number {
  let at = x;
  const by = random.chance(0.5) ? 1 : -1;
  for (let i = random.whole(0, 3); i > 0; i--) {
    const next = neighbour(at, by);
    if (!Number.isFinite(next)) return at;
    at = next;
  }
  return at;
}

const scratch = new DataView(new ArrayBuffer(8));

/** Writes a sample of a type at or next to a number, little-endian. */
export function putNear(random: Random, view: DataView, at: number, type: Type, x: number): void {
  if (isWhole(type)) putWhole(random, view, at, type, x);
  else if (type === "f64") {
    const value = Number.isFinite(x) && random.chance(0.5) ? neighbour(x, random.pick([1, -1])) : x;
    view.setFloat64(at, value, true);
  } else if (type === "f32") {
    scratch.setFloat32(0, x);
    // The neighbours of a float have the neighbouring bits, those of 0 and of infinity included.
    view.setUint32(at, (scratch.getUint32(0) + random.pick([0, 0, 1, -1])) >>> 0, true);
  } else {
    const bits = halfBitsNear(x) + random.pick([0, 0, 1, -1]);
    view.setUint16(at, bits & 0xffff, true);
  }
}

function putWhole(random: Random, view: DataView, at: number, type: Type, x: number): void {
  const { first, end } = wholeRange(type);
  const whole = Number.isFinite(x)
    ? BigInt(Math.floor(x)) + BigInt(random.whole(-2, 2))
    : x > 0
      ? end
      : first;
  putInteger(view, at, type, whole < first ? first : whole >= end ? end - 1n : whole);
}

/** Writes an integer of a type, little-endian. */
export function putInteger(view: DataView, at: number, type: Type, value: bigint): void {
  let rest = BigInt.asUintN(64, value);
  for (let i = 0; i < SIZES[type]; i++) {
    view.setUint8(at + i, Number(rest & 255n));
    rest >>= 8n;
  }
}

/** The bits of the largest f16 whose magnitude is at most that of x. */
function halfBitsNear(x: number): number {
  let [low, high] = [0, 0x7c01];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (half(middle) <= Math.abs(x)) low = middle;
    else high = middle;
  }
  return x < 0 ? low + 0x8000 : low;
}

/** Writes a sample of random bits. */
export function putRandom(random: Random, view: DataView, at: number, type: Type): void {
  for (let i = 0; i < SIZES[type]; i++) view.setUint8(at + i, random.whole(0, 255));
}

/** Writes NaN with any payload and sign. Other types than floats get random bits. */
export function putNaN(random: Random, view: DataView, at: number, type: Type): void {
  putRandom(random, view, at, type);
  if (isWhole(type)) return;
  const top = at + SIZES[type] - 2;
  const sign = random.chance(0.5) ? 0x8000 : 0;
  const exponent = { f16: 0x7c00, f32: 0x7f80, f64: 0x7ff0 }[type as "f16" | "f32" | "f64"];
  // The lowest bit of the upper two bytes belongs to the fraction.
  view.setUint16(top, sign | exponent | 1, true);
}
