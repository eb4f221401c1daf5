import type { DeviceLimits } from "../base/index.ts";
import type {
  DeviceInput,
  Extent,
  Input,
  Resident,
  ResidentTable,
  Samples,
  TableValues,
} from "../input/index.ts";
import type { LookupSize, Lowering } from "../lowering/index.ts";
import type { Plan } from "../plan/index.ts";
import type { JobOf, Kind } from "./jobs.ts";
import type { PreparedOf, RunOptions } from "./prepared.ts";

/** An open backend. The engine checks arguments, plans and merges. A device only moves and counts samples. */
export interface Device {
  /** The device's name for people, such as "NVIDIA H200" or "2 workers". */
  readonly name: string;
  readonly limits: DeviceLimits;
  /** Whether the device reads files itself. */
  readonly readsFiles: boolean;
  /**
   * The kinds of jobs that the device has kernels for. This process's thread prepares what the others need, and the
   * device counts the result. Default: only "channels".
   */
  readonly kinds?: readonly Kind[];
  /**
   * Whether the device can record counting into a user's commands. If so, its `Prepared` has `encode`. Default:
   * false.
   */
  readonly encodes?: boolean;
  /**
   * Calls of `count` and `extent` that the engine passes to the device at a time. Others wait in the engine and hold only
   * their input. Default: 16.
   */
  readonly callsAtOnce?: number;
  /**
   * Largest input, in bytes, that is counted faster on the calling thread than passed on. The engine calls
   * `countSync` instead of `count` for such inputs. Absent: there are none.
   */
  readonly syncBytes?: number;
  /** Returns what a plan must make room for if a kernel finds bins by ranks. Absent: nothing. */
  lookupSizeOf?(lowering: Lowering): LookupSize | null;
  /** Returns a sentence that states why this plan cannot run here although the limits allow it, or null if it can. */
  refuses?(plan: Plan): string | null;
  /**
   * Allocates a buffer of exactly this size, in memory in which this device reads samples, or writes results, fastest.
   * Absent: an ArrayBuffer is as fast.
   */
  allocate?(bytes: number): ArrayBufferLike;
  /** Copies samples to where the device counts them. */
  upload(samples: Samples, options: RunOptions): Promise<Resident>;
  /** Copies samples on the device to this process's memory. Absent: only samples of a `HostResident` are in it. */
  download?(input: DeviceInput, options: RunOptions): Promise<Samples>;
  /**
   * Copies a feature table to where its sums are made. The values are below their feature's number of bins. The
   * device may keep the bytes, because nothing else references them. Present if `kinds` has "sums".
   */
  uploadTable?(values: TableValues, options: RunOptions): Promise<ResidentTable>;
  /**
   * Works out what this device does for a job of one of its `kinds`: launches, scratch memory and pipelines. It reads no
   * samples, keeps no state of a call and waits for nothing but its own code. It may start slow work such as compiling.
   */
  prepare<K extends Kind>(job: JobOf<K>): PreparedOf<K>;
  /** Returns the finite minimum and maximum over some channels. */
  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent>;
  /** Releases all resources. The engine calls it once, when nothing runs. */
  close(): Promise<void>;
}
