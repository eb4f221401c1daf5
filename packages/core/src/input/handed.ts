import type { SampleType } from "./sample-types.ts";
import type { Samples } from "./samples.ts";

/** Samples that stay on a device until they are freed. */
export interface Resident extends AsyncDisposable {
  /** Sample type. */
  readonly type: SampleType;
  /** Interleaved samples per pixel. */
  readonly channels: number;
  /** Samples per channel. */
  readonly pixels: number;
  /** Whether the samples were freed and can no longer be counted. */
  readonly freed: boolean;
  /** Frees the memory. You can call it more than once. The engine's `close` frees all remaining residents. */
  free(): Promise<void>;
}

/** A feature table that stays on a device until it is freed. It is never freed while `sums` runs on it. */
export interface ResidentTable {
  /** Frees the memory. */
  free(): Promise<void>;
}

/**
 * Describes samples that your own program holds on a device. A backend's package creates the description. The
 * backend's device reads the samples at the time of the call.
 */
export interface External {
  readonly kind: "external";
  /** Id of the backend that can count them. */
  readonly backend: string;
  /** Sample type. */
  readonly type: SampleType;
  /** Interleaved samples per pixel. */
  readonly channels: number;
  /** Samples per channel. */
  readonly pixels: number;
}

/** A file of little-endian values that a device reads itself. */
export interface FileSamples {
  /** Path of the file. */
  readonly path: string;
  /** Sample type. */
  readonly type: SampleType;
  /** Interleaved samples per pixel. */
  readonly channels: number;
  /** Bytes before the first sample. */
  readonly offset: number;
  /** Samples per channel. */
  readonly pixels: number;
}

/**
 * Input of a device. The engine creates one object per call and passes it to all passes of the call (`extent`, then
 * `count`), so that a device can check that a file has not changed between them.
 */
export type Input =
  | { readonly kind: "samples"; readonly samples: Samples }
  | { readonly kind: "resident"; readonly resident: Resident }
  | { readonly kind: "external"; readonly external: External }
  | { readonly kind: "file"; readonly file: FileSamples };

/** Input that is on the device before it is counted. */
export type DeviceInput = Extract<Input, { readonly kind: "resident" | "external" }>;
