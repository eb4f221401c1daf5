import { arithmeticDamage } from "./jpeg-arithmetic.ts";
import { type Block, blockOf, type HuffmanTable, huffmanTable, type Scan, walkScan } from "./jpeg-entropy.ts";
import { standardTable } from "./jpeg-tables.ts";

const MARKER = {
  sof0: 0xc0,
  sof1: 0xc1,
  sof2: 0xc2,
  sof9: 0xc9,
  dht: 0xc4,
  sof15: 0xcf,
  jpg: 0xc8,
  dac: 0xcc,
  rst0: 0xd0,
  rst7: 0xd7,
  eoi: 0xd9,
  sos: 0xda,
  dri: 0xdd,
} as const;
const SOI_BYTES = 2;
const TABLE_CODES = 16;
const COEFFICIENTS = 64;

interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  /** The bits of each coefficient that are still missing. It is Infinity before its first scan. */
  readonly missing: number[];
}

interface Frame {
  readonly sequential: boolean;
  readonly huffman: boolean;
  /** The place of its marker if it is sequential and arithmetic-coded, which only the decoder can read. */
  readonly arithmetic: number | null;
  readonly width: number;
  readonly height: number;
  readonly components: readonly Component[];
}

/** The state of a JPEG before a scan. */
interface State {
  frame: Frame | null;
  restart: number;
  /** Tables by class and number: 0 to 3 DC, 16 to 19 AC. */
  readonly tables: Map<number, HuffmanTable>;
}

/**
 * Describes what is missing or damaged in a JPEG and ignored by its decoder, or returns null if it is whole. It finds a
 * missing end, coefficients without a scan and, in sequential JPEGs, data that do not match the pixels. Data after its
 * end do not belong to it: cameras and phones store other pictures there.
 */
export async function jpegDamage(file: Uint8Array): Promise<string | null> {
  // The methods of a Buffer are slower.
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const state: State = { frame: null, restart: 0, tables: new Map() };
  for (let at = SOI_BYTES; ; ) {
    if (at + 2 > bytes.length) return "it ends before its end marker";
    if (bytes[at] !== 0xff) return "bytes between its segments belong to none of them";
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === MARKER.eoi) {
      const missing = missingIn(state.frame);
      const arithmetic = state.frame?.arithmetic ?? null;
      if (missing !== null || arithmetic === null) return missing;
      return arithmeticDamage(bytes.subarray(0, at + 2), arithmetic);
    }
    if (at + 4 > bytes.length) return "it ends before its end marker";
    const length = view.getUint16(at + 2);
    const segment = bytes.subarray(at + 4, at + 2 + length);
    const from = at;
    at += 2 + length;
    if (length < 2 || at > bytes.length) return "it ends within a segment";
    if (marker !== MARKER.sos) {
      if (!read(state, marker, segment, from)) return "one of its segments is damaged";
      continue;
    }
    const scan = scanOf(state, segment);
    if (scan === "damaged") return "the header of a scan is damaged";
    const end = behindData(bytes, at);
    const walk = scan === null ? { damage: null, next: end } : walkScan(bytes, at, end, scan);
    if (walk.damage !== null) return walk.damage;
    at = walk.next;
  }
}

/** Reads a segment that is no scan. @returns false if its content is wrong */
function read(state: State, marker: number, segment: Uint8Array, at: number): boolean {
  if (marker === MARKER.dri) {
    if (segment.length !== 2) return false;
    state.restart = (segment[0]! << 8) | segment[1]!;
  } else if (marker === MARKER.dht) return readTables(state, segment);
  else if (isFrame(marker)) {
    state.frame = frameOf(marker, segment, at);
    return state.frame !== null;
  }
  return true;
}

function isFrame(marker: number): boolean {
  const others: readonly number[] = [MARKER.dht, MARKER.jpg, MARKER.dac];
  return marker >= MARKER.sof0 && marker <= MARKER.sof15 && !others.includes(marker);
}

function readTables({ tables }: State, segment: Uint8Array): boolean {
  for (let at = 0; at < segment.length; ) {
    const lengths = segment.subarray(at + 1, at + 1 + TABLE_CODES);
    const codes = lengths.reduce((sum, count) => sum + count, 0);
    const symbols = segment.subarray(at + 1 + TABLE_CODES, at + 1 + TABLE_CODES + codes);
    const table = symbols.length === codes ? huffmanTable(lengths, symbols) : null;
    if (table === null) return false;
    tables.set(segment[at]!, table);
    at += 1 + TABLE_CODES + codes;
  }
  return true;
}

