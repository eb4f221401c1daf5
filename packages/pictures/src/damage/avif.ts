import { ascii, numbers } from "../head.ts";
import { type Box, BoxDamage, topBox } from "./avif-boxes.ts";

const LIST = "meta/iinf";
const PROPERTIES = "meta/iprp/ipco";
const ASSOCIATIONS = "meta/iprp/ipma";
const REFERENCES = "meta/iref";
const CODEC = `${PROPERTIES}/av1C`;
const DEPTHS = `${PROPERTIES}/pixi`;
const SIZE = `${PROPERTIES}/ispe`;
/** The marker and version of a codec's configuration. */
const CODEC_MARK = 0x81;
/** The versions of an entry in the list of items. */
const ENTRY_VERSIONS: readonly number[] = [2, 3];
const MOST_PLANES = 4;
/** The bits of a codec's configuration that give the depth. */
const HIGH_DEPTH = 0x40;
const TWELVE_BITS = 0x20;

/** Tests of a box's content by its path. A box that ends within its content fails, too. */
const TESTS: Readonly<Record<string, (content: DataView) => boolean>> = {
  "meta/hdlr": isHandler,
  [`${LIST}/infe`]: (entry) => ENTRY_VERSIONS.includes(entry.getUint8(0)) && idOf(entry) !== 0,
  [`${PROPERTIES}/auxC`]: (kind) => hasEnd(kind, 4),
  // The pixels lie at the top of the file, or in a box of the description that has its own name.
  "meta/mdat": () => false,
  [CODEC]: (codec) => codec.getUint8(0) === CODEC_MARK && codec.byteLength >= 4,
  [DEPTHS]: (depths) => {
    const planes = depths.getUint8(4);
    return isPlain(depths) && planes >= 1 && planes <= MOST_PLANES && depths.byteLength >= 5 + planes;
  },
  [SIZE]: (size) => isPlain(size) && size.getUint32(4) > 0 && size.getUint32(8) > 0,
};

/**
 * Describes the damage in an AVIF's description of its items, or returns null if there is none. The decoder skips what
 * it does not need: it continues without an alpha whose entry is missing, and without properties that are damaged. It
 * checks the pixels.
 */
export function avifDamage(bytes: Uint8Array): string | null {
  try {
    const meta = topBox(bytes, "meta");
    if (meta === null) return null;
    checkBoxes(meta);
    checkItems(meta, isMiaf(bytes));
    return null;
  } catch (error) {
    if (error instanceof BoxDamage) return error.message;
    throw error;
  }
}

/** Whether the file claims to follow MIAF, which demands more of it. */
function isMiaf(bytes: Uint8Array): boolean {
  const end = Math.min(numbers(bytes).getUint32(0), bytes.length);
  for (let at = 16; at + 4 <= end; at += 4) if (ascii(bytes, at, at + 4) === "miaf") return true;
  return false;
}

/** @throws BoxDamage */
function checkBoxes(box: Box): void {
  const test = TESTS[box.path];
  if (test !== undefined && !within(box, test)) throw damagedBox(box.path);
  for (const inside of box.boxes) checkBoxes(inside);
}

/** Reads a box. @throws BoxDamage if the box ends earlier */
function within<T>({ path, content }: Box, read: (content: DataView) => T): T {
  try {
    return read(content);
  } catch (error) {
    if (error instanceof RangeError) throw damagedBox(path);
    throw error;
  }
}

function damagedBox(path: string): BoxDamage {
  return new BoxDamage(
    path.startsWith(`${LIST}/`) ? "its list of items is damaged" : `its box ${path} is damaged`,
  );
}

/** Whether a box has version 0. */
function isPlain(content: DataView): boolean {
  return content.getUint8(0) === 0;
}

/** A handler has version 0, a field of zeros, and a name that ends with a zero. */
function isHandler(content: DataView): boolean {
  if (content.getUint32(0) !== 0 || content.getUint32(4) !== 0) return false;
  return hasEnd(content, 24);
}

/** Whether the text from this place on ends with a zero. */
function hasEnd(content: DataView, from: number): boolean {
  for (let at = from; at < content.byteLength; at++) if (content.getUint8(at) === 0) return true;
  return false;
}

