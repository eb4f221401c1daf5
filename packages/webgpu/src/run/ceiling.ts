import { PolybinError } from "@polybin/core";
import { checkedWhole, checkNames, limits } from "@polybin/core/backend";
import { checkedOptions, type DawnOptions, NAMES, type WebgpuLimits } from "../base/index.ts";
import { type Dispatch, packed, plainThreads, read } from "../kernels/index.ts";
import { Nothing, padded, Readbacks } from "../memory/index.ts";
import {
  deviceLimits,
  type FindAdapter,
  type Hardware,
  openHardware,
  type Timer,
  USAGE,
} from "../platform/index.ts";
import { deliver } from "./deliver/deliver.ts";
import { bind, encode, placed } from "./dispatch/commands.ts";

/** The options of `readCeiling`: the amount of memory and the number of rounds. */
export interface CeilingOptions {
  /** Bytes that a round reads. The device must have room for them. */
  readonly bytes: number;
  /** Timed rounds. One more round before them is not timed. Default: 11. */
  readonly rounds?: number | undefined;
}

/** The result for one way of reading. */
export interface ReadRow {
  /** The way of reading, such as "4 loads in flight". */
  readonly variant: string;
  /** Blocks (workgroups) of the dispatch. */
  readonly blocks: number;
  /** Milliseconds of each round. */
  readonly ms: readonly number[];
}

/**
 * The numbers of 16-byte loads in flight (kernels/steps/read.wgsl) and of blocks per multiprocessor that are measured.
 */
const IN_FLIGHT = [1, 2, 4, 8];
const BLOCKS = [4, 8, 16, 32];
/** The default number of timed rounds. */
const ROUNDS = 11;

/** Implements `readCeiling` for a way of finding an adapter. @internal */
export async function readRows(
  finder: (options: DawnOptions) => FindAdapter,
  given: CeilingOptions & DawnOptions,
): Promise<ReadRow[]> {
  checkNames(given, ["bytes", "rounds", ...NAMES]);
  const { bytes, rounds = ROUNDS, ...rest } = given;
  const options = checkedOptions(rest);
  checkedWhole(bytes, "bytes", limits.VECTOR_BYTES);
  checkedWhole(rounds, "rounds", 1);
  const hardware = await openHardware(finder(options), options);
  const { timer } = hardware;
  if (timer === null) {
    hardware.close();
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      "this WebGPU device reports no times: it has no timestamp-query",
      {
        backend: "webgpu",
      },
    );
  }
  const of = deviceLimits(hardware.device);
  const data: GPUBuffer[] = [];
  try {
    for await (const buffer of chunksOf(hardware, bytes - (bytes % limits.VECTOR_BYTES), of))
      data.push(buffer);
    const rows: ReadRow[] = [];
    for (const inFlight of IN_FLIGHT) {
      for (const blocks of BLOCKS) {
        const ms = await measure(hardware, timer, data, {
          inFlight,
          blocks: blocks * of.units,
          rounds,
          threads: plainThreads(of),
        });
        rows.push({ variant: `${inFlight} loads in flight`, blocks: blocks * of.units, ms });
      }
    }
    return rows;
  } finally {
    for (const buffer of data) buffer.destroy();
    hardware.close();
  }
}

/** Yields buffers of `bytes` bytes in total. Each can be bound. */
async function* chunksOf(
  hardware: Hardware,
  bytes: number,
  { chunkBytes }: WebgpuLimits,
): AsyncGenerator<GPUBuffer> {
  for (let first = 0; first < bytes; first += chunkBytes) {
    const size = padded(Math.min(chunkBytes, bytes - first));
    yield await hardware.checked(() =>
      hardware.device.createBuffer({ size, usage: USAGE.STORAGE | USAGE.COPY_DST }),
    );
  }
}

async function measure(
  hardware: Hardware,
  timer: Timer,
  data: readonly GPUBuffer[],
  of: {
    readonly inFlight: number;
    readonly blocks: number;
    readonly threads: number;
    readonly rounds: number;
  },
): Promise<number[]> {
  const { device, pipelines } = hardware;
  const kernel = read(of.threads, of.inFlight);
  const pipeline = await pipelines.of(kernel);
  const dispatches = data.map(
    (buffer): Dispatch => ({
      kernel,
      pipeline,
      params: { count: buffer.size / limits.VECTOR_BYTES },
      data: { buffer },
      scratch: "none",
      grid: [of.blocks],
    }),
  );
  const readbacks = new Readbacks(hardware);
  const nothing = new Nothing(device);
  const counts = device.createBuffer({ size: limits.VECTOR_BYTES, usage: USAGE.STORAGE | USAGE.COPY_SRC });
  const commands = placed(dispatches, { nothing, counts: { buffer: counts } });
  const words = packed(commands);
  const params = device.createBuffer({ size: words.byteLength, usage: USAGE.UNIFORM | USAGE.COPY_DST });
  device.queue.writeBuffer(params, 0, words);
  const ms: number[] = [];
  for (let round = 0; round <= of.rounds; round++) {
    const record = (encoder: GPUCommandEncoder) => {
      timer.start();
      const pass = encoder.beginComputePass(timer.pass());
      encode(pass, bind(hardware, commands, params));
      pass.end();
      return { buffer: counts, bytes: 0 };
    };
    const [time] = await deliver({ hardware, readbacks }, timer, record, (_, passes) => passes);
    if (round > 0) ms.push(time!);
  }
  for (const of of [readbacks, nothing]) of.free();
  for (const buffer of [counts, params]) buffer.destroy();
  return ms;
}
