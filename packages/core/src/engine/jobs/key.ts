import { type Axis, axisKey } from "../../axis/index.ts";
import type { SampleType } from "../../input/index.ts";
import type { GivenParameters } from "../../plan/index.ts";

/** The parts of a request that decide its job, in addition to the shape of its samples. */
export interface KeyParts {
  /** The caller's own axis: devices may count over another one, which several axes share. */
  readonly axis: Axis;
  /** The type of the caller's samples, for the same reason. */
  readonly type: SampleType;
  readonly algorithm: string;
  readonly parameters: GivenParameters;
}

/** Returns the key of a job over one axis. @param shape everything else that decides the job, as plain values */
export function jobKey({ axis, type, algorithm, parameters }: KeyParts, shape: readonly unknown[]): string {
  return keyOf([axisKey(axis), type, algorithm, ...shape], parameters);
}

/** Creates a cache key. Invalid values get a key of their own, since JSON cannot represent symbols and functions. */
export function keyOf(shape: readonly unknown[], parameters: GivenParameters): string {
  const given = Object.entries(parameters).map(([name, value]) => [name, typeof value, plain(value)]);
  return JSON.stringify([...shape, given]);
}

function plain(value: unknown): unknown {
  return typeof value === "number" || typeof value === "string" ? value : null;
}
