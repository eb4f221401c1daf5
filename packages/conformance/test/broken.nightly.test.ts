import { type ChannelsPlan, cpu } from "@polybin/core";
import {
  algorithms,
  type ChannelCounts,
  composedAlgorithms,
  type FeatureSums,
  HostResident,
  type Plan,
  type RunOptions,
  type SumsPart,
  weightedAlgorithms,
} from "@polybin/core/backend";
import { describe, expect, it, vi } from "vitest";
import { type CaseResult, runConformance, type SuiteOptions } from "../src/index.ts";
import { broken, type Fault, type Summing, withSamples } from "./broken.ts";

// A suite that cannot fail is worthless, so each fault must be found by the cases that are meant to find it.

vi.setConfig({ testTimeout: 60_000 });

type Filter = NonNullable<SuiteOptions["filter"]>;
const topics =
  (...names: string[]): Filter =>
  ({ topic }) =>
    names.some((name) => topic.startsWith(name));

async function failures(fault: Fault, filter: Filter): Promise<readonly CaseResult[]> {
  const { results } = await runConformance(broken(fault), { filter, numRuns: 10 });
  return results.filter(({ status }) => status === "failed");
}

const named = (results: readonly CaseResult[]): string[] =>
  results.map(({ topic, name }) => `${topic}: ${name}`);

/** Moves counts within a channel, so that the engine's check of the sum does not notice. */
function moved(
  channel: ChannelCounts,
  plan: ChannelsPlan,
  from: (plan: ChannelsPlan) => number,
  to: number,
): ChannelCounts {
  const all = Float64Array.of(...channel.cells, ...channel.flow);
  const at = from(plan);
  const [source, target] = [at, at + to];
  if (target < 0 || target >= all.length) return channel;
  all[target] = all[target]! + all[source]!;
  all[source] = 0;
  return { cells: all.slice(0, plan.cells), flow: all.slice(plan.cells) };
}

const shift = (from: (plan: ChannelsPlan) => number, to: number): Fault => ({
  counted: (found, { plan }) => ({
    ...found,
    channels: found.channels.map((channel) => moved(channel, plan, from, to)),
  }),
});

