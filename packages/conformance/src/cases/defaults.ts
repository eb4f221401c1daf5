import {
  type Axis,
  limits,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SampleArray,
  type SampleType,
} from "@polybin/core";
import type { Context, Topic } from "../case.ts";
import type { FloatType } from "../floats.ts";
import { extremesOf, generate, samplesOfType } from "../generators.ts";
import { countByDefinition } from "../oracle.ts";

const FLOATS: readonly FloatType[] = ["f32", "f64"];
const INTEGERS: readonly SampleType[] = SAMPLE_TYPES.filter((type) => SAMPLE_TRAITS[type].integer);

/** What is counted where no axis is given: a type's whole range, or the data's own as NumPy finds it. */
export const defaults: Topic = () => [
  {
    topic: "defaults",
    name: "integer types: the whole range in 256 bins, or as many as are asked for",
    async run(context) {
      for (const type of INTEGERS) {
        for (const bins of [undefined, 1, 7, limits.BYTE_VALUES, 1000]) {
          const samples = generate(type, "uniform", 5000);
          const { min, max } = SAMPLE_TRAITS[type];
          await checkRange(context, type, samples, bins, min, max + 1);
        }
      }
    },
  },
  {
    topic: "defaults",
    name: "8 bits: a bin a value; 16 bits in 65,536 bins too",
    async run({ engine, check }) {
      for (const type of INTEGERS.filter((one) => SAMPLE_TRAITS[one].bytes <= 2)) {
        const { min, max } = SAMPLE_TRAITS[type];
        const result = await engine.histogram(generate(type, "gauss", 3001), { bins: max - min + 1 });
        check.same(`${type}: axis`, result.axis.type, "integer");
        check.same(`${type}: first edge`, result.edges[0], min);
        check.histogram(type, result, countByDefinition(result.axis, type, generate(type, "gauss", 3001)));
      }
    },
  },
  {
    topic: "defaults",
    name: "floats: from their least to their greatest finite value",
    async run(context) {
      for (const type of FLOATS) {
        for (const bins of [undefined, 1, 10, 1000]) {
          for (const distribution of ["uniform", "gauss", "sorted"] as const) {
            const samples = generate(type, distribution, 4099);
            await checkRange(context, type, samples, bins, ...extentOf(samples));
          }
        }
      }
    },
  },
  {
    topic: "defaults",
    name: "floats: one value gets half a unit on both sides; none at all gets [0, 1]",
    async run(context) {
      for (const type of FLOATS) {
        for (const value of [0, -0, 1, -4.25, 1000]) {
          await checkRange(context, type, samplesOfType(type, 9).fill(value), 10, value - 0.5, value + 0.5);
        }
        await checkRange(context, type, samplesOfType(type, 0), 10, 0, 1);
        await checkRange(context, type, samplesOfType(type, 65).fill(Number.NaN), 10, 0, 1);
        await checkRange(context, type, samplesOfType(type, 65).fill(-Infinity), 3, 0, 1);
      }
    },
  },
  {
    topic: "defaults",
    name: "floats: NaN and infinities do not stretch the range",
    async run(context) {
      for (const type of FLOATS) {
        const samples = generate(type, "gauss", 1001);
        samples.set([Number.NaN, Infinity, -Infinity, Number.NaN], 500);
        await checkRange(context, type, samples, 64, ...extentOf(samples));
      }
    },
  },
  { topic: "defaults", name: "extent: least and greatest finite value of the channels", run: extents },
];

/** The finite minimum and maximum, one value after the other. */
function extentOf(samples: ArrayLike<number>): [min: number, max: number] {
  const finite = Array.from(samples).filter((value) => Number.isFinite(value));
  return [
    finite.reduce((least, value) => Math.min(value, least), Infinity),
    finite.reduce((most, value) => Math.max(value, most), -Infinity),
  ];
}

async function checkRange(
  { engine, check }: Context,
  type: SampleType,
  samples: SampleArray,
  bins: number | undefined,
  lo: number,
  hi: number,
): Promise<void> {
  const what = `${samples.length} ${type} from ${lo} to ${hi}, ${bins ?? "default"} bins`;
  const result = await engine.histogram(samples, bins === undefined ? {} : { bins });
  const axis: Axis = result.axis;
  check.same(`${what}: bins`, result.bins, bins ?? limits.BYTE_VALUES);
  const fits = type === "f32" ? Math.fround : (x: number) => x;
  check.ok(`${what}: first edge is ${result.edges[0]}`, result.edges[0] === fits(lo));
  check.ok(`${what}: last edge is ${result.edges[axis.bins]}`, result.edges[axis.bins] === fits(hi));
  check.histogram(what, result, countByDefinition(axis, type, samples));
  check.same(`${what}: sum`, result.sum({ flow: true }), samples.length);
}

async function extents({ engine, check }: Context): Promise<void> {
  for (const type of SAMPLE_TYPES) {
    for (const samples of [generate(type, "gauss", 4097, 3), extremesOf(type), samplesOfType(type, 0)]) {
      const [min, max] = extentOf(samples);
      const found = await engine.extent(samples);
      check.ok(
        `${samples.length} ${type}: expected ${min} to ${max} but received ${found.min} to ${found.max}`,
        found.min === min && found.max === max,
      );
    }
    const pixels = generate(type, "uniform", 3 * 111);
    for (const channels of [[0], [2], [0, 1]]) {
      const found = await engine.extent({ data: pixels, channels: 3 }, { channels });
      const [min, max] = extentOf(Array.from(pixels).filter((_, i) => channels.includes(i % 3)));
      check.ok(`channels ${channels} of ${type}`, found.min === min && found.max === max);
    }
  }
}
