import { broken, Reader, Writer } from "./bytes.ts";
import type { Two } from "./comparison-passes.ts";
import { mergePartials } from "./merge.ts";
import { decodePart, encodePart, type Part, partIn, partText } from "./part.ts";

/*
 * The file of a shard of two tables that are compared: a part of each. As bytes, the length of each part stands before it, and
 * 0 for none. As JSON, null stands for none.
 */
const MAGIC = Buffer.from("PBTWO\x01\x00\x00");
/** The first characters of the JSON. */
const TEXT = '{"polybin":"two","version":1,';

/** The first bytes of such a file. */
export const TWO_HEADS: readonly string[] = [MAGIC.toString("latin1"), TEXT];

/** Writes two parts as bytes. */
export function encodeTwo(parts: Two<Part>): Uint8Array {
  const writer = new Writer();
  writer.raw(MAGIC);
  for (const part of parts) {
    const bytes = part === null ? new Uint8Array(0) : encodePart(part);
    writer.number(bytes.length);
    writer.raw(bytes);
  }
  return writer.done().slice();
}

/** Writes two parts as one line of JSON. */
export function twoText(parts: Two<Part>): string {
  const [a, b] = parts.map((part) => (part === null ? "null" : partText(part).trimEnd()));
  return `${TEXT}"a":${a},"b":${b}}\n`;
}

/** Reads two parts, bytes or JSON. @throws ERR_INPUT for anything else, ERR_LIMIT for one that is too large */
export function decodeTwo(bytes: Uint8Array): Two<Part> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts = all.subarray(0, MAGIC.length).equals(MAGIC) ? partsIn(all) : partsOfText(all);
  const [a, b] = parts;
  if (a === null && b === null) throw broken("it has no part");
  for (const part of parts)
    if (part !== null && part.task.count !== "profile") throw broken("a part of it is no profile");
  return parts;
}

function partsIn(bytes: Uint8Array): Two<Part> {
  const reader = new Reader(bytes.subarray(MAGIC.length));
  const next = (): Part | null => {
    const length = reader.number();
    return length === 0 ? null : decodePart(reader.raw(length));
  };
  const parts = [next(), next()] as const;
  if (reader.left > 0) throw broken(`${reader.left} bytes follow its end`);
  return parts;
}

function partsOfText(bytes: Buffer): Two<Part> {
  const text = bytes.toString("utf8");
  if (!text.startsWith(TEXT)) throw broken("it is not of polybin compare");
  let json: { readonly a?: unknown; readonly b?: unknown };
  try {
    json = JSON.parse(text);
  } catch {
    throw broken("it is neither bytes nor JSON");
  }
  const part = (of: unknown): Part | null => (of === null ? null : partIn(of));
  return [part(json.a), part(json.b)];
}

/** Adds up the parts of two shards, those of each table. @throws as `mergePartials` */
export async function mergeTwo(one: Two<Part>, other: Two<Part>): Promise<Two<Part>> {
  const merged = async (of: 0 | 1): Promise<Part | null> => {
    const [a, b] = [one[of], other[of]];
    if (a === null || b === null) {
      if (a !== b) throw broken("it is of another pass");
      return null;
    }
    return { task: a.task, partial: await mergePartials([a.partial, b.partial], a.task) };
  };
  return [await merged(0), await merged(1)];
}
