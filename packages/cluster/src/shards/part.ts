import { expected } from "@polybin/core/backend";
import { broken, integerOf } from "./bytes.ts";
import type { Cells } from "./cells.ts";
import { checkPayload } from "./check-payload.ts";
import { checkTask } from "./check-task.ts";
import { decodePartial, encodePartial } from "./codec.ts";
import { MAX_FILES, MAX_PARTIAL_BYTES, MAX_SHARDS, MAX_TASK_CHARACTERS } from "./limits.ts";
import type { PartialResult, Run } from "./partial.ts";
import { type ColumnExtent, type Counts, NO_EXTENT, type Payload, type Row } from "./payload.ts";
import { type Task, taskId } from "./task.ts";

/** A partial with its task: the file of a shard, which can be merged without anything else. */
export interface Part {
  readonly task: Task;
  readonly partial: PartialResult;
}

const MAGIC = Buffer.from("PBTASK\x01\x00");
/** Version of the JSON. */
const PART_VERSION = 2;
const LENGTH_BYTES = 4;
/** JSON takes at most this number of bytes for one of a binary partial. */
const JSON_FACTOR = 16;

/** Writes a part as bytes: the task as JSON, and the partial behind it. */
export function encodePart({ task, partial }: Part): Uint8Array {
  const json = Buffer.from(JSON.stringify(task));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(json.length);
  return new Uint8Array(Buffer.concat([MAGIC, length, json, encodePartial(partial)]));
}

/** Writes a part as one line of JSON with the same content, and the checksum of its bytes. */
export function partText({ task, partial }: Part): string {
  const { job, of, covered, payload } = partial;
  return `${JSON.stringify({ polybin: "part", version: PART_VERSION, task, job, of, covered, ...jsonOf(payload), checksum: checksumOf(partial) })}\n`;
}

/**
 * Reads the file of a shard, bytes or JSON.
 * @throws ERR_INPUT for anything but the whole of a part, ERR_LIMIT for one that is too large.
 */
export function decodePart(bytes: Uint8Array): Part {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!all.subarray(0, MAGIC.length).equals(MAGIC)) return readText(all);
  if (all.length < MAGIC.length + LENGTH_BYTES) throw broken("it ends early");
  const length = all.readUInt32LE(MAGIC.length);
  const from = MAGIC.length + LENGTH_BYTES;
  if (length > all.length - from) throw broken(`it claims a task of ${length} bytes in ${all.length - from}`);
  const task = checkTask(parsed(all.toString("utf8", from, from + length)));
  return matching(task, decodePartial(all.subarray(from + length)));
}

function readText(bytes: Buffer): Part {
  const most = MAX_TASK_CHARACTERS + JSON_FACTOR * MAX_PARTIAL_BYTES;
  if (bytes.length > most) throw expected("ERR_LIMIT", "the part", `at most ${most} bytes`, bytes.length);
  return partIn(parsed(bytes.toString("utf8")));
}

/** Reads a part from its JSON. @throws ERR_INPUT for anything else */
export function partIn(given: unknown): Part {
  const json = record(given);
  if (json.polybin !== "part") throw broken('it is neither bytes nor JSON with "polybin": "part"');
  if (json.version !== PART_VERSION)
    throw broken(`its version is ${JSON.stringify(json.version)} and this polybin reads ${PART_VERSION}`);
  const task = checkTask(json.task);
  const { job, of } = json;
  if (typeof job !== "string" || !/^[0-9a-f]{64}$/.test(job)) throw broken("its job is not a SHA-256");
  const partial: PartialResult = {
    task: taskId(task),
    job,
    of: whole(of, 1, MAX_SHARDS),
    covered: list(json.covered).map((run): Run => {
      const [first, last] = list(run);
      return [whole(first, 0, MAX_SHARDS), whole(last, 0, MAX_SHARDS)];
    }),
    payload: checkPayload(payloadOf(json)),
  };
  if (json.checksum !== checksumOf(partial)) throw broken("its checksum differs");
  // The bytes say the same, and reading them checks everything else.
  return matching(task, decodePartial(encodePartial(partial)));
}

function matching(task: Task, partial: PartialResult): Part {
  if (partial.task !== taskId(task)) throw broken("it has the counts of another task");
  if (partial.payload.count !== task.count)
    throw broken(`it counts ${partial.payload.count} and its task ${task.count}`);
  return { task, partial };
}

function checksumOf(partial: PartialResult): string {
  return Buffer.from(encodePartial(partial).subarray(-16)).toString("hex");
}

function jsonOf(payload: Payload): object {
  const { count, rows } = payload;
  if (count === "profile") {
    return { count, rows, fileRows: payload.files, profile: Buffer.from(payload.bytes).toString("base64") };
  }
  if (count === "extent") {
    // A column without finite values has no range, and JSON has no infinite numbers.
    const ends = payload.extents.map(({ min, max }) => (min <= max ? [min, max].map(endJson) : null));
    return { count, rows, extents: ends };
  }
  const columns = payload.columns.map(({ strings, rows: groups }) => ({
    ...(strings === null ? {} : { strings }),
    rows: groups.map(({ group, cells }) => ({ group, cells: [...cells.cells], counts: [...cells.counts] })),
  }));
  return { count, rows, columns };
}

function payloadOf(json: Readonly<Record<string, unknown>>): Payload {
  const rows = whole(json.rows, 0, Number.MAX_SAFE_INTEGER);
  const { count } = json;
  switch (count) {
    case "profile":
      return {
        count,
        rows,
        files: list(json.fileRows).map((of) => {
          const [file, own] = list(of);
          return [whole(file, 0, MAX_FILES), whole(own, 0, Number.MAX_SAFE_INTEGER)] as const;
        }),
        bytes: new Uint8Array(Buffer.from(text(json.profile), "base64")),
      };
    case "extent":
      return { count, rows, extents: list(json.extents).map(extentOf) };
    case "hist":
    case "joint":
      return { count, rows, columns: list(json.columns).map(countsOf) };
    default:
      throw broken("it counts in an unknown way");
  }
}

function extentOf(json: unknown): ColumnExtent {
  if (json === null) return NO_EXTENT;
  const [min, max] = list(json);
  return { min: endOf(min), max: endOf(max) };
}

/** Integers of 64 bits are texts of digits, since most readers of JSON make a double of every number. */
const endJson = (end: number | bigint): number | string => (typeof end === "bigint" ? String(end) : end);

function endOf(json: unknown): number | bigint {
  if (typeof json === "string") return integerOf(json);
  if (typeof json !== "number") throw broken("a range is not two numbers");
  return json;
}

function countsOf(json: unknown): Counts {
  const { strings, rows } = record(json);
  return { strings: strings === undefined ? null : list(strings).map(text), rows: list(rows).map(rowOf) };
}

function rowOf(json: unknown): Row {
  const { group, cells, counts } = record(json);
  const numbers = list(cells).map((cell) => whole(cell, 0, 0xff_ff_ff_ff));
  const amounts = list(counts).map((count) => whole(count, 1, Number.MAX_SAFE_INTEGER));
  if (numbers.length !== amounts.length) throw broken("a row has not one count for each cell");
  const of: Cells = { cells: Uint32Array.from(numbers), counts: Float64Array.from(amounts) };
  return { group: group === null ? null : text(group), cells: of };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw broken("it is neither bytes nor JSON");
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw broken("an object is missing in its JSON");
}

function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw broken("a list is missing in its JSON");
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw broken("a text is missing in its JSON");
}

function whole(value: unknown, least: number, most: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  throw broken(`expected a whole number from ${least} to ${most} in its JSON`);
}
