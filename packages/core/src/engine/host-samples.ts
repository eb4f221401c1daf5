import { PolybinError } from "../base/index.ts";
import { HostResident, type Samples, type Source } from "../input/index.ts";
import { type Host, readable } from "./host.ts";

/** Returns samples that this thread can read. @throws ERR_UNSUPPORTED for others. @param why what needs them */
export function hostSamples(host: Host, source: Source, why: string): Samples {
  const input = readable(host, source);
  if (input.kind === "samples") return input.samples;
  if (input.kind === "resident" && input.resident instanceof HostResident) return input.resident.samples;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected samples in memory for ${why} but received ${input.kind === "file" ? "a file" : "samples on the device"}: pass the array itself`,
    { backend: host.backend },
  );
}
