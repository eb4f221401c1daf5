import type { Backend } from "@polybin/core";
import { cpu } from "@polybin/core";
import type {
  Partial as Counted,
  CountJob,
  Device,
  RunOptions,
  SumsJob,
  SumsPartial,
} from "@polybin/core/backend";
import { arrayOver, samples } from "@polybin/core/backend";

/** What a broken device does otherwise than core's CPU. */
export interface Fault {
  readonly algorithms?: Backend["algorithms"];
  /** Before a job is counted. */
  readonly job?: (job: CountJob) => CountJob;
  readonly options?: (options: RunOptions) => RunOptions;
  /** After it was counted. */
  readonly counted?: (counted: Counted, job: CountJob) => Counted;
  readonly device?: Partial<Device>;
  readonly weighted?: Backend["weighted"];
  /** Before weights are added up, and after. */
  readonly sums?: (job: SumsJob) => SumsJob;
  readonly summed?: (sums: SumsPartial, job: SumsJob) => SumsPartial;
}

/** Core's CPU backend with one fault and, so that it is found soon, few algorithms. */
export function broken(fault: Fault): () => Backend {
  return () => {
    const sound = cpu();
    return {
      ...sound,
      id: "broken",
      algorithms: fault.algorithms ?? ["sequential", "per-lane", "trish"],
      weighted: fault.weighted ?? ["weighted-sequential", "weighted-fixed-point"],
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
    device,
  }: Fault,
): Device {
  return {
    name: sound.name,
    limits: sound.limits,
    readsFiles: sound.readsFiles,
    upload: (of, run) => sound.upload(of, run),
    count: async (of, run) => counted(await sound.count(job(of), options(run)), of),
    uploadTable: (values, run) => sound.uploadTable!(values, run),
    sums: async (of, run) => summed(await sound.sums!(sums(of), options(run)), of),
    extent: (input, channels, run) => sound.extent(input, channels, run),
    close: () => sound.close(),
    ...device,
  };
}

/** Replaces the samples of a job that are in memory. */
export function withSamples(job: CountJob, change: (of: ReturnType<typeof arrayOver>) => void): CountJob {
  if (job.input.kind !== "samples") return job;
  const { type, bytes, channels, dense } = job.input.samples;
  if (!dense) return job;
  const copy = arrayOver(type, bytes.slice());
  change(copy);
  return { ...job, input: { kind: "samples", samples: samples({ data: copy, channels }) } };
}
