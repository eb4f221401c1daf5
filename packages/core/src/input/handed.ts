import type { SampleType } from "./sample-types.ts";
import type { Samples } from "./samples.ts";

/** Samples that stay on a device until they are freed. */
export interface Resident extends AsyncDisposable {
  readonly type: SampleType;
  readonly channels: number;
  /** Samples of one channel. */
  readonly pixels: number;
  /** Was it freed? Then it cannot be counted any more. */
  readonly freed: boolean;
  /** Frees the memory; again is harmless. The engine frees what is left when it closes. */
  free(): Promise<void>;
}

/** A feature table that stays on a device until it is freed; never while `sums` runs on it. */
export interface ResidentTable {
  /** Frees the memory. */
  free(): Promise<void>;
}

/**
 * Samples that a user's own program holds on a device. A backend's package makes such descriptions; its device knows
 * what is behind them, and counts them as they are when it does.
 */
export interface External {
  readonly kind: "external";
  /** Id of the backend that can count them. */
  readonly backend: string;
  readonly type: SampleType;
  readonly channels: number;
  /** Samples of one channel. */
  readonly pixels: number;
}

/** A file of little-endian values that a device reads itself. */
export interface FileSamples {
  readonly path: string;
  readonly type: SampleType;
  readonly channels: number;
  /** Bytes before the first sample. */
  readonly offset: number;
  /** Samples of one channel. */
  readonly pixels: number;
}

/**
 * What a device may be handed. The engine makes one for each call and hands it to all passes of that call (`extent`, then
 * `count`), so that a device can tell whether a file is still the one it saw first.
 */
export type Input =
  | { readonly kind: "samples"; readonly samples: Samples }
  | { readonly kind: "resident"; readonly resident: Resident }
  | { readonly kind: "external"; readonly external: External }
  | { readonly kind: "file"; readonly file: FileSamples };

/** What is on the device before anybody counts it. */
export type DeviceInput = Extract<Input, { readonly kind: "resident" | "external" }>;
