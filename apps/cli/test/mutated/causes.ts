import type { Picture } from "../../src/input/picture/index.ts";
import type { Sample } from "./corpus.ts";

/** Why a picture is counted that another decoder calls damaged; null: nobody knows, which is a fault of ours. */
export function causeOf(sample: Sample, whole: Picture, found: Picture): string | null {
  if (samePixels(whole, found))
    return "every pixel is that of the undamaged picture: the damage lies elsewhere";
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
