import {
  type Countable,
  type Cuttable,
  isSamplesInit,
  type Resident,
  type Samples,
  samples,
} from "../../input/index.ts";
import type { OpenBackend } from "./open-backend.ts";

/** Returns the size of the picture if the samples were described with a width, and null otherwise. */
export function imageOf(input: Countable, { width, height }: Samples): Cuttable["image"] {
  return isSamplesInit(input) && input.width !== undefined ? { width, height } : null;
}

/** Returns the size of the picture behind an input in memory or on the device; null: it has none. */
export function imageBehind(
  { uploaded }: Pick<OpenBackend, "uploaded">,
  input: Countable,
): Cuttable["image"] {
  if (isSamplesInit(input)) return imageOf(input, samples(input));
  return uploaded.get(input as Resident) ?? null;
}