function frameOf(marker: number, segment: Uint8Array, at: number): Frame | null {
  const count = segment[5] ?? 0;
  if (segment.length !== 6 + 3 * count) return null;
  const components = Array.from({ length: count }, (_, i): Component => {
    const [id, sampling] = [segment[6 + 3 * i]!, segment[7 + 3 * i]!];
    return {
      id,
      across: sampling >> 4,
      down: sampling & 15,
      missing: new Array<number>(COEFFICIENTS).fill(Infinity),
    };
  });
  if (components.some(({ across, down }) => across === 0 || down === 0)) return null;
  return {
    sequential: marker === MARKER.sof0 || marker === MARKER.sof1,
    huffman: marker <= MARKER.sof2,
    arithmetic: marker === MARKER.sof9 ? at : null,
    height: (segment[1]! << 8) | segment[2]!,
    width: (segment[3]! << 8) | segment[4]!,
    components,
  };
}

/** Returns the scan to walk, null if only the decoder can read its data, or "damaged" if its header is wrong. */
function scanOf({ frame, restart, tables }: State, segment: Uint8Array): Scan | null | "damaged" {
  const count = segment[0] ?? 0;
  if (frame === null || count === 0 || segment.length !== 4 + 2 * count) return "damaged";
  const parts: { component: Component; dc: HuffmanTable | undefined; ac: HuffmanTable | undefined }[] = [];
  for (let i = 0; i < count; i++) {
    const component = frame.components.find(({ id }) => id === segment[1 + 2 * i]);
    if (component === undefined) return "damaged";
    const numbers = segment[2 + 2 * i]!;
    const [dc, ac] = [numbers >> 4, 16 + (numbers & 15)].map((n) => tables.get(n) ?? standardTable(n));
    parts.push({ component, dc, ac });
  }
  const [from, to, bits] = [segment[1 + 2 * count]!, segment[2 + 2 * count]!, segment[3 + 2 * count]! & 15];
  const whole = frame.sequential || !frame.huffman;
  for (const { component } of parts) {
    if (whole) component.missing.fill(0);
    else component.missing.fill(bits, from, to + 1);
  }
  if (!frame.sequential) return null;
  const widest = Math.max(...frame.components.map(({ across }) => across));
  const tallest = Math.max(...frame.components.map(({ down }) => down));
  // A component alone in its scan is stored block by block. Several components share MCUs.
  const alone = parts.length === 1 ? parts[0]!.component : null;
  const across = alone === null ? 1 / (8 * widest) : alone.across / (8 * widest);
  const down = alone === null ? 1 / (8 * tallest) : alone.down / (8 * tallest);
  const blocks: Block[] = [];
  for (const { component, dc, ac } of parts) {
    if (dc === undefined || ac === undefined) return "damaged";
    const copies = alone === null ? component.across * component.down : 1;
    const block = blocks.find((one) => one.dc === dc && one.ac === ac) ?? blockOf(dc, ac);
    for (let i = 0; i < copies; i++) blocks.push(block);
  }
  const columns =
    alone === null ? Math.ceil(frame.width * across) : blocksOf(frame.width, alone.across, widest);
  const rows = alone === null ? Math.ceil(frame.height * down) : blocksOf(frame.height, alone.down, tallest);
  return { blocks, mcus: columns * rows, restart };
}

/** Returns the blocks of a component along one side. Its samples are a part of the picture's, rounded up twice. */
function blocksOf(pixels: number, factor: number, most: number): number {
  return Math.ceil(Math.ceil((pixels * factor) / most) / 8);
}

/** Returns the place of the next marker that is no restart. */
function behindData(bytes: Uint8Array, at: number): number {
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return bytes.length;
    const marker = bytes[at + 1] ?? 0;
    if (marker !== 0 && marker !== 0xff && (marker < MARKER.rst0 || marker > MARKER.rst7)) return at;
    at += marker === 0xff ? 1 : 2;
  }
}

function missingIn(frame: Frame | null): string | null {
  if (frame === null) return "it has no picture before its end marker";
  const { components } = frame;
  if (components.some(({ missing }) => missing[0] === Infinity))
    return "it ends before the first scan of a channel";
  if (components.some(({ missing }) => missing.some((bits) => bits > 0)))
    return "it ends before its last scan";
  return null;
}
