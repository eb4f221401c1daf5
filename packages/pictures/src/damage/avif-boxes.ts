/** A box of an AVIF. */
export interface Box {
  /** Its name behind those of the boxes that contain it, such as `meta/iprp`. */
  readonly path: string;
  readonly content: DataView;
  /** The boxes in it, none unless it is a container. */
  readonly boxes: readonly Box[];
}

/** Damage in the boxes. The message says where. */
export class BoxDamage extends Error {}

const HEADER_BYTES = 8;
const FULL_BYTES = 4;
/** Boxes that contain others, and the bytes before the first of them. */
const CONTAINERS: Readonly<Record<string, (content: DataView) => number>> = {
  meta: () => FULL_BYTES,
  "meta/iprp": () => 0,
  "meta/iprp/ipco": () => 0,
  // Version 0 counts entries in two bytes, later versions in four.
  "meta/iinf": (content) => FULL_BYTES + (content.getUint8(0) === 0 ? 2 : 4),
  "meta/iref": () => FULL_BYTES,
};

/**
 * Returns the box of a name at the top of the file, or null if there is none. The decoder reports a file that ends within
 * a box.
 * @throws BoxDamage if a box before it, or in it, is damaged
 */
export function topBox(bytes: Uint8Array, name: string): Box | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const found = nameAt(view, at);
    const length = lengthAt(view, at);
    if (length > bytes.length - at) return null;
    if (length < HEADER_BYTES)
      throw new BoxDamage(`its box ${JSON.stringify(found)} has a length of ${length} bytes`);
    if (found === name) return boxOf("", view, at, length);
    at += length;
  }
  return null;
}

/** Returns the length of a box at the top, which may have 64 bits, or reach to the end of the file. */
function lengthAt(view: DataView, at: number): number {
  const length = view.getUint32(at);
  if (length > 1) return length;
  if (length === 0 || at + 2 * HEADER_BYTES > view.byteLength) return view.byteLength - at;
  return Number(view.getBigUint64(at + HEADER_BYTES));
}

/** @throws BoxDamage if the boxes inside do not fill their container */
function boxOf(parent: string, view: DataView, at: number, length: number): Box {
  const path = `${parent}${nameAt(view, at)}`;
  const content = part(view, at + HEADER_BYTES, length - HEADER_BYTES);
  const skip = CONTAINERS[path];
  const boxes: Box[] = [];
  if (skip !== undefined) {
    for (let from = skip(content); from < content.byteLength; ) {
      const left = content.byteLength - from;
      const size = left < HEADER_BYTES ? 0 : content.getUint32(from);
      if (size < HEADER_BYTES || size > left) {
        throw new BoxDamage(
          `box ${boxes.length} in its box ${path} has a length of ${size} bytes where ${left} are left`,
        );
      }
      boxes.push(boxOf(`${path}/`, content, from, size));
      from += size;
    }
  }
  return { path, content, boxes };
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(at + i)));
}

function part(view: DataView, at: number, length: number): DataView {
  return new DataView(view.buffer, view.byteOffset + at, length);
}
