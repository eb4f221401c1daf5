/** Boxes that contain the list of items, and the bytes in them before their first box. */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4 };
const LIST = "iinf";
const ENTRY = "infe";
const HEADER_BYTES = 8;

/**
 * Describes the damage in an AVIF's list of items, or returns null if there is none. A picture's alpha is an item of
 * its own. If its entry is missing, the decoder continues without it. The decoder checks everything else.
 */
export function avifDamage(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const list = find(view, 0, bytes.length);
  if (list === null) return null;
  const [from, to] = list;
  const items = new Set<number>();
  // Version 0 counts entries in two bytes, later versions in four.
  for (const box of boxes(view, from + (view.getUint8(from) === 0 ? 6 : 8), to)) {
    if (box.name !== ENTRY || box.to - box.from < 8) return "its list of items is damaged";
    const id = view.getUint8(box.from) > 2 ? view.getUint32(box.from + 4) : view.getUint16(box.from + 4);
    if (id === 0 || items.has(id)) return "its list of items is damaged";
    items.add(id);
  }
  return null;
}

/** Returns the range of the list's content. */
function find(view: DataView, from: number, to: number): readonly [number, number] | null {
  for (const box of boxes(view, from, to)) {
    if (box.name === LIST) return [box.from, box.to];
    const skip = CONTAINERS[box.name];
    if (skip !== undefined) return find(view, box.from + skip, box.to);
  }
  return null;
}

/** Yields the boxes side by side in a part of the file, as far as they fit. */
function* boxes(
  view: DataView,
  from: number,
  to: number,
): Generator<{ name: string; from: number; to: number }> {
  for (let at = from; at + HEADER_BYTES <= to; ) {
    const length = view.getUint32(at);
    // Longer boxes, and those that reach to the end, hold pixels.
    if (length < HEADER_BYTES || at + length > to) return;
    const name = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(at + i)));
    yield { name, from: at + HEADER_BYTES, to: at + length };
    at += length;
  }
}
