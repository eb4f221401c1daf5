import { createHash } from "node:crypto";
import { expected } from "@polybin/core/backend";
import { broken, integerOf, Reader, Writer } from "./bytes.ts";
import type { Cells } from "./cells.ts";
import { checkPayload } from "./check-payload.ts";
import { MAX_PARTIAL_BYTES, MAX_SHARDS } from "./limits.ts";
import type { PartialResult, Run } from "./partial.ts";
import type { Counts, Payload, Row } from "./payload.ts";

/*
 * A partial, little-endian:
 *
 *   bytes 0 to 5      "PBPART"
 *   bytes 6 and 7     version
 *   bytes 8 to 11     length of everything, the checksum included
 *   bytes 12 to 43    SHA-256 of the task
 *   bytes 44 to 75    the job of the shards
 *   byte 76           kind of counting
 *   from byte 77      numbers of 7 bits per byte: shards, covered runs, rows and the payload
 *   the last 16       the first half of the SHA-256 of all bytes before
 */
const MAGIC = Buffer.from("PBPART");
const VERSION = 2;
const AT_VERSION = 6;
const AT_LENGTH = 8;
const AT_TASK = 12;
const HASH_BYTES = 32;
const AT_JOB: number = AT_TASK + HASH_BYTES;
const HEAD_BYTES: number = AT_JOB + HASH_BYTES;
const CHECK_BYTES = 16;
/** The place of a kind is its number. New ones go to the end. */
const KINDS: readonly Payload["count"][] = ["hist", "joint", "extent", "profile"];

/** Writes a partial. Equal partials have equal bytes. @throws ERR_LIMIT above MAX_PARTIAL_BYTES */
export function encodePartial(partial: PartialResult): Uint8Array {
  const writer = new Writer();
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt16LE(VERSION, AT_VERSION);
  head.write(partial.task, AT_TASK, "hex");
  head.write(partial.job, AT_JOB, "hex");
  writer.raw(head);
  writer.number(KINDS.indexOf(partial.payload.count));
  writer.number(partial.of);
  writer.number(partial.covered.length);
  let next = 0;
  for (const [first, last] of partial.covered) {
    writer.number(first - next);
    writer.number(last - first);
    next = last + 1;
  }
  writePayload(writer, partial.payload);
  const length = writer.length + CHECK_BYTES;
  if (length > MAX_PARTIAL_BYTES) {
    throw expected("ERR_LIMIT", "the partial result", `at most ${MAX_PARTIAL_BYTES} bytes`, length);
  }
  const body = Buffer.from(writer.done());
  body.writeUInt32LE(length, AT_LENGTH);
  return new Uint8Array(Buffer.concat([body, checksum(body)]));
}

/**
 * Reads a partial. Memory stays in proportion to the bytes.
 * @throws ERR_INPUT for anything but the whole of a partial, ERR_LIMIT for one that is too large.
 */
export function decodePartial(bytes: Uint8Array, options: Limits = {}): PartialResult {
  const { head, count, reader } = opened(bytes, options);
  const payload = checkPayload(readPayload(reader, count));
  if (reader.left > 0) throw broken(`${reader.left} bytes follow its end`);
  return { ...head, payload };
}

interface Limits {
  /** Bytes that are accepted at most. Default: 64 MiB. */
  readonly maxBytes?: number;
}

/** The task and the shards of a partial. */
type PartialHead = Omit<PartialResult, "payload">;

/**
 * Reads the task and the shards of a partial, and checks that its bytes are whole, without reading its counts.
 * @throws ERR_INPUT for anything but the whole of a partial, ERR_LIMIT for one that is too large.
 */
export function partialHead(bytes: Uint8Array, options: Limits = {}): PartialHead {
  return opened(bytes, options).head;
}

interface Opened {
  readonly head: PartialHead;
  readonly count: Payload["count"];
  /** Reads on from the payload. */
  readonly reader: Reader;
}

