import type { Picture } from "../../src/picture.ts";
import { withoutMetadata } from "../../src/tiff-directory.ts";
import type { Format, Sample } from "./corpus.ts";
import type { Judges } from "./trial.ts";

/**
 * Returns why a picture is counted that another decoder calls damaged. Null: the cause is unknown, so it is our bug.
 */
export async function causeOf(
  bytes: Uint8Array,
  sample: Sample,
  whole: Picture,
  found: Picture,
  judges: Judges,
): Promise<string | null> {
  if (samePixels(whole, found))
    return "every pixel is that of the undamaged picture: the damage lies elsewhere";
  const bare = withoutDescription(bytes, sample.format);
  if (bare !== null && (await judges.complaints(bare, sample)).size === 0) {
    return "they complain of what describes the picture, and are content without it";
  }
  const first = firstFrameOf(bytes, sample);
  if (first !== null && (await judges.complaints(first, sample)).size === 0) {
    return "they complain of a later frame, which is not counted";
  }
  return null;
}

/** An animated WebP whose later frames are the undamaged ones. Null if there are none or the length differs. */
function firstFrameOf(bytes: Uint8Array, { format, bytes: whole }: Sample): Uint8Array | null {
  const frame = Buffer.from(whole).indexOf("ANMF");
  if (format !== "WebP" || frame < 0 || bytes.length !== whole.length) return null;
  const end = frame + 8 + Buffer.from(whole).readUInt32LE(frame + 4);
  return Buffer.concat([bytes.subarray(0, end), whole.subarray(end)]);
}

/** Whether two pictures have the same size, channels and values. */
export function samePixels(a: Picture, b: Picture): boolean {
  return (
    a.width === b.width &&
    a.channels === b.channels &&
    a.type === b.type &&
    Buffer.compare(octets(a), octets(b)) === 0
  );
}

function octets({ data }: Picture): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

const WEBP_FLAGS_AT = 20;
/** The chunks that describe a WebP, and the flags that announce them. */
const WEBP_DESCRIPTION = { ICCP: 0x20, EXIF: 0x08, "XMP ": 0x04 } as const;

/** The picture without tags that only describe it, or without the announcement of such chunks. Null if it has none. */
function withoutDescription(bytes: Uint8Array, format: Format): Uint8Array | null {
  if (format === "TIFF") return withoutMetadata(bytes);
  if (format !== "WebP" || Buffer.from(bytes.subarray(12, 16)).toString("latin1") !== "VP8X") return null;
  const copy = Buffer.from(bytes);
  const names = new Set<string>();
  for (let at = 12; at + 8 <= copy.length; at += 8 + ((copy.readUInt32LE(at + 4) + 1) & ~1)) {
    names.add(copy.toString("latin1", at, at + 4));
  }
  for (const [name, flag] of Object.entries(WEBP_DESCRIPTION)) {
    if (!names.has(name)) copy[WEBP_FLAGS_AT]! &= ~flag;
  }
  return copy;
}
