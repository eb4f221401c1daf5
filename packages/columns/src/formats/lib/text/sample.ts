import { isUtf8 } from "node:buffer";
import { type ByteSource, checkUnpacked } from "../../../source/index.ts";
import { damaged, fault } from "../../../table/index.ts";
import { MAX_RECORD_BYTES, type Marks, RecordEnds } from "./records.ts";

/** Bytes at the start of a file that types are inferred from. A file that is not longer is read whole. */
const SAMPLE_BYTES = 1_048_576;

/** Encodings of text. "latin1" is windows-1252, as on the web. */
export const ENCODINGS = ["utf-8", "latin1"] as const;
export type Encoding = (typeof ENCODINGS)[number];

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The first records of a file. */
export interface Sample {
  /** Whole records, without a byte order mark. */
  readonly text: string;
  /** The bytes of the text. */
  readonly bytes: Uint8Array;
  /** Bytes of the byte order mark. */
  readonly markBytes: number;
  readonly newline: number;
  /** Whether the sample is the whole file. */
  readonly isWhole: boolean;
}

/**
 * Reads the first records of a file of text.
 * @throws ERR_UNSUPPORTED for UTF-16 and compressed files, ERR_INPUT for binary files and wrong encodings, ERR_LIMIT if
 * the first record is too long.
 */
export async function sampleOf(
  source: ByteSource,
  { marks, encoding }: { readonly marks: Marks; readonly encoding: Encoding | null },
  signal: AbortSignal | undefined,
): Promise<Sample> {
  for (let length = SAMPLE_BYTES; ; length = Math.min(4 * length, MAX_RECORD_BYTES + 1)) {
    const head = await source.peek(length, { signal });
    checkText(source.name, head);
    const isWhole = head.length < length || head.length === source.size;
    const markBytes = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
    const bytes = head.subarray(markBytes);
    const newline =
      !bytes.includes(LINE_FEED) && bytes.includes(CARRIAGE_RETURN) ? CARRIAGE_RETURN : LINE_FEED;
    const end = isWhole ? bytes.length : lastEnd(bytes, newline, marks);
    if (end > 0 || isWhole) {
      const own = bytes.subarray(0, end);
      return { text: textOf(source.name, own, encoding, newline), bytes: own, markBytes, newline, isWhole };
    }
    if (length > MAX_RECORD_BYTES) {
      throw fault(
        source.name,
        "ERR_LIMIT",
        `expected records of at most ${MAX_RECORD_BYTES} bytes but the first one is longer`,
      );
    }
  }
}

/** Returns the index after the last whole record. */
function lastEnd(bytes: Uint8Array, newline: number, marks: Marks): number {
  // Most often, the last newline is outside of quotation marks.
  const last = bytes.lastIndexOf(newline) + 1;
  const whole = new RecordEnds({ newline, marks });
  whole.skip(bytes.subarray(0, last));
  if (!whole.isQuoted) return last;
  const ends = new RecordEnds({ newline, marks });
  let end = 0;
  for (;;) {
    const next = ends.next(bytes.subarray(end));
    if (next < 0) return end;
    end += next;
  }
}

function checkText(name: string, head: Uint8Array): void {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw fault(
      name,
      "ERR_UNSUPPORTED",
      "expected UTF-8 text but it is UTF-16; convert it with iconv -f utf-16 -t utf-8",
    );
  }
  checkUnpacked(name, head);
  if (!head.subarray(0, 65_536).includes(0)) return;
  // In UTF-16, one byte of each Latin character is zero.
  const start = [...head.subarray(0, 64)];
  for (const [i, order] of ["be", "le"].entries()) {
    if (start.length < 4 || start.some((byte, at) => (byte === 0) !== (at % 2 === i))) continue;
    throw fault(
      name,
      "ERR_UNSUPPORTED",
      `expected UTF-8 text but it is UTF-16; convert it with iconv -f utf-16${order} -t utf-8`,
    );
  }
  throw damaged(name, "expected text but it has bytes of zero, so it is a binary file");
}

/** Decodes text. @throws ERR_INPUT with the line of the first byte that is not of the encoding. */
function textOf(name: string, bytes: Uint8Array, encoding: Encoding | null, newline: number): string {
  const found = decodeText(bytes, encoding, newline);
  if (typeof found === "string") return found;
  throw damaged(name, `line ${found.line + 1}: ${found.message}`);
}

/**
 * Decodes text, or returns the line of the first byte that is not of the encoding, counted from 0.
 * @param encoding null for UTF-8 in a format that has no other one
 */
export function decodeText(
  bytes: Uint8Array,
  encoding: Encoding | null,
  newline: number,
): string | { line: number; message: string } {
  if (encoding !== "latin1" && !isUtf8(bytes)) {
    let line = 0;
    let from = 0;
    for (;;) {
      const next = bytes.indexOf(newline, from) + 1;
      if (next === 0 || !isUtf8(bytes.subarray(from, next))) break;
      line++;
      from = next;
    }
    const helps = encoding === null ? "" : '; pass encoding: "latin1" for text of Windows';
    return { line, message: `expected UTF-8 text but found other bytes${helps}` };
  }
  return new TextDecoder(encoding ?? "utf-8", { ignoreBOM: true }).decode(bytes);
}
