import type { MachineOfServer } from "../../../server/machine.ts";
import { type FileEntry, onBasis, type Row, rowsOf } from "../../data/index.ts";
import type { Run } from "./runs.ts";

/** The committed results of the same machine for a run's job. */
export interface Recorded {
  readonly gbps: number;
  readonly file: FileEntry;
  /** GB/s of the fastest kernel that only reads, in the memory of the device; null if none was measured. */
  readonly readGbps: number | null;
}

const HOST: readonly string[] = ["cpu", "native", "piscina"];
/** A name as folders have it: lower case, with dashes. */
const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** Whether a file was measured on the hardware of a run: the processor, or the device of a GPU. */
function isSame({ folder, machine }: FileEntry, { job, rounds }: Run, server: MachineOfServer): boolean {
  if (machine === null) return false;
  if (HOST.includes(job.backend)) return machine.cpu === server.cpu && machine.cores === server.cores;
  const device = slug(rounds[0]?.device ?? "");
  return device.includes(folder) || (machine.gpu !== null && slug(String(machine.gpu)) === device);
}

/** Finds the latest committed throughput of whole calls for the job of a run, on the same hardware. */
export async function recordedFor(
  run: Run,
  files: readonly FileEntry[],
  server: MachineOfServer,
): Promise<Recorded | null> {
  const same = files.filter((file) => isSame(file, run, server));
  const rows = onBasis(await rowsOf(same), "call");
  const found = rows
    .filter((row) => isSameJob(row, run))
    .toSorted((a, b) => (b.file.date ?? "").localeCompare(a.file.date ?? "") || b.gbps - a.gbps)[0];
  if (found === undefined) return null;
  const share = found.ceilingPercent;
  return { gbps: found.gbps, file: found.file, readGbps: share === null ? null : (100 * found.gbps) / share };
}

function isSameJob(row: Row, { job, rounds }: Run): boolean {
  return (
    row.backend === job.backend &&
    row.algorithm === rounds[0]?.algorithm &&
    row.distribution === job.distribution &&
    row.n === 2 ** job.power &&
    row.type === "u8" &&
    row.bins === 256 &&
    row.residence === "resident" &&
    row.weighted === undefined &&
    row.segments === undefined &&
    row.inFlight === undefined &&
    (row.devices ?? 1) === 1
  );
}
