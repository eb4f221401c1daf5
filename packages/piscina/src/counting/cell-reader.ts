import { bytesOf, type Geometry, type Read, readerOf, type Source } from "../input/index.ts";
import type { CellLayout } from "./cell-memory.ts";

/** The samples of a count of cells, as a thread reaches them. */
export interface CellSources {
  /** One per input. */
  readonly inputs: readonly Source[];
  readonly mask: Source | null;
  /** Whether the mask has a bit per pixel. Otherwise it has a byte. */
  readonly hasBits: boolean;
  /** Indices of the pixels to count; null: all. */
  readonly where: Uint32Array | null;
}

/** Returns a function that copies pixels of all inputs into a slot, from a multiple of 8 on. */
export function cellReaderOf(
  { buffer }: WebAssembly.Memory,
  layout: CellLayout,
  { inputs, mask, hasBits, where }: CellSources,
  slot: number,
): Read {
  const start = layout.slot + slot * layout.slotBytes;
  const at = (address: number, bytes: number) => new Uint8Array(buffer, start + address, bytes);
  const addresses = [...new Set(layout.inputs)];
  const reads = inputs.map((source, i) => {
    const out = at(addresses[i]!, layout.pixels * source.geometry.pixelBytes);
    return where === null ? readerOf({ source, order: null }, out) : gatherer(source, where, out);
  });
  if (mask !== null) {
    const out = at(layout.mask, layout.pixels);
    if (where !== null) reads.push((hasBits ? bitGatherer : gatherer)(mask, where, out));
    else reads.push(hasBits ? bitReader(mask, out) : readerOf({ source: mask, order: null }, out));
  }
  return (first, end) => {
    for (const read of reads) read(first, end);
  };
}

/** Copies whole bytes of bits. */
function bitReader(mask: Source, out: Uint8Array): Read {
  const read = readerOf({ source: mask, order: null }, out);
  return (first, end) => read(first / 8, Math.ceil(end / 8));
}

/** Copies pixels by index. */
function gatherer(source: Source, where: Uint32Array, out: Uint8Array): Read {
  const { geometry } = source;
  const step = unitOf(bytesOf(source), geometry);
  const to = unitsOf(out, step);
  return (first, end) => {
    gatherUnits(unitsOf(bytesOf(source), step), where.subarray(first, end), to, geometry, step);
  };
}

type Units = Uint8Array | Uint16Array | Uint32Array;

function unitsOf(bytes: Uint8Array, step: 1 | 2 | 4): Units {
  const { buffer, byteOffset, byteLength } = bytes;
  if (step === 1) return bytes;
  const count = Math.floor(byteLength / step);
  return step === 2 ? new Uint16Array(buffer, byteOffset, count) : new Uint32Array(buffer, byteOffset, count);
}

function gatherUnits(
  from: Units,
  indices: Uint32Array,
  to: Units,
  { width, rowPitch, pixelBytes }: Geometry,
  step: number,
): void {
  const [pitch, units] = [rowPitch / step, pixelBytes / step];
  const isOneRow = pitch === width * units;
  for (let i = 0, at = 0; i < indices.length; i++) {
    const pixel = indices[i]!;
    const row = isOneRow ? 0 : Math.floor(pixel / width);
    const start = row * pitch + (pixel - row * width) * units;
    for (let unit = 0; unit < units; unit++) to[at++] = from[start + unit]!;
  }
}

/** Writes a byte per index: whether its bit is set. */
function bitGatherer(mask: Source, where: Uint32Array, out: Uint8Array): Read {
  return (first, end) => {
    const bytes = bytesOf(mask);
    for (let i = first; i < end; i++) {
      const pixel = where[i]!;
      out[i - first] = (bytes[Math.floor(pixel / 8)]! >> (pixel & 7)) & 1;
    }
  };
}

/** Returns the widest unit, 1, 2 or 4 bytes, in which all pixels are aligned. */
function unitOf({ byteOffset }: Uint8Array, { rowPitch, pixelBytes }: Geometry): 1 | 2 | 4 {
  const all = byteOffset | rowPitch | pixelBytes;
  return all % 4 === 0 ? 4 : all % 2 === 0 ? 2 : 1;
}
