import { integer, type OrderedAxis, regular, regularSpaced, variable } from "../src/axis/axis.ts";
import { bitsOf, SAMPLE_TRAITS, type SampleArray, type SampleType } from "../src/input/sample-types.ts";
import { arrayOf, neighbour, random } from "./helpers.ts";

/** Values of a type around each edge, at the ends of its range, in between, and the strange ones. */
export function valuesAround(type: SampleType, edges: Iterable<number>): SampleArray {
  const { min, max, integer: isInteger } = SAMPLE_TRAITS[type];
  const next = random(7);
  const values: number[] = [];
  for (const edge of edges) {
    if (isInteger) values.push(...[-1, 0, 1, 2].map((by) => Math.floor(edge) + by));
    else {
      const at = type === "f32" ? Math.fround(edge) : edge;
      const wide = type as "f32" | "f64";
      values.push(at, neighbour(wide, at, true), neighbour(wide, at, false), edge + (next() - 0.5));
    }
  }
  if (isInteger) {
    values.push(min, min + 1, -1, 0, 1, max - 1, max, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1);
    for (let i = 0; i < 100; i++) values.push(min + Math.floor(next() * (max - min + 1)));
    return arrayOf(
      type,
      values.filter((value) => value >= min && value <= max),
    );
  }
  values.push(Number.NaN, -Number.NaN, Infinity, -Infinity, 0, -0, 5e-324, -5e-324, 2 ** -149, -(2 ** -149));
  values.push(3.4028234663852886e38, -3.4028234663852886e38, Number.MAX_VALUE, -Number.MAX_VALUE);
  const array = arrayOf(type, values);
  // NaN with its sign set, which assignment would lose.
  const words = bitsOf(array);
  const nan = array.findIndex((value) => Number.isNaN(value)) + 1;
  if (type === "f32") words[nan] = 0xffc0_0001;
  else words.set([1, 0xfff0_0000], 2 * nan);
  return array;
}

/** Axes of every kind, at the limits of the sample types and beyond them. */
export const AXES: Readonly<Record<string, OrderedAxis>> = {
  bytes: integer(0, 256),
  "signed bytes": integer(-128, 128),
  "one integer": integer(7, 8),
  "integers around zero": integer(-5, 5),
  "integers below every range": integer(-(2 ** 40), -(2 ** 40) + 10),
  "integers above every range": integer(2 ** 40, 2 ** 40 + 10),
  "the first of i32": integer(-(2 ** 31), -(2 ** 31) + 100),
  "across i32's start": integer(-(2 ** 31) - 50, -(2 ** 31) + 50),
  "across i32's end": integer(2 ** 31 - 50, 2 ** 31 + 50),
  "the last of u32": integer(2 ** 32 - 100, 2 ** 32),
  "across u32's end": integer(2 ** 32 - 100, 2 ** 32 + 100),
  "just past u32": integer(2 ** 32, 2 ** 32 + 100),
  "across zero, for unsigned": integer(-100, 3),
  "all of u16": integer(0, 65_536),
  "all of i16": integer(-32_768, 32_768),
  "integers that f32 cannot tell apart": integer(2 ** 24 - 4, 2 ** 24 + 60),
  unit: regular(10, 0, 1),
  "unit, 65,536 bins": regular(65_536, 0, 1),
  "halves of bytes": regular(512, 0, 256),
  thirds: regular(100, -3, 3),
  "one bin": regular(1, -0.5, 0.5),
  "all of i32": regular(7, -(2 ** 31), 2 ** 31),
  "all of u32": regular(13, 0, 2 ** 32),
  "wider than 32 bits": regular(11, -1e11, 1e11),
  "below unsigned": regular(4, -10, -1),
  huge: regular(3, -1e38, 3e38),
  denormal: regular(4, 0, 2 ** -140),
  "up to the largest double": regular(8, 0.85, Number.MAX_VALUE),
  "one open bin up to the largest double": regular(1, 2.79, Number.MAX_VALUE, { closed: false }),
  "the smallest below zero": variable([-1.5e-323, -0], { closed: false }),
  "zero among the smallest": variable([-Number.MAX_VALUE, -5e-324, -0, 0.78]),
  "found in f32": regularSpaced(7, Math.fround(0.1), Math.fround(0.7), "f32"),
  "one ulp": variable([1, 1 + 2 ** -52, 1 + 2 ** -51]),
  "between integers": variable([0.2, 0.8]),
  "edges between f32 values": variable([0.1, 0.1 + 2 ** -40, 0.2, 0.30000000000000004]),
  zeros: variable([-1, -0, 1]),
  "from zero": variable([0, 1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e9, 1e12]),
  "to zero": variable([-1e12, -1e6, -1, 0]),
  denormals: variable([-5e-324, 5e-324, 2 ** -149, 2 ** -148, 2 ** -126]),
  "beyond f32": variable([-1e300, -1e39, 0, 1e39, 1e300]),
  "wholly above f32": variable([1e39, 2e39]),
  "wholly below f32": variable([-2e39, -1e39]),
  "as far as f64 goes": variable([-Number.MAX_VALUE, -1, 1, Number.MAX_VALUE]),
  "one bin up to the largest f64": regular(1, 2, Number.MAX_VALUE),
  "zero between denormals": variable([-1e300, -5e-324, 0, 5e-324, 1e300]),
  "right below the largest f64": variable([0, 3, 1e300, 1.7976931348623151e308, 1.7976931348623155e308]),
  "from the least f64": regular(3, -Number.MAX_VALUE, 0),
  "wholly above u32": variable([2 ** 32 - 0.5, 2 ** 33]),
  "wholly below i32": variable([-1e10, -(2 ** 31) - 0.5]),
  "up to i32's first": variable([-1e10, -(2 ** 31)]),
  "half integers": variable([-1.5, -0.5, 0.5, 1.5, 254.5, 255.5, 65_535.5, 2 ** 31 - 0.5, 2 ** 32 - 1.5]),
};