function opened(bytes: Uint8Array, { maxBytes = MAX_PARTIAL_BYTES }: Limits): Opened {
  if (bytes.length > maxBytes) {
    throw expected("ERR_LIMIT", "the partial result", `at most ${maxBytes} bytes`, bytes.length);
  }
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (all.length < HEAD_BYTES + CHECK_BYTES || !all.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw broken("it does not begin like one");
  }
  const version = all.readUInt16LE(AT_VERSION);
  if (version !== VERSION) throw broken(`its version is ${version} and this polybin reads ${VERSION}`);
  const length = all.readUInt32LE(AT_LENGTH);
  if (length !== all.length) throw broken(`it has ${all.length} bytes of ${length}`);
  const body = all.subarray(0, length - CHECK_BYTES);
  if (!checksum(body).equals(all.subarray(length - CHECK_BYTES))) throw broken("its checksum differs");
  const reader = new Reader(body.subarray(HEAD_BYTES));
  const count = KINDS[reader.number()];
  if (count === undefined) throw broken("it counts in an unknown way");
  const of = reader.number();
  if (of < 1 || of > MAX_SHARDS) throw broken(`it claims ${of} shards`);
  const head = {
    task: all.toString("hex", AT_TASK, AT_JOB),
    job: all.toString("hex", AT_JOB, HEAD_BYTES),
    of,
    covered: readRuns(reader, of),
  };
  return { head, count, reader };
}

function checksum(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest().subarray(0, CHECK_BYTES);
}

function readRuns(reader: Reader, of: number): Run[] {
  const runs: Run[] = [];
  let next = 0;
  for (let left = reader.items(2); left > 0; left--) {
    const gap = reader.number();
    const first = next + gap;
    const last = first + reader.number();
    // Runs without a gap between them would be one run.
    if (last >= of || (runs.length > 0 && gap === 0)) throw broken("its shards are numbered in a wrong way");
    runs.push([first, last]);
    next = last + 1;
  }
  if (runs.length === 0) throw broken("it has no shard");
  return runs;
}

function writePayload(writer: Writer, payload: Payload): void {
  writer.number(payload.rows);
  if (payload.count === "profile") {
    writer.number(payload.files.length);
    for (const [file, rows] of payload.files) {
      writer.number(file);
      writer.number(rows);
    }
    writer.number(payload.bytes.length);
    writer.raw(payload.bytes);
    return;
  }
  if (payload.count === "extent") {
    writer.number(payload.extents.length);
    for (const { min, max } of payload.extents) {
      writeEnd(writer, min);
      writeEnd(writer, max);
    }
    return;
  }
  writer.number(payload.columns.length);
  for (const { strings, rows } of payload.columns) {
    // 0 stands for a column without strings, so their number is one higher.
    writer.number(strings === null ? 0 : strings.length + 1);
    for (const text of strings ?? []) writer.text(text);
    writer.number(rows.length);
    for (const row of rows) writeRow(writer, row);
  }
}

function readPayload(reader: Reader, count: Payload["count"]): Payload {
  const rows = reader.number();
  if (count === "profile") {
    const files = Array.from({ length: reader.items(2) }, () => [reader.number(), reader.number()] as const);
    return { count, rows, files, bytes: reader.raw(reader.number()).slice() };
  }
  if (count === "extent") {
    const extents = Array.from({ length: reader.items(2) }, () => ({
      min: readEnd(reader),
      max: readEnd(reader),
    }));
    return { count, rows, extents };
  }
  return { count, rows, columns: Array.from({ length: reader.items(2) }, () => readCounts(reader)) };
}

/** An end of a range: an empty text and a double, or the digits of an integer. */
function writeEnd(writer: Writer, end: number | bigint): void {
  writer.text(typeof end === "bigint" ? String(end) : "");
  if (typeof end === "number") writer.float(end);
}

function readEnd(reader: Reader): number | bigint {
  const digits = reader.text();
  return digits === "" ? reader.float() : integerOf(digits);
}

function readCounts(reader: Reader): Counts {
  const named = reader.items(1);
  const strings = named === 0 ? null : Array.from({ length: named - 1 }, () => reader.text());
  return { strings, rows: Array.from({ length: reader.items(2) }, () => readRow(reader)) };
}

function writeRow(writer: Writer, { group, cells: { cells, counts } }: Row): void {
  writer.number(group === null ? 0 : 1);
  if (group !== null) writer.text(group);
  writer.number(cells.length);
  let next = 0;
  for (let i = 0; i < cells.length; i++) {
    writer.number(cells[i]! - next);
    writer.number(counts[i]!);
    next = cells[i]! + 1;
  }
}

function readRow(reader: Reader): Row {
  const isNamed = reader.number();
  if (isNamed > 1) throw broken("a group is written in a wrong way");
  const group = isNamed === 1 ? reader.text() : null;
  const length = reader.items(2);
  const cells: Cells = { cells: new Uint32Array(length), counts: new Float64Array(length) };
  let next = 0;
  for (let i = 0; i < length; i++) {
    const cell = next + reader.number();
    if (cell > 0xff_ff_ff_ff) throw broken(`it has a cell ${cell}`);
    cells.cells[i] = cell;
    cells.counts[i] = reader.number();
    next = cell + 1;
  }
  return { group, cells };
}
