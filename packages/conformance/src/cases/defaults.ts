import { type Axis, regular, type SampleType } from "@polybin/core";
import { type BinRange, limits, SAMPLE_TRAITS, SAMPLE_TYPES, type SampleArray } from "@polybin/core/backend";
import type { Context, Topic } from "../case.ts";
import { extremesOf, generate, samplesOfType } from "../generators.ts";
import { countByDefinition } from "../oracle/counts.ts";
import type { FloatType } from "../oracle/floats.ts";

const FLOATS: readonly FloatType[] = ["f32", "f64"];
/** Types whose default is their whole range, and types whose default is the range of the data. */
const NARROW: readonly SampleType[] = SAMPLE_TYPES.filter((type) => SAMPLE_TRAITS[type].bytes <= 2);
const WIDE: readonly SampleType[] = SAMPLE_TYPES.filter((type) => !NARROW.includes(type));
const INTEGERS: readonly SampleType[] = SAMPLE_TYPES.filter((type) => SAMPLE_TRAITS[type].integer);

/** Cases without an axis: a type's whole range, or the data's range as NumPy finds it. */
export const defaults: Topic = () => [
  {
    topic: "defaults",
    name: '8- and 16-bit types: the whole range in 256 bins or the given number; 32-bit integers with range: "type"',
    async run(context) {
      for (const type of INTEGERS) {
        for (const bins of [undefined, 1, 7, limits.BYTE_VALUES, 1000]) {
          const samples = generate(type, "uniform", 5000);
          const { min, max } = SAMPLE_TRAITS[type];
          if (NARROW.includes(type)) await checkRange(context, type, samples, { bins }, [min, max + 1]);
          await checkRange(context, type, samples, { bins, range: "type" }, [min, max + 1]);
        }
      }
    },
  },
  {
    topic: "defaults",
    name: "one bin per value: 8 bits in 256 bins, 16 bits in 65,536",
    async run({ engine, check }) {
      for (const type of NARROW) {
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
    name: 'floats and 32-bit integers: from the lowest to the highest finite value; other types with range: "data"',
    async run(context) {
      for (const type of SAMPLE_TYPES) {
        for (const bins of [undefined, 1, 10, 1000]) {
          for (const distribution of ["uniform", "gauss", "sorted"] as const) {
            const samples = generate(type, distribution, 4099);
            if (WIDE.includes(type)) await checkRange(context, type, samples, { bins }, extentOf(samples));
            await checkRange(context, type, samples, { bins, range: "data" }, extentOf(samples));
          }
        }
      }
    },
  },
  {
    topic: "defaults",
    name: "32-bit integers: narrow ranges anywhere, and both ends of the type",
    async run(context) {
      for (const type of ["u32", "i32"] as const) {
        const { min, max } = SAMPLE_TRAITS[type];
        for (const [first, values] of [
          [0, 100],
          [min, 3],
          [max - 6, 7],
          [2 ** 30 - 500, 1000],
        ] as const) {
          const samples = samplesOfType(type, 3001).map((_, i) => first + ((i * i) % values));
          for (const bins of [undefined, 1, values, 1000]) {
            await checkRange(context, type, samples, { bins }, extentOf(samples));
          }
        }
        await checkRange(context, type, extremesOf(type), {}, [min, max]);
      }
    },
  },
  {
    topic: "defaults",
    name: "a single value is widened by 0.5 on both sides; no value gets [0, 1]",
    async run(context) {
      for (const type of SAMPLE_TYPES) {
        const { min, max, integer } = SAMPLE_TRAITS[type];
        for (const value of integer ? [min, 0, 1, max] : [0, -0, 1, -4.25, 1000]) {
          const samples = samplesOfType(type, 9).fill(value);
          await checkRange(context, type, samples, { bins: 10, range: "data" }, [value - 0.5, value + 0.5]);
        }
        const none = samplesOfType(type, 0);
        await checkRange(context, type, none, { bins: 10, range: "data" }, [0, 1]);
      }
      for (const type of FLOATS) {
        await checkRange(context, type, samplesOfType(type, 65).fill(Number.NaN), { bins: 10 }, [0, 1]);
        await checkRange(context, type, samplesOfType(type, 65).fill(-Infinity), { bins: 3 }, [0, 1]);
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
        await checkRange(context, type, samples, { bins: 64 }, extentOf(samples));
      }
    },
  },
  {
    topic: "defaults",
    name: "range: [lo, hi] is NumPy's, for every type",
    async run({ engine, check }) {
      for (const type of SAMPLE_TYPES) {
        const samples = generate(type, "gauss", 2049);
        for (const range of [
          [-3.5, 100],
          [0, 64],
        ] as const) {
          const result = await engine.histogram(samples, { bins: 37, range });
          check.same(
            `${type}: axis`,
            JSON.stringify(result.axis),
            JSON.stringify(regular(37, range[0], range[1])),
          );
          check.histogram(type, result, countByDefinition(result.axis, type, samples));
        }
      }
    },
  },
  { topic: "defaults", name: "extent: lowest and highest finite value of the channels", run: extents },
];

/** Finds the finite minimum and maximum in a plain loop. */
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
  options: { readonly bins?: number | undefined; readonly range?: BinRange },
  [lo, hi]: readonly [number, number],
): Promise<void> {
  const { bins, range } = options;
  const what = `${samples.length} ${type} from ${lo} to ${hi}, ${bins ?? "default"} bins, range ${range ?? "default"}`;
  const result = await engine.histogram(samples, options);
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
