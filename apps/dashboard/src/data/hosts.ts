import type { FileEntry } from "./types.ts";
import { SOFTWARE } from "./words.ts";

/** Names the machine that measured a file: `NVIDIA H200, 32 cores`. One folder may hold the files of several hosts. */
export function hostOf({ machine }: Pick<FileEntry, "machine">): string {
  if (machine === null) return "an unknown machine";
  const cores = machine.cores === undefined ? "" : `, ${machine.cores} cores`;
  return `${gpuName(machine.gpu) ?? String(machine.cpu).replaceAll("(R)", "")}${cores}`;
}

/** WebGPU's names of devices have the driver behind them, and are slugs. */
function gpuName(gpu: string | number | null | undefined): string | null {
  if (gpu === null || gpu === undefined) return null;
  const text = String(gpu);
  if (SOFTWARE.test(text)) return "SwiftShader";
  const [name] = text.split(" (");
  return name === text ? text : name!.toUpperCase().replaceAll("-", " ");
}

/** `2026-11-23`, or `an unknown day`. */
export const dayOf = ({ date }: Pick<FileEntry, "date">): string => date?.slice(0, 10) ?? "an unknown day";

/** The origin of a plot: `NVIDIA H200, 32 cores · 2026-11-23 · cuda-cub`. */
export const sourceOf = (file: FileEntry): string => [hostOf(file), dayOf(file), file.name].join(" · ");

/** Sorts files, the last measured first. */
export const newestFirst = <File extends Pick<FileEntry, "date">>(files: readonly File[]): File[] =>
  files.toSorted((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));

/** Names a folder of results by the machines whose files it holds. */
export function machineName(folder: string, files: readonly FileEntry[]): string {
  const of = files.filter((file) => file.folder === folder && file.machine?.cpu !== undefined);
  const named = of.find(({ machine }) => machine?.gpu != null);
  const first = named ?? of[0];
  if (first === undefined) return folder;
  const cores = new Set(of.map(({ machine }) => machine!.cores));
  const name = hostOf(first).replace(/, \d+ cores$/, "");
  return `${name}, ${[...cores].toSorted((a, b) => Number(a) - Number(b)).join(" and ")} cores`;
}
