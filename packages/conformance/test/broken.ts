import type { Backend } from "@polybin/core";
import { cpu } from "@polybin/core";
import {
  algorithms,
  arrayOver,
  type ChannelsPart as Counted,
  type CountJob,
  type Device,
  type Input,
  type Kind,
  type Prepared,
  type PreparedOf,
  type Preparers,
  preparedBy,
  type RunOptions,
  type SegmentsJob,
  type SumsJob,
  type SumsPart,
  type SumsWeights,
  samples,
  weightedAlgorithms,
} from "@polybin/core/backend";

/** A job and its input. */
export interface Counting extends CountJob {
  readonly input: Input;
}

/** A job of sums and its weights. */
export interface Summing extends Omit<SumsJob, keyof SumsWeights>, SumsWeights {}

/** The differences of a broken device from core's CPU. */
export interface Fault {
  readonly algorithms?: Backend["algorithms"];
  /** Before a job is counted. */
  readonly job?: (job: Counting) => Counting;
  readonly options?: (options: RunOptions) => RunOptions;
  /** After it was counted. */
  readonly counted?: (counted: Counted, job: Counting) => Counted;
  readonly device?: Partial<Device>;
  /** The abilities of a job other than counting one input. */
  readonly more?: (sound: Prepared) => Partial<Omit<Prepared, "launch" | "count">>;
  /** Instead of counting, and of adding up. */
  readonly count?: (job: Counting, options: RunOptions) => Promise<Counted>;
  readonly sum?: (job: Summing, options: RunOptions) => Promise<SumsPart>;
  readonly weighted?: Backend["weighted"];
  /** Before weights are added up, and after. */
  readonly sums?: (job: Summing) => Summing;
  readonly summed?: (sums: SumsPart, job: Summing) => SumsPart;
  /** Changes how segments are counted. Absent: the device does not count segments. */
  readonly segments?: (sound: PreparedOf<"segments">, job: SegmentsJob) => PreparedOf<"segments">;
}

/** Core's CPU backend with one fault, and with few algorithms so that the fault is found quickly. */
export function broken(fault: Fault): () => Backend {
  return () => {
    const sound = cpu();
    return {
      ...sound,
      id: "broken",
      algorithms: fault.algorithms ?? [algorithms.sequential, algorithms["per-lane"], algorithms.trish],
      weighted: fault.weighted ?? [
        weightedAlgorithms["weighted-sequential"],
        weightedAlgorithms["weighted-fixed-point"],
      ],
      open: async () => faulty(await sound.open(), fault),
    };
  };
}

function faulty(
  sound: Device,
  {
    job = (x) => x,
    options = (x) => x,
    counted = (x) => x,
    sums = (x) => x,
    summed = (x) => x,
    count = ({ input, ...of }, run) => sound.prepare({ ...of, kind: "channels" }).count(input, run),
    sum = ({ weights, squares, documents, ...of }, run) =>
      sound
        .prepare({ ...of, documents: weights.length, squares: squares !== null })
        .count({ weights, squares, documents }, run),
    segments,
    device,
    more = () => ({}),
  }: Fault,
): Device {
  const preparers: Preparers = {
    channels: (of) => ({
      launch: sound.prepare(of).launch,
      count: async (input, run) =>
        counted(await count(job({ ...of, input }), options(run)), { ...of, input }),
      ...more(sound.prepare(of)),
    }),
    sums: (of) => ({
      launch: sound.prepare(of).launch,
      async count(given, run) {
        const all = { ...of, ...given };
        return summed(await sum(sums(all), options(run)), all);
      },
    }),
    ...(segments && { segments: (of) => segments(sound.prepare(of), of) }),
  };
  return {
    name: sound.name,
    limits: sound.limits,
    readsFiles: sound.readsFiles,
    upload: (of, run) => sound.upload(of, run),
    kinds: Object.keys(preparers) as Kind[],
    prepare: (of) => preparedBy(preparers, of),
    uploadTable: (values, run) => sound.uploadTable!(values, run),
    extent: (input, channels, run) => sound.extent(input, channels, run),
    close: () => sound.close(),
    ...device,
  };
}

/** Replaces the samples of a job that are in memory. */
export function withSamples(job: Counting, change: (of: ReturnType<typeof arrayOver>) => void): Counting {
  if (job.input.kind !== "samples") return job;
  const { type, bytes, channels, dense } = job.input.samples;
  if (!dense) return job;
  const copy = arrayOver(type, bytes.slice());
  change(copy);
  return { ...job, input: { kind: "samples", samples: samples({ data: copy, channels }) } };
}
