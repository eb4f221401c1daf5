import { fstatSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { unpackedHead, unpackedName } from "@polybin/columns/detect";
import { PolybinError } from "@polybin/core";
import { ascii, pictureFormat } from "@polybin/pictures/formats";
import { inputName } from "../base/index.ts";
import { note } from "../terminal/index.ts";
import { expectPlain } from "./container.ts";
import { containerOf } from "./containers.ts";
import type { Remedy } from "./remedy.ts";
import type { Source } from "./source.ts";
import { peekStream } from "./stdin.ts";
import { FORMAT, isText, tableIn } from "./text.ts";

/** The kind of an input: a table, whose reader finds the format if it is null, or something that is counted value by value. */
export type Kind = { readonly kind: "table"; readonly format: string | null } | { readonly kind: "values" };

/** Bytes that are looked at. A pipe buffers as many. */
const LOOK_BYTES = 32_768;
/** Bytes of a file that are read: a block of Zstandard, which is unpacked as a whole, may have as many. */
const FILE_BYTES = 196_608;
const VALUES: Kind = { kind: "values" };

/** The formats of tables by the endings of names. The readers check the content. */
const ENDINGS: Readonly<Record<string, string>> = {
  csv: "csv",
  tsv: "csv",
  tab: "csv",
  jsonl: "jsonl",
  ndjson: "jsonl",
  parquet: "parquet",
  parq: "parquet",
  pq: "parquet",
  arrow: "arrow",
  arrows: "arrow",
  feather: "arrow",
  ipc: "arrow",
  npy: "npy",
  npz: "npz",
};
/** The formats of tables by the names of containers. */
const CONTAINERS: Readonly<Record<string, string>> = { NPY: "npy", Parquet: "parquet", "Arrow IPC": "arrow" };
const URL_SCHEME = /^(?:https?|s3|file):/i;
/** Offsets of the first entry's name in a zip archive, and of the length of this name. */
const ZIP = { name: 30, length: 26 };

/**
 * Looks at the first bytes and at the name of an input.
 * @param refuse makes the error for a text that is no table
 * @returns null for a named pipe and other places that can be read only once, and for those that cannot be read
 * @throws ERR_INPUT for a text that is no table
 */
export async function kindOf(
  path: string,
  signal: AbortSignal,
  refuse: typeof noTable = noTable,
): Promise<Kind | null> {
  if (URL_SCHEME.test(path)) return { kind: "table", format: null };
  const begun = path === "-" ? await headOfStdin(signal) : await headOf(path);
  if (begun === null) return null;
  const content = await unpackedHead(begun.head, LOOK_BYTES);
  if (content !== null) return kindIn([path, unpackedName(path)], content, refuse);
  const head = begun.head.subarray(0, LOOK_BYTES);
  return kindIn([path, path], { head, isWhole: begun.isWhole && head.length === begun.head.length }, refuse);
}

/** Formats of texts, which the first bytes do not prove. */
const TEXTS: ReadonlySet<string> = new Set(["csv", "jsonl"]);

/**
 * Finds the format of a table whose name does not show it, such as standard input, and says which text was guessed.
 * @returns null if the reader finds it, or refuses the file
 * @throws ERR_INPUT for a text that is no table
 */
export async function guessedFormat(path: string, signal: AbortSignal): Promise<string | null> {
  if (endingOf(unpackedName(path)) !== null) return null;
  const found = await kindOf(path, signal, noReadableTable);
  if (found?.kind !== "table" || found.format === null) return null;
  if (TEXTS.has(found.format))
    note(`${inputName(path)}: read with --format ${found.format}, which its first lines show`);
  return found.format;
}

/** @param named the path, without the ending of what packed the file. Values that were packed are refused as containers are. */
function kindIn(
  [path, named]: readonly [path: string, named: string],
  { head, isWhole }: Begun,
  refuse: typeof noTable,
): Kind {
  if (pictureFormat(head) !== null) return VALUES;
  const container = containerOf(head);
  if (container !== null) {
    const format = CONTAINERS[container.name] ?? (isNpz(head, named) ? "npz" : null);
    return format === null ? VALUES : { kind: "table", format };
  }
  const ending = endingOf(named);
  if (ending === "csv" || ending === "jsonl") return { kind: "table", format: ending };
  if (!isText(head)) return VALUES;
  const found = tableIn(head, isWhole);
  if (found.format !== null) return { kind: "table", format: found.format };
  // A name that promises something else has a message of its own.
  expectPlain({ name: basename(named), path, head });
  throw refuse(path, found.advice);
}

/** @throws ERR_INPUT for a text whose bytes would be counted */
export function expectNoText({ path, head }: Pick<Source, "path" | "head">): void {
  if (isText(head)) throw noTable(path, FORMAT);
}

function noTable(path: string, advice: Remedy): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected a picture, a table or binary values but ${inputName(path)} is text and no table that polybin knows; try ${advice(path)}; ` +
      "--raw counts its bytes",
  );
}

function noReadableTable(path: string, advice: Remedy): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected a table but ${inputName(path)} is text and no table that polybin knows; try ${advice(path)}`,
  );
}

function endingOf(path: string): string | null {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending]! : null;
}

/** Many formats are zip archives. */
function isNpz(head: Uint8Array, path: string): boolean {
  if (ascii(head, 0, 2) !== "PK") return false;
  const length = (head[ZIP.length] ?? 0) + 256 * (head[ZIP.length + 1] ?? 0);
  return endingOf(path) === "npz" || ascii(head, ZIP.name, ZIP.name + length).endsWith(".npy");
}

interface Begun {
  readonly head: Uint8Array;
  readonly isWhole: boolean;
}

async function headOfStdin(signal: AbortSignal): Promise<Begun | null> {
  // Those who open it refuse it.
  if (fstatSync(process.stdin.fd).isDirectory()) return null;
  const begun = await peekStream(process.stdin, LOOK_BYTES, signal);
  // The first bytes of the content may lie in a block of more bytes.
  const isPacked = !begun.isWhole && (await unpackedHead(begun.head, 1)) !== null;
  return isPacked ? peekStream(process.stdin, process.stdin.readableHighWaterMark, signal) : begun;
}

async function headOf(path: string): Promise<Begun | null> {
  const stats = await stat(path).catch(() => null);
  // A pipe's bytes would be lost. A file without a size may have bytes (/proc), and those who open it see.
  if (stats === null || !stats.isFile() || stats.size === 0) return null;
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(FILE_BYTES), 0, FILE_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), isWhole: bytesRead === stats.size };
  } finally {
    await handle.close();
  }
}