describe("a fault is found:", () => {
  it("core's own backend has none", async () => {
    const filter: Filter = ({ topic, name }) => topic === "flow" && name.startsWith("sequential");
    const result = await runConformance(broken({}), { filter });
    expect(result).toMatchObject({ failed: 0, skipped: 0, passed: 3, backend: "broken" });
  });

  it("the tail is lost", async () => {
    const found = await failures(
      {
        counted: ({ channels, timings }, { plan }) => ({
          timings,
          channels: channels.map(({ cells, flow }) => {
            const first = cells.findIndex((count) => count > 0);
            const less = cells.slice();
            if (plan.samples % 4 !== 0 && first >= 0) less[first] = less[first]! - 1;
            return { cells: less, flow };
          }),
        }),
      },
      topics("sizes", "properties"),
    );
    expect(named(found)).toContain("sizes: per-lane: n around every limit");
    expect(named(found)).toContain("properties: auto: any samples over any axis");
    expect(found[0]?.reason).toMatch(/1 u8 \(\w+\), regular\(|1 u8 \(\w+\), integer\(0, 256\)/);
  });

  it("the last sample is counted as its neighbour", async () => {
    const found = await failures(
      {
        job: (job) =>
          withSamples(job, (of) => of.length % 4 === 3 && of.copyWithin(of.length - 1, of.length - 2)),
      },
      topics("sizes", "views", "properties"),
    );
    expect(named(found)).toContain("sizes: trish: n around every limit");
    expect(named(found)).toContain("views: per-lane: bytes with a type at offsets 0 to 7, odd tails");
  });

  it("NaN is counted as zero", async () => {
    const found = await failures(
      {
        job: (job) =>
          withSamples(job, (of) => {
            for (let i = 0; i < of.length; i++) if (Number.isNaN(of[i])) of[i] = 0;
          }),
      },
      topics("flow", "axes"),
    );
    expect(named(found)).toContain("flow: per-lane: NaN of every kind, infinities, zeros, denormals");
    expect(named(found)).not.toContain("flow: per-lane: axes outside the type's range, and at its ends");
    expect(found[0]?.reason).toContain("nan is 0");
  });

  it("denormals are flushed", async () => {
    const found = await failures(
      {
        job: (job) =>
          withSamples(job, (of) => {
            for (let i = 0; i < of.length; i++) if (Math.abs(of[i]!) < 1e-38) of[i] = 0;
          }),
      },
      topics("flow"),
    );
    expect(named(found)).toContain("flow: sequential: NaN of every kind, infinities, zeros, denormals");
  });

  it("the closed right edge of the last bin is an overflow", async () => {
    const found = await failures(
      {
        job: (job) =>
          withSamples(job, (of) => {
            const { axis } = job;
            if (axis.type !== "regular") return;
            for (let i = 0; i < of.length; i++) if (of[i] === axis.hi) of[i] = axis.hi * 1.5 + 1;
          }),
      },
      topics("flow", "numpy"),
    );
    expect(named(found)).toContain("flow: trish: every edge, its neighbours, the closed last bin");
    expect(named(found).join()).toMatch(/numpy [\d.]+: f32/);
  });

  it("underflow is counted as overflow", async () => {
    const found = await failures(
      shift((plan) => plan.cells, 1),
      topics("axes", "flow", "parameters"),
    );
    expect(named(found)).toContain("axes: sequential: 2 bins of every type and kind of axis");
    expect(named(found)).toContain("parameters: trish: k = 1 to 63, wide samples and flow");
  });

  it("byte counters carry into their neighbours", async () => {
    const carry: Fault = {
      counted: (found, { plan }) => ({
        ...found,
        channels: found.channels.map((channel) =>
          plan.counterBits === 8 && channel.cells.some((count) => count > 64 * 255)
            ? moved(channel, plan, ({ cells }) => cells - 1, -1)
            : channel,
        ),
      }),
    };
    const found = await failures(carry, topics("parameters"));
    expect(named(found)).toContain("parameters: trish: k = 1 to 63, 255 only");
  });

  it("a signal is ignored", async () => {
    const found = await failures({ options: ({ onProgress }) => ({ onProgress }) }, topics("abort"));
    expect(named(found)).toContain("abort: trish: aborted in the middle, exact afterwards");
    expect(named(found)).toContain("abort: auto: aborted in the middle, exact afterwards");
  });

  it("progress goes backwards", async () => {
    const backwards: Fault = {
      options: ({ onProgress, signal }) => ({ signal, onProgress: (done) => onProgress?.(1_000_000 - done) }),
    };
    expect(named(await failures(backwards, topics("abort")))).toContain(
      "abort: progress ascends and ends at the total",
    );
  });

  it("a claimed kernel always refuses", async () => {
    const sentence = "trish is out of order";
    const refuses = (plan: Plan): string | null => (plan.algorithm === "trish" ? sentence : null);
    const found = await failures({ device: { refuses } }, topics("claims", "parameters"));
    expect(named(found)).toEqual(["claims: trish"]);
    expect(found[0]?.reason).toContain(sentence);
  });

  it("a claimed slug has no kernel", async () => {
    const missing: Fault["algorithms"] = [algorithms.sequential, algorithms.multithreaded];
    const found = await failures({ algorithms: missing }, topics("claims"));
    expect(named(found)).toContain("claims: multithreaded");
  });

  it("a different algorithm under a slug of core's", async () => {
    const { launch } = algorithms.sequential;
    const other = { ...algorithms["per-lane"], title: "something else", launch };
    const found = await failures({ algorithms: [algorithms.sequential, other] }, topics("claims"));
    expect(named(found)).toEqual(["claims: the engine lists the backend's algorithms, each once"]);
    expect(found[0]?.reason).toContain("something else");
  });

  it("a plain error instead of a sentence", async () => {
    const count: Fault["count"] = async () => {
      throw new TypeError("undefined is not a kernel");
    };
    const found = await failures({ count }, topics("claims"));
    expect(named(found)).toContain("claims: trish");
    expect(found[0]?.reason).toContain("TypeError: undefined is not a kernel");
  });

  it("a resident is not a copy", async () => {
    const found = await failures(
      { device: { upload: async (samples) => new HostResident(samples) } },
      topics("lifecycle"),
    );
    expect(named(found)).toEqual(["lifecycle: a resident holds the samples at the time of the upload"]);
  });

  it("freed residents are still counted", async () => {
    const device: Fault["device"] = {
      upload: async (samples) => Object.assign(new HostResident(samples), { free: async () => {} }),
    };
    const found = await failures({ device }, topics("lifecycle"));
    expect(named(found)).toContain("lifecycle: a freed resident is ERR_INPUT, freeing it twice is harmless");
  });

  it("results share memory", async () => {
    let shared: ChannelCounts | null = null;
    const found = await failures(
      {
        counted: (fresh, { channels }) => {
          if (channels.length !== 2) return fresh;
          shared ??= fresh.channels[0]!;
          return { ...fresh, channels: [shared, shared] };
        },
      },
      topics("results", "layout"),
    );
    expect(named(found)).toContain("results: results are independent of one another");
    expect(named(found)).toContain("layout: chosen channels, in any order");
  });

  it("rows' padding is counted", async () => {
    const dense: Fault = {
      job: (job) =>
        job.input.kind === "samples"
          ? { ...job, input: { kind: "samples", samples: { ...job.input.samples, dense: true } } }
          : job,
    };
    const found = await failures(dense, topics("layout"));
    expect(named(found)).toContain("layout: trish: 1 to 4 channels, row pitch and regions");
  });

  it("accumulated counts are lost, added twice, or not cleared", async () => {
    for (const [take, anew] of [
      [1, true],
      [2, true],
      [0, false],
    ] as const) {
      const more: Fault["more"] = (sound) => ({
        accumulator() {
          let inputs: Parameters<typeof sound.count>[0][] = [];
          return {
            add: async (input) => void inputs.push(...new Array(inputs.length === 0 ? 1 : take).fill(input)),
            async take(run) {
              const parts = await Promise.all(inputs.map((input) => sound.count(input, run)));
              if (anew) inputs = [];
              const [first, ...rest] = parts;
              for (const part of rest) {
                part.channels.forEach(({ cells, flow }, i) => {
                  const to = first!.channels[i]!;
                  for (const [cell, count] of cells.entries()) to.cells[cell]! += count;
                  for (const [kind, count] of flow.entries()) to.flow[kind]! += count;
                });
              }
              return first!;
            },
            free: async () => {},
          };
        },
      });
      const found = named(await failures({ more }, topics("calls")));
      if (take === 1) expect(found).toEqual([]);
      else expect(found).toContain("calls: accumulated: unequal sizes, residents, and a restart after take");
    }
  });

  it("results of a batch are in another order, or share memory", async () => {
    const backwards: Fault["more"] = (sound) => ({
      countAll: async (inputs, run) =>
        (await Promise.all(inputs.map((input) => sound.count(input, run)))).toReversed(),
    });
    const shared: Fault["more"] = (sound) => ({
      async countAll(inputs, run) {
        const first = await sound.count(inputs[0]!, run);
        const all = await Promise.all(inputs.map((input) => sound.count(input, run)));
        return inputs.every(({ kind }) => kind === "resident") ? all.map(() => first) : all;
      },
    });
    for (const more of [backwards, shared]) {
      expect(named(await failures({ more }, topics("calls")))).toContain(
        "calls: batched: unequal sizes keep their order, many and none",
      );
    }
  });

  it("synchronous counts are of other samples", async () => {
    const wrong: Fault["more"] = (sound) => ({
      countSync(input, run) {
        const part = sound.countSync!(input, run);
        const { cells } = part.channels[0]!;
        if (cells[0]! > 0) {
          cells[0]!--;
          cells[1]!++;
        }
        return part;
      },
    });
    const found = named(await failures({ more: wrong }, topics("calls")));
    expect(found).toContain("calls: synchronous: every type and some sizes");
    expect(found.some((name) => name.startsWith("calls: batched"))).toBe(false);
  });

  it("a closed device is not released", async () => {
    const backend = broken({});
    let open = false;
    const once = (): ReturnType<typeof backend> => {
      const sound = backend();
      return {
        ...sound,
        async open() {
          if (open) throw new Error("the device is busy");
          open = true;
          return sound.open();
        },
      };
    };
    const { results } = await runConformance(once, { filter: topics("lifecycle") });
    expect(named(results.filter(({ status }) => status === "failed"))).toContain(
      "lifecycle: an engine is opened, used and closed repeatedly",
    );
  });

  it("a property prints the seed that reproduces it", async () => {
    const found = await failures(
      shift((plan) => plan.cells, 1),
      topics("properties"),
    );
    expect(found[0]?.reason).toMatch(/seed: 1, path: "/);
  });
});

describe("a backend that is not available", () => {
  const absent = (): ReturnType<typeof cpu> => ({
    ...cpu(),
    id: "absent",
    probe: async () => ({ available: false, reason: "no such device here" }),
    open: async (): Promise<never> => {
      throw new Error("opened nevertheless");
    },
  });

  it("is skipped with its reason", async () => {
    const { results, device } = await runConformance(absent, { filter: topics("claims", "results") });
    expect(device).toBeNull();
    expect(new Set(results.map(({ status, reason }) => `${status}: ${reason}`))).toEqual(
      new Set(["skipped: no such device here"]),
    );
  });

  it("fails if it is required", async () => {
    const { failed, results } = await runConformance(absent, { filter: topics("results"), required: true });
    expect(failed).toBe(results.length);
  });
});

describe("a fault in weighted sums is found:", () => {
  const only = topics("weighted");
  type Features = readonly FeatureSums[];
  /** Changes every feature's sums after they were made. */
  const each = (change: (of: FeatureSums, job: Summing) => void): Fault => ({
    summed: (found, job) => {
      for (const feature of found.features as Features) change(feature, job);
      return found;
    },
  });
  /** Moves an amount between two bins, so that core's check of the totals does not see it. */
  const move = (of: Float64Array, amount: number) => {
    of[0]! += amount;
    of[1]! -= amount;
  };

  it("core's own sums have none", async () => {
    const result = await runConformance(broken({}), { filter: only });
    expect(result.results.filter(({ status }) => status === "failed")).toEqual([]);
    expect(result.passed).toBeGreaterThan(30);
    const skipped = result.results.filter(({ status }) => status === "skipped");
    expect(skipped.map(({ reason }) => reason)).toContain("broken does not claim weighted-hybrid");
  });

  it("a unit in another bin, as after a lost carry", async () => {
    const found = named(
      await failures(
        each(({ sums }) => move(sums, 1)),
        only,
      ),
    );
    for (const name of [
      "auto: every type and number of bins",
      "weighted-fixed-point: the largest weights, all in one bin",
      "weighted-sequential: documents around every limit",
      "histogram with weights, every type over every axis",
      "many calls at once, on several tables",
    ]) {
      expect(found).toContain(`weighted: ${name}`);
    }
  });

  it("2^32 units in another bin, if sums are that large", async () => {
    const wrap = each(({ sums }, { weights }) => {
      if (weights instanceof Int32Array && Math.abs(sums[0]!) >= 2 ** 31) move(sums, -(2 ** 32));
    });
    const found = named(await failures(wrap, only));
    expect(found).not.toEqual([]);
  });

  it("a document in another bin", async () => {
    const found = named(
      await failures(
        each(({ counts }) => counts && move(counts, counts[1]! > 0 ? 1 : 0)),
        only,
      ),
    );
    expect(found).toContain("weighted: auto: every spread of values and every kind of weights");
  });

  it("squares in another bin", async () => {
    const found = named(
      await failures(
        each(({ squares }) => squares && move(squares, 1)),
        only,
      ),
    );
    expect(found).toContain("weighted: weighted-fixed-point: squares, and the most frequent value skipped");
    expect(found).not.toContain("weighted: auto: documents around every limit");
  });

  it("an ignored skip", async () => {
    const sums = (job: Summing): Summing => ({
      ...job,
      groups: job.groups.map((group) => ({ ...group, skip: group.features.map(() => null) })),
    });
    // Core fills in the skipped bin itself, so a kernel that adds to it only wastes time.
    expect(await failures({ sums }, only)).toEqual([]);
  });

  it("a wrong value skipped", async () => {
    const sums = (job: Summing): Summing => ({
      ...job,
      groups: job.groups.map((group) => ({
        ...group,
        skip: group.skip.map((value) => (value === null ? null : value + 1)),
      })),
    });
    const found = named(await failures({ sums }, only));
    const names = [
      "squares, and the most frequent value skipped",
      "sums without counts, and cached counts",
      "two limbs, and the error bound",
    ];
    expect(found).toEqual(
      names.flatMap((name) =>
        ["auto", "weighted-sequential", "weighted-fixed-point"].map((slug) => `weighted: ${slug}: ${name}`),
      ),
    );
  });

  it("an ignored list of documents", async () => {
    const sums = (job: Summing): Summing => ({
      ...job,
      documents: job.documents?.map((_, i) => i) ?? null,
    });
    const found = named(await failures({ sums }, only));
    expect(found).toContain("weighted: weighted-fixed-point: chosen features, a list of documents, a mask");
    expect(found).toContain("weighted: a sibling is its parent minus the other child, bit for bit");
  });

  it("features in another order", async () => {
    const summed = (found: SumsPart): SumsPart => ({
      ...found,
      features: [...found.features].reverse(),
    });
    expect(await failures({ summed }, only)).not.toEqual([]);
  });

  it("float sums with an error above the tolerance", async () => {
    const off = each(({ sums }, { weights }) => {
      if (weights instanceof Float32Array) move(sums, 5);
    });
    const found = named(await failures(off, only));
    expect(found).toEqual([
      "weighted: auto: precision fast, within the tolerance",
      "weighted: weighted-sequential: precision fast, within the tolerance",
    ]);
  });

  it("an ignored abort", async () => {
    const found = named(await failures({ sum: forgetful }, ({ name }) => name.startsWith("aborted")));
    expect(found).toEqual(["weighted: aborted before, at once and during the call; exact afterwards"]);
  });

  it("the hybrid without its methods, or without times", async () => {
    const hybrid = composedAlgorithms["weighted-hybrid"];
    const alone = await failures({ weighted: [hybrid, weightedAlgorithms["weighted-collision-free"]] }, only);
    expect(named(alone)).toContain(
      "weighted: weighted-hybrid: measures once, caches its choices, describes them",
    );
    const timeless = each((of) => {
      (of as { ms: number | null }).ms = null;
    });
    const all = { ...timeless, weighted: [...Object.values(weightedAlgorithms), hybrid] };
    expect(named(await failures(all, ({ name }) => name.includes("hybrid")))).toContain(
      "weighted: weighted-hybrid: measures once, caches its choices, describes them",
    );
  });

  it("a claimed slug that refuses, and tables without a claim", async () => {
    const refuses = await failures(
      { device: { refuses: ({ kind }) => (kind === "sums" ? "not today" : null) } },
      only,
    );
    expect(named(refuses)).toContain("weighted: claim of weighted-fixed-point");
    const { results } = await runConformance(broken({ weighted: [] }), { filter: only });
    expect(results).toMatchObject([{ name: "feature tables", status: "failed" }]);
  });

  it("a backend without tables has no fault: the cases are skipped with its sentence", async () => {
    const without = { weighted: [], device: { kinds: ["channels"], uploadTable: undefined } as object };
    const { results } = await runConformance(broken(without), { filter: only });
    expect(results).toMatchObject([{ name: "feature tables", status: "skipped" }]);
    expect(results[0]!.reason).toMatch(/^broken has no weighted sums yet/);
  });
});

/** Rejects with a reason other than the signal's when it is aborted, as code that does not forward the signal would. */
async function forgetful(_job: Summing, { signal }: RunOptions): Promise<SumsPart> {
  await new Promise((resolve) => setTimeout(resolve, signal === undefined ? 0 : 5));
  throw new Error("not the reason");
}
