import { type Backend, cpu, type Engine, type Histogram, openEngine, PolybinError } from "@polybin/core";
import type { ChannelsJob, Job, Prepared } from "@polybin/core/backend";
import { describe, expect, it, vi } from "vitest";
import { requestFor } from "../src/case.ts";
import { runConformance } from "../src/index.ts";
import { Requests, runSequence, type Step } from "../src/sequences/index.ts";

vi.setConfig({ testTimeout: 60_000 });

// A search that finds nothing is worthless, so memories that forget a part of a request must be found.

/** Returns an object with some members replaced. */
function replaced<T extends object>(of: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(of, {
    get(target, name) {
      if (typeof name === "string" && Object.hasOwn(members, name)) return members[name];
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Core's CPU backend, whose device keeps prepared jobs by a key of ours. */
function keptBy(keyOf: (job: ChannelsJob) => unknown): () => Backend {
  return () => {
    const sound = cpu();
    const open = async () => {
      const device = await sound.open();
      const kept = new Map<string, Prepared>();
      const channels = (job: ChannelsJob): Prepared => {
        const key = JSON.stringify(keyOf(job));
        const prepared = kept.get(key) ?? device.prepare(job);
        kept.set(key, prepared);
        return prepared;
      };
      const prepare = (job: Job) => (job.kind === "channels" ? channels(job) : device.prepare(job));
      return replaced(device, { prepare });
    };
    return { ...sound, id: "forgetful", open };
  };
}

const whole = ({ type, interleaved, channels, axis, lowering, plan }: ChannelsJob) => ({
  type,
  interleaved,
  channels,
  axis: [axis, axis.type === "regular" && axis.closed],
  lowering: { ...lowering, table: "table" in lowering ? [...lowering.table] : null },
  plan,
});

/** Performs random steps on engines of a backend. */
function search(backend: Backend, seed: number, wrapped: (engine: Engine) => Engine = (engine) => engine) {
  const requests = new Requests(seed, requestFor(backend));
  return runSequence(
    async () => wrapped(await openEngine({ backend })),
    () => requests.next(),
    1000,
  );
}

describe("a memory that forgets a part of a request is found and shrunk:", () => {
  it("one that forgets nothing is not", async () => {
    expect(await search(keptBy(whole)(), 1)).toMatchObject({ steps: 1000, failure: null });
  });

  it.each([
    ["the axis", ({ axis, lowering, ...job }: ReturnType<typeof whole>) => job],
    ["the channels", ({ channels, ...job }: ReturnType<typeof whole>) => job],
    ["the interleaving", ({ interleaved, ...job }: ReturnType<typeof whole>) => job],
  ] as const)("%s", async (_, without) => {
    const backend = keptBy((job) => without(whole(job)))();
    for (const seed of [1, 2]) {
      const { failure } = await search(backend, seed);
      expect(failure, `seed ${seed}`).not.toBeNull();
      // One call that is remembered, and one that is answered wrongly.
      expect(failure!.steps.length, failure!.message).toBe(2);
      expect(failure!.message).toContain("await");
    }
  });

  it("an engine that keeps results by the type and number of samples", async () => {
    const forgetful = (engine: Engine): Engine => {
      const kept = new Map<string, Promise<Histogram>>();
      const histogram = (input: object, options: object): Promise<Histogram> => {
        const isPlain = ArrayBuffer.isView(input) && Object.keys(options).join() === "axis";
        const counting = () => engine.histogram(input as Uint8Array, options);
        if (!isPlain) return counting();
        const key = `${input.constructor.name} ${input.byteLength}`;
        const found = kept.get(key) ?? counting();
        kept.set(key, found);
        return found;
      };
      return replaced(engine, { histogram });
    };
    const { failure } = await search(cpu(), 1, forgetful);
    expect(failure!.steps.map(({ kind }) => kind)).toEqual(["histogram", "histogram"]);
    expect(failure!.message).toMatch(/^const engine = await openEngine/m);
  });

  it("by the cases that change one part at a time", async () => {
    const failed = async (without: (job: ReturnType<typeof whole>) => unknown, names: RegExp) => {
      const filter = ({ topic, name }: { topic: string; name: string }) =>
        topic === "sequences" && names.test(name);
      const { results } = await runConformance(
        keptBy((job) => without(whole(job))),
        { filter },
      );
      return results.map(({ status }) => status);
    };
    expect(await failed((job) => job, /part: (axis 0|channels and their order)$/)).toEqual([
      "passed",
      "passed",
    ]);
    expect(await failed(({ axis, lowering, ...job }) => job, /part: axis 0$/)).toEqual(["failed"]);
    expect(await failed(({ channels, ...job }) => job, /part: channels and their order$/)).toEqual([
      "failed",
    ]);
  });
});

describe("a request whose data leave no room for its bins", () => {
  const over = (channel: number): Step => ({
    kind: "histogram",
    // 5, -2, 2^53 + 1, 17
    data: { type: "i64", pixels: 1, channels: 4, seed: 0, form: "array", picture: null },
    channel,
    over: { bins: 16, range: "data" },
    ...{ select: null, weights: null, how: null, aborted: false },
  });
  const narrow = over(2);
  const run = (steps: readonly Step[], histogram?: (engine: Engine) => Engine["histogram"]) => {
    const left = [...steps];
    const open = async () => {
      const engine = await openEngine({ backend: cpu() });
      return histogram === undefined ? engine : replaced(engine, { histogram: histogram(engine) });
    };
    return runSequence(open, () => left.shift()!, steps.length);
  };

  it("is refused, alone and next to others", async () => {
    expect(await run([narrow])).toMatchObject({ refused: 1, failure: null });
    const together: Step = { kind: "together", steps: [over(0), narrow, over(1)] };
    expect(await run([over(0), together, over(0)])).toMatchObject({ refused: 1, failure: null });
  });

  it("must be refused", async () => {
    const { failure } = await run(
      [narrow],
      (engine) =>
        ((input: Uint8Array, options: object) =>
          engine
            .histogram(input, options)
            .catch(() => engine.histogram(input, { ...options, bins: 1 }))) as Engine["histogram"],
    );
    expect(failure!.message).toMatch(
      /^answered, expected ERR_AXIS: expected a range wide enough for 16 bins/,
    );
  });

  it("is the only one that may be refused so, whatever was asked before", async () => {
    const spoilt = (engine: Engine): Engine["histogram"] => {
      let refusal: unknown = null;
      return (async (input: Uint8Array, options: object) => {
        if (refusal !== null) throw refusal;
        return engine.histogram(input, options).catch((error: unknown) => {
          refusal = error;
          throw error;
        });
      }) as Engine["histogram"];
    };
    const { failure } = await run([over(0), narrow, over(1)], spoilt);
    expect(failure!.at).toBe(3);
    expect(failure!.steps).toHaveLength(2);
    expect(failure!.steps[0]).toEqual(narrow);
    expect(failure!.message).toMatch(/^threw ERR_AXIS: expected a range wide enough/);
    const unknown = await run(
      [narrow],
      () =>
        (async () => {
          throw new PolybinError("ERR_INPUT", "expected something else");
        }) as unknown as Engine["histogram"],
    );
    expect(unknown.failure!.message).toMatch(/^threw ERR_INPUT/);
  });
});
