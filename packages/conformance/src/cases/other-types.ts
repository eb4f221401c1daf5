import { type Axis, boolean, category, circular, regular, variable } from "@polybin/core";
import type { Context, Topic } from "../case.ts";
import { countByDefinition, type Expected } from "../oracle/counts.ts";

/** Cases of f16 and of 64-bit integers, which core converts for every device. */
export const otherTypes: Topic = () => [
  { topic: "other types", name: "f16: every bit pattern, over every kind of axis", run: halves },
  { topic: "other types", name: "f16: the range of the data", run: halvesOfData },
  { topic: "other types", name: "u64: numbers that are one double", run: integers },
];

const AXES: readonly Axis[] = [
  regular(7, -2, 3),
  regular(3, 0, 70_000, { closed: false }),
  variable([-Infinity, -1, -(2 ** -24), 0, 2 ** -24, 0.1, 65_504, Infinity]),
  category([2048, -3, 0, 1]),
  boolean(),
  circular(9, -1, 5.5),
];

/** Every f16: sign, five bits of exponent, ten of fraction. */
function everyHalf(): { readonly bits: Uint16Array<ArrayBuffer>; readonly values: Float64Array } {
  const bits = Uint16Array.from({ length: 65_536 }, (_, i) => i);
  const values = Float64Array.from(bits, (pattern) => {
    const sign = pattern & 0x8000 ? -1 : 1;
    const [exponent, fraction] = [(pattern >> 10) & 31, pattern & 1023];
    if (exponent === 31) return fraction === 0 ? sign / 0 : Number.NaN;
    return sign * (exponent === 0 ? fraction / 2 ** 24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
  });
  return { bits, values };
}

async function halves({ engine, check }: Context): Promise<void> {
  const { bits, values } = everyHalf();
  for (const axis of AXES) {
    const found = await engine.histogram({ data: bits.buffer, type: "f16" }, { axis });
    check.histogram(`f16, ${axis.type}`, found, countByDefinition(axis, "f64", values));
    check.same("type", found.type, "f16");
  }
}

async function halvesOfData({ engine, check }: Context): Promise<void> {
  const input = { data: everyHalf().bits.buffer, type: "f16", channels: 2 } as const;
  await using resident = await engine.upload(input);
  const extent = await engine.extent(resident);
  check.sameNumbers("the extent", [extent.min, extent.max], [-65_504, 65_504]);
  const { edges } = await engine.histogram(input, { bins: 2, channel: 1 });
  check.sameNumbers("edges of the data's range", edges, [-65_504, 0, 65_504]);
}

async function integers({ engine, check }: Context): Promise<void> {
  // Around 2^62, an f64 has a distance of 1,024 from the next one.
  const big = 2n ** 62n;
  const far = BigUint64Array.of(big - 1n, big, big + 1n, big + 1023n, big + 1024n, big + 1025n, 0n);
  const edges = [2 ** 62, 2 ** 62 + 1024];
  const expected: readonly (readonly [Axis, Expected])[] = [
    [variable(edges), { counts: Float64Array.of(4), underflow: 2, overflow: 1, nan: 0 }],
    [variable(edges, { closed: false }), { counts: Float64Array.of(3), underflow: 2, overflow: 2, nan: 0 }],
  ];
  for (const [axis, counts] of expected) {
    check.histogram("u64 far away", await engine.histogram(far, { axis }), counts);
  }
}
