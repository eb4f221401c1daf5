import { PolybinError } from "../../base/index.ts";
import { HostResident, type Input, type Samples, type Source } from "../../input/index.ts";
import { type OpenBackend, readable } from "../opened/open-backend.ts";

/** Returns true for samples that this thread can read without waiting. */
function isInMemory(input: Input): boolean {
  return input.kind === "samples" || (input.kind === "resident" && input.resident instanceof HostResident);
}

/** Returns samples that this thread can read without waiting. @throws ERR_UNSUPPORTED for others */
export function inMemory({ backend }: Pick<OpenBackend, "backend">, input: Input, why: string): Samples {
  if (input.kind === "samples") return input.samples;
  if (input.kind === "resident" && input.resident instanceof HostResident) return input.resident.samples;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected samples in memory for ${why} but received ${input.kind === "file" ? "a file" : "samples on the device"}: pass the array itself`,
    { backend },
  );
}

/** Returns the same samples, copied from the device if necessary. @throws ERR_UNSUPPORTED if it cannot copy them */
export async function broughtHome(
  opened: Pick<OpenBackend, "backend" | "device">,
  input: Input,
  why: string,
  signal: AbortSignal | undefined,
): Promise<Samples> {
  const { device } = opened;
  const isThere = !isInMemory(input) && input.kind !== "file" && device.download !== undefined;
  return isThere ? device.download!(input as never, { signal }) : inMemory(opened, input, why);
}

/** Returns a source's samples, if this thread can read them without waiting. @throws ERR_INPUT; ERR_UNSUPPORTED for others */
export function samplesIn(opened: OpenBackend, source: Source, why: string): Samples {
  return inMemory(opened, readable(opened, source), why);
}
