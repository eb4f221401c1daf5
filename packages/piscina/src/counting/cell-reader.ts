import { bytesFrom } from "@polybin/core/backend";
import type { CellWork } from "../kernels/index.ts";
import { type Geometry, readExactly, type Source } from "../task/index.ts";
import type { CellLayout } from "./cell-memory.ts";

/** The samples of a joint count, as a thread reaches them. */
export interface CellSources {
  /** One per input. */
  readonly inputs: readonly Source[];
  readonly mask: Source | null;
  /** Whether the mask has a bit per pixel. Otherwise it has a byte. */
  readonly hasBits: boolean;
  /** Indices of the pixels to count; null: all. */
  readonly where: Uint32Array | null;
}

/** Copies chunks of all inputs into a slot. */
export class CellReader {
  readonly #sources: CellSources;
  readonly #inputs: readonly Uint8Array[];
  readonly #mask: Uint8Array;

  constructor(
    memory: WebAssembly.Memory,
    layout: CellLayout,
    sources: CellSources,
    work: CellWork,
    slot: number,
  ) {
    const start = layout.slot + slot * layout.slotBytes;
    const addresses = [...new Set(layout.inputs)];
    this.#sources = sources;
    this.#inputs = sources.inputs.map(({ geometry: { pixelBytes } }, i) => {
      return new Uint8Array(memory.buffer, start + addresses[i]!, layout.pixels * pixelBytes);
    });
    this.#mask = new Uint8Array(memory.buffer, start + layout.mask, work.mask === "none" ? 0 : layout.pixels);
  }

  /** Copies the pixels from `first` on. `first` is a multiple of 8. @throws ERR_INPUT, InputError */
  read(first: number, pixels: number): void {
    const { inputs, mask, hasBits, where } = this.#sources;
    const indices = where?.subarray(first, first + pixels) ?? null;
    inputs.forEach((input, i) => {
      if (indices === null) copyPixels(input, first, pixels, this.#inputs[i]!);
      else gatherPixels(input, indices, this.#inputs[i]!);
    });
    if (mask === null) return;
    if (indices === null) {
      if (hasBits) copyPixels(mask, first / 8, Math.ceil(pixels / 8), this.#mask);
      else copyPixels(mask, first, pixels, this.#mask);
    } else if (hasBits) gatherBits(mask, indices, this.#mask);
    else gatherPixels(mask, indices, this.#mask);
  }
}

/** Copies consecutive pixels, row by row. */
function copyPixels(source: Source, first: number, pixels: number, to: Uint8Array): void {
  const { width, rowPitch, pixelBytes } = source.geometry;
  for (let pixel = first, at = 0; pixel < first + pixels; ) {
    const row = Math.floor(pixel / width);
    const some = Math.min(first + pixels - pixel, (row + 1) * width - pixel);
    const bytes = some * pixelBytes;
    copyBytes(source, row * rowPitch + (pixel - row * width) * pixelBytes, to.subarray(at, at + bytes));
    at += bytes;
    pixel += some;
  }
}

/** Buffer's copy is faster than `set` for shared memory. For other memory, `set` is faster. */
function copyBytes(source: Source, start: number, to: Uint8Array): void {
  if (source.kind === "file") readExactly(source, source.offset + start, to);
  else if (source.bytes.buffer instanceof SharedArrayBuffer) {
    const { buffer, byteOffset, byteLength } = source.bytes;
    Buffer.from(buffer, byteOffset, byteLength).copy(to, 0, start, start + to.length);
  } else to.set(bytesFrom(source.bytes, start, to.length));
}

/** Copies pixels by index. A list of indices has no file among its inputs. */
function gatherPixels(source: Source, indices: Uint32Array, to: Uint8Array): void {
  const { geometry } = source;
  const { width, rowPitch, pixelBytes } = geometry;
  const bytes = bytesOf(source);
  const step = unitOf(bytes, geometry);
  const from = unitsOf(bytes, step);
  gatherUnits(from, indices, unitsOf(to, step), width, rowPitch / step, pixelBytes / step);
}

function unitsOf(bytes: Uint8Array, step: 1 | 2 | 4): Units {
  const { buffer, byteOffset, byteLength } = bytes;
  if (step === 1) return bytes;
  return step === 2
    ? new Uint16Array(buffer, byteOffset, Math.floor(byteLength / step))
    : new Uint32Array(buffer, byteOffset, Math.floor(byteLength / step));
}

type Units = Uint8Array | Uint16Array | Uint32Array;

function gatherUnits(
  from: Units,
  indices: Uint32Array,
  to: Units,
  width: number,
  pitch: number,
  units: number,
): void {
  const isOneRow = pitch === width * units;
  for (let i = 0, at = 0; i < indices.length; i++) {
    const pixel = indices[i]!;
    const row = isOneRow ? 0 : Math.floor(pixel / width);
    const start = row * pitch + (pixel - row * width) * units;
    for (let unit = 0; unit < units; unit++) to[at++] = from[start + unit]!;
  }
}

/** Writes a byte per index: whether its bit is set. */
function gatherBits(source: Source, indices: Uint32Array, to: Uint8Array): void {
  const bytes = bytesOf(source);
  for (let i = 0; i < indices.length; i++) {
    const pixel = indices[i]!;
    to[i] = (bytes[Math.floor(pixel / 8)]! >> (pixel & 7)) & 1;
  }
}

/** @throws ERR_INPUT if the memory is gone */
function bytesOf(source: Source): Uint8Array {
  if (source.kind === "file") throw new Error("a list of indices cannot be counted from a file");
  const { width, height, rowPitch, pixelBytes } = source.geometry;
  return bytesFrom(source.bytes, 0, height === 0 ? 0 : (height - 1) * rowPitch + width * pixelBytes);
}

/** Returns the widest unit, 1, 2 or 4 bytes, in which all pixels are aligned. */
function unitOf({ byteOffset }: Uint8Array, { rowPitch, pixelBytes }: Geometry): 1 | 2 | 4 {
  const all = byteOffset | rowPitch | pixelBytes;
  return all % 4 === 0 ? 4 : all % 2 === 0 ? 2 : 1;
}