function idOf(entry: DataView): number {
  return entry.getUint8(0) > 2 ? entry.getUint32(4) : entry.getUint16(4);
}

/**
 * Checks that items are listed once, that their properties exist and that an image's depths are those of its codec.
 * @throws BoxDamage
 */
function checkItems(meta: Box, isStrict: boolean): void {
  const all = [...meta.boxes.flatMap((box) => [box, ...box.boxes])];
  const properties = all.find(({ path }) => path === PROPERTIES)?.boxes ?? [];
  const items = new Map<number, readonly Box[]>();
  for (const entry of all.filter(({ path }) => path === `${LIST}/infe`)) {
    const id = idOf(entry.content);
    if (items.has(id)) throw damagedBox(entry.path);
    items.set(id, []);
  }
  for (const box of all.filter(({ path }) => path === ASSOCIATIONS)) {
    for (const [id, indices] of within(box, associationsOf)) {
      if (!items.has(id) || indices.some((index) => index > properties.length)) throw damagedBox(box.path);
      items.set(id, [
        ...items.get(id)!,
        ...indices.filter((index) => index > 0).map((index) => properties[index - 1]!),
      ]);
    }
  }
  for (const box of all.filter(({ path }) => path.startsWith(`${REFERENCES}/`))) {
    const isLong = meta.boxes.some(({ path, content }) => path === REFERENCES && content.getUint8(0) !== 0);
    for (const id of within(box, (content) => referencesOf(content, isLong ? 4 : 2))) {
      if (!items.has(id)) throw damagedBox(box.path);
    }
  }
  for (const [id, own] of items) checkImage(id, own, isStrict);
}

/** Returns the numbers of each item's properties, counted from 1. */
function associationsOf(content: DataView): [id: number, indices: readonly number[]][] {
  const [isLong, isWide] = [content.getUint8(0) > 0, (content.getUint8(3) & 1) === 1];
  const found: [number, number[]][] = [];
  let at = 8;
  for (let left = content.getUint32(4); left > 0; left--) {
    const id = isLong ? content.getUint32(at) : content.getUint16(at);
    at += isLong ? 4 : 2;
    const indices: number[] = [];
    for (let more = content.getUint8(at++); more > 0; more--) {
      // The highest bit says whether a reader must know the property.
      indices.push(isWide ? content.getUint16(at) & 0x7fff : content.getUint8(at) & 0x7f);
      at += isWide ? 2 : 1;
    }
    found.push([id, indices]);
  }
  return found;
}

/** Returns the items of a reference: its origin and its targets. */
function referencesOf(content: DataView, width: 2 | 4): number[] {
  const id = (at: number) => (width === 4 ? content.getUint32(at) : content.getUint16(at));
  return [id(0), ...Array.from({ length: content.getUint16(width) }, (_, i) => id(2 + width * (1 + i)))];
}

/**
 * Checks the size and the depths of an item that is an image.
 * @throws BoxDamage if one of them is missing though MIAF demands it, or the depths are not those of the codec
 */
function checkImage(id: number, properties: readonly Box[], isStrict: boolean): void {
  const codec = properties.find(({ path }) => path === CODEC)?.content;
  if (codec === undefined) return;
  const missing = [SIZE, DEPTHS].find((wanted) => !properties.some(({ path }) => path === wanted));
  if (isStrict && missing !== undefined) throw new BoxDamage(`its item ${id} lacks the box ${missing}`);
  const flags = codec.getUint8(2);
  const depth = (flags & TWELVE_BITS) !== 0 ? 12 : (flags & HIGH_DEPTH) !== 0 ? 10 : 8;
  for (const { content } of properties.filter(({ path }) => path === DEPTHS)) {
    const stated = Array.from({ length: content.getUint8(4) }, (_, plane) => content.getUint8(5 + plane));
    if (stated.some((bits) => bits !== depth)) {
      throw new BoxDamage(
        `its box ${DEPTHS} states ${stated} bits for item ${id} but its codec states ${depth}`,
      );
    }
  }
}
