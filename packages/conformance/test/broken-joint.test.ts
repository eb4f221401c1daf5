import { type Backend, cpu } from "@polybin/core";
import type { CellsInputs, CellsJob, CellsPart, Job, RunOptions } from "@polybin/core/backend";
import { describe, expect, it } from "vitest";
import { runConformance } from "../src/index.ts";

type Count = (inputs: CellsInputs, options: RunOptions) => Promise<CellsPart>;

/** Core's CPU backend, which counts several columns with a fault. */
function broken(change: (sound: Count, job: CellsJob) => Count): () => Backend {
  return () => {
    const sound = cpu();
    return {
      ...sound,
      id: "broken",
      async open() {
        const device = await sound.open();
        const cells = async (job: CellsJob) => {
          const prepared = await device.prepare(job);
          return { launch: prepared.launch, count: change((...of) => prepared.count(...of), job) };
        };
        const prepare = (job: Job) => (job.kind === "cells" ? cells(job) : device.prepare(job));
        return new Proxy(device, {
          get(of, name) {
            const value = name === "prepare" ? prepare : Reflect.get(of, name);
            return typeof value === "function" ? value.bind(of) : value;
          },
        });
      },
    };
  };
}

/** Names of the joint cases that fail among those that begin with some words. */
async function failures(
  change: Parameters<typeof broken>[0],
  ...names: readonly string[]
): Promise<string[]> {
  const filter = ({ topic, name }: { readonly topic: string; readonly name: string }) =>
    topic === "joint" && names.some((one) => name.startsWith(one));
  const { results } = await runConformance(broken(change), { filter, numRuns: 5 });
  return results.filter(({ status }) => status === "failed").map(({ name }) => name);
}

describe("a fault of joint counts is found:", () => {
  it("core's own joint counts have none", async () => {
    expect(await failures((sound) => sound, "lists", "groups", "progress")).toEqual([]);
  });

  it("a count in the neighbouring cell", async () => {
    const change =
      (sound: Count): Count =>
      async (...of) => {
        const found = await sound(...of);
        const at = found.cells.findIndex((count) => count > 0);
        if (at > 0) [found.cells[at - 1], found.cells[at]] = [found.cells[at]!, found.cells[at - 1]!];
        return found;
      };
    expect(await failures(change, "u8", "groups")).toHaveLength(2);
  });

  it("columns in the wrong order", async () => {
    const change =
      (sound: Count, { columns }: CellsJob): Count =>
      (inputs, options) => {
        const isEqual = columns.every(({ type }) => type === columns[0]!.type);
        return sound(isEqual ? { ...inputs, columns: inputs.columns.toReversed() } : inputs, options);
      };
    expect(await failures(change, "u8")).toHaveLength(1);
  });

  it("a mask that is inverted, or ignored", async () => {
    const inverted =
      (sound: Count): Count =>
      async (inputs, options) => {
        if (inputs.mask?.kind !== "samples") return sound(inputs, options);
        const { samples } = inputs.mask;
        const bytes = samples.bytes.map((byte) => (byte === 0 ? 1 : 0));
        return sound({ ...inputs, mask: { kind: "samples", samples: { ...samples, bytes } } }, options);
      };
    const ignored =
      (sound: Count): Count =>
      async (inputs, options) => {
        if (inputs.mask?.kind !== "samples") return sound(inputs, options);
        const { samples } = inputs.mask;
        const bytes = new Uint8Array(samples.bytes.length).fill(255);
        return sound({ ...inputs, mask: { kind: "samples", samples: { ...samples, bytes } } }, options);
      };
    for (const change of [inverted, ignored]) expect(await failures(change, "masks")).toHaveLength(1);
  });

  it("another sample at the end of a list", async () => {
    const change =
      (sound: Count): Count =>
      (inputs, options) => {
        const where = inputs.where?.slice() ?? null;
        if (where !== null && where.length > 1) where[where.length - 1] = where[0]!;
        return sound({ ...inputs, where }, options);
      };
    expect(await failures(change, "lists")).toHaveLength(1);
  });

  it("progress that goes back", async () => {
    const back =
      (sound: Count): Count =>
      (inputs, options) => {
        options.onProgress?.(inputs.samples);
        options.onProgress?.(0);
        return sound(inputs, options);
      };
    expect(await failures(back, "progress")).toHaveLength(1);
  });
});
