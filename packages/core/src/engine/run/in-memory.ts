import { PolybinError } from "../../base/index.ts";
import { HostResident, type Input, type Samples } from "../../input/index.ts";
import type { Host } from "../host.ts";

/** Returns true for samples that this thread can read without waiting. */
export function isInMemory(input: Input): boolean {
  return input.kind === "samples" || (input.kind === "resident" && input.resident instanceof HostResident);
}

/** Returns samples that this thread can read without waiting. @throws ERR_UNSUPPORTED for others */
export function inMemory({ backend }: Pick<Host, "backend">, input: Input, why: string): Samples {
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
  host: Pick<Host, "backend" | "device">,
  input: Input,
  why: string,
  signal: AbortSignal | undefined,
): Promise<Samples> {
  const { device } = host;
  const isThere = !isInMemory(input) && input.kind !== "file" && device.download !== undefined;
  return isThere ? device.download!(input as never, { signal }) : inMemory(host, input, why);
}
