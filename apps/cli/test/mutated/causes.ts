import type { Picture } from "../../src/input/picture/index.ts";
import { withoutMetadata } from "../../src/input/picture/tiff-directory.ts";
import type { Format, Sample } from "./corpus.ts";
import type { Judges } from "./trial.ts";

/** Why a picture is counted that another decoder calls damaged; null: nobody knows, which is a fault of ours. */
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
  if (sample.variant === "arithmetic")
    return "arithmetic coding: what its decoder has left over is not looked at";
  return null;
}

/** Do two pictures have the same size, the same channels and the same values? */
export function samePixels(a: Picture, b: Picture): boolean {
  return (
    a.width === b.width &&
    a.stride === b.stride &&
    a.type === b.type &&
    Buffer.compare(octets(a), octets(b)) === 0
  );
}

function octets({ pixels }: Picture): Uint8Array {
  return new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
}

const WEBP_FLAGS_AT = 20;
/** That there is a profile, Exif and XMP. */
const WEBP_DESCRIPTION = 0x20 | 0x08 | 0x04;

/** The picture without what only describes it; null where there is nothing of the kind. */
function withoutDescription(bytes: Uint8Array, format: Format): Uint8Array | null {
  if (format === "TIFF") return withoutMetadata(bytes);
  if (format !== "WebP" || Buffer.from(bytes.subarray(12, 16)).toString("latin1") !== "VP8X") return null;
  const copy = Uint8Array.from(bytes);
  copy[WEBP_FLAGS_AT]! &= ~WEBP_DESCRIPTION;
  return copy;
}
