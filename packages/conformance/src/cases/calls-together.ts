import type { Axis, Counter, Histogram, SampleType } from "@polybin/core";
import { limits, type SampleArray } from "@polybin/core/backend";
import { axesFor, wholeAxis } from "../axes.ts";
import type { Context } from "../case.ts";
import { generate } from "../generators.ts";
import { countByDefinition, type Expected } from "../oracle/counts.ts";

/** Input of a counter. */
export type Lying = Parameters<Counter["count"]>[0];

const bins = limits.PER_THREAD_64_BINS;
/** The axis of counters of bytes. */
export const counterAxis: Axis = wholeAxis("u8", bins);

/** Counts and compares. If the device or the plan cannot count, it notes the refusal. */
export async function counts(
  { check }: Context,
  what: string,
  count: () => Promise<Histogram>,
  expected: Expected,
): Promise<void> {
  await check.unlessRefused(what, async () => check.histogram(what, await count(), expected));
}

export async function batches(context: Context): Promise<void> {
  const { engine, check } = context;
  for (const type of ["u8", "f64"] as const) {
    const axis = wholeAxis(type, bins);
    await using counter = await engine.prepare({ type, axis });
    const sizes = [9, 0, 4099, 9, 1, 4099, 70_001, 9];
    const inputs = sizes.map((n, i) => generate(type, "gauss", n, i + 1));
    const all = await counter.countAll(inputs);
    check.same(`${type}: results`, all.length, sizes.length);
    for (const [i, samples] of inputs.entries()) {
      check.histogram(`${type}: input ${i}`, all[i]!, countByDefinition(axis, type, samples));
    }
  }
  // With one bin per value, the result may use the device's counts without a copy.
  const axis = wholeAxis("u8", limits.BYTE_VALUES);
  await using counter = await engine.prepare({ axis });
  check.same("results of none", (await counter.countAll([])).length, 0);
  await using resident = await engine.upload(generate("u8", "gauss", 1001));
  const many = await counter.countAll(Array.from({ length: 300 }, () => resident));
  const expected = countByDefinition(axis, "u8", generate("u8", "gauss", 1001));
  check.same("results of many", many.length, 300);
  for (const at of [0, 1, 150, 299]) check.histogram(`one of many, ${at}`, many[at]!, expected);
  many[0]!.counts.fill(-1);
  check.histogram("results are independent", many[1]!, expected);
}

export async function accumulates(context: Context): Promise<void> {
  const { engine, check } = context;
  for (const type of ["u8", "u32", "f32"] as const) {
    const axis = axesFor(type, bins)[4]!;
    await using counter = await engine.prepare({ type, axis });
    check.histogram(
      `${type}: nothing`,
      await counter.take(),
      countByDefinition(axis, type, generate(type, "zeros", 0)),
    );
    for (let round = 0; round < 2; round++) {
      const inputs = Array.from({ length: 20 }, (_, i) =>
        generate(type, "gauss", (i % 3) * 1000 + i, round + 1),
      );
      for (const input of inputs) await counter.accumulate(input);
      await using resident = await engine.upload(inputs[5]!);
      await counter.accumulate(resident);
      const expected = countByDefinition(axis, type, joined(type, [...inputs, inputs[5]!]));
      check.histogram(`${type}: round ${round}`, await counter.take(), expected);
    }
    check.same(`${type}: anew`, (await counter.take()).sum({ flow: true }), 0);
  }
}

function joined(type: SampleType, parts: readonly SampleArray[]): SampleArray {
  const all = generate(
    type,
    "zeros",
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Accumulates enough samples to overflow a 32-bit counter, if the device is fast enough. */
export async function accumulatesMuch({ engine, check, size }: Context): Promise<void> {
  const n = size === "full" ? 2 ** 28 : 2 ** 20;
  const times = size === "full" ? 17 : 3;
  await using counter = await engine.prepare({ axis: counterAxis });
  await using resident = await engine.upload(new Uint8Array(n));
  await Promise.all(Array.from({ length: times }, () => counter.accumulate(resident)));
  const total = await counter.take();
  check.same("the first bin", total.counts[0], n * times);
  check.same("all", total.sum({ flow: true }), n * times);
}

export async function concurrent(context: Context): Promise<void> {
  const { engine, check } = context;
  await using counter = await engine.prepare({ axis: counterAxis });
  await using resident = await engine.upload(generate("u8", "uniform", 5001));
  const inputs: readonly [Lying, SampleArray][] = [
    ...[1, 999, 4099, 70_001].map((n): [Lying, SampleArray] => {
      const samples = generate("u8", "gauss", n, n);
      return [samples as Uint8Array, samples];
    }),
    [resident, generate("u8", "uniform", 5001)],
  ];
  const added: SampleArray[] = [];
  const work: Promise<void>[] = [];
  for (let i = 0; i < 60; i++) {
    const [input, samples] = inputs[i % inputs.length]!;
    const expected = countByDefinition(counterAxis, "u8", samples);
    if (i % 3 === 0) work.push(counts(context, `call ${i}`, () => counter.count(input), expected));
    else if (i % 3 === 1) {
      added.push(samples);
      work.push(counter.accumulate(input));
    } else {
      const batch = counter.countAll([input, resident, input]);
      work.push(batch.then((all) => check.histogram(`call ${i}`, all[2]!, expected)));
    }
  }
  await Promise.all(work);
  const expected = countByDefinition(counterAxis, "u8", joined("u8", added));
  check.histogram("accumulated meanwhile", await counter.take(), expected);
}
