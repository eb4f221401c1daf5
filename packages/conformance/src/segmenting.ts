import type { Axis, Countable, SampleType, Segmented, SegmentsInit } from "@polybin/core";
import { type Region, SAMPLE_TRAITS, type SampleArray } from "@polybin/core/backend";
import type { Context } from "./case.ts";
import type { Checker } from "./checker.ts";
import { samplesOfType } from "./generators.ts";
import { countByDefinition, type Expected } from "./oracle.ts";

/** Rows of pixels of one channel. Samples without a picture form one row. */
export interface Sheet {
  readonly type: SampleType;
  readonly values: SampleArray;
  readonly width: number;
}

/** Cuts the samples into segments by the definition, without core's own code. */
function cut({ type, values, width }: Sheet, how: SegmentsInit): SampleArray[] {
  const part = (from: number, to: number): SampleArray =>
    values.slice(from, Math.max(from, to)) as SampleArray;
  if (how.every !== undefined) {
    const { every } = how;
    return Array.from({ length: Math.ceil(values.length / every) }, (_, i) =>
      part(i * every, Math.min(values.length, (i + 1) * every)),
    );
  }
  if (how.offsets !== undefined) {
    const offsets = Array.from(how.offsets);
    return offsets.slice(1).map((to, i) => part(offsets[i]!, to));
  }
  const out: SampleArray[] = [];
  const height = values.length / width;
  const { width: across, height: down } = how.tiles;
  for (let top = 0; top < height; top += down) {
    for (let left = 0; left < width; left += across) {
      const rows: SampleArray[] = [];
      for (let y = top; y < Math.min(height, top + down); y++) {
        rows.push(part(y * width + left, y * width + Math.min(width, left + across)));
      }
      out.push(joined(type, rows));
    }
  }
  return out;
}

/** Concatenates rows. A subarray is copied bit by bit, because as a JavaScript number a NaN may lose its payload. */
function joined(type: SampleType, rows: readonly SampleArray[]): SampleArray {
  const out = samplesOfType(
    type,
    rows.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const row of rows) {
    (out as Uint8Array).set(row as Uint8Array, at);
    at += row.length;
  }
  return out;
}

/** Returns the expected counts of each segment. */
export function expectedOf(sheet: Sheet, how: SegmentsInit, axis: Axis): Expected[] {
  return cut(sheet, how).map((samples) => countByDefinition(axis, sheet.type, samples));
}

/** Compares every number of every row. */
export function checkSegmented(
  check: Checker,
  what: string,
  found: Segmented,
  expected: readonly Expected[],
): void {
  const { bins } = found.axis;
  check.same(`${what}: segments`, found.segments, expected.length);
  const all = new Float64Array(expected.length * bins);
  for (const [i, { counts }] of expected.entries()) all.set(counts, i * bins);
  check.sameNumbers(`${what}: counts`, found.counts, all);
  for (const name of ["underflow", "overflow", "nan"] as const) {
    check.sameNumbers(
      `${what}: ${name}`,
      found[name],
      expected.map((one) => one[name]),
    );
  }
}

/** Returns a picture of several channels with padded rows, and one channel of a region of it as a sheet. */
export function pictureOf(
  type: SampleType,
  values: SampleArray,
  {
    channels,
    width,
    padding,
    region,
    channel,
  }: {
    readonly channels: number;
    readonly width: number;
    readonly padding: number;
    readonly region: Region;
    readonly channel: number;
  },
): { readonly input: Countable; readonly sheet: Sheet } {
  const rowBytes = width * channels * SAMPLE_TRAITS[type].bytes;
  const rowPitch = rowBytes + padding;
  const height = values.length / (width * channels);
  const data = new Uint8Array(height * rowPitch).fill(GUARD);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  for (let y = 0; y < height; y++) data.set(bytes.subarray(y * rowBytes, (y + 1) * rowBytes), y * rowPitch);
  const chosen: SampleArray[] = [];
  for (let y = region.y; y < region.y + region.height; y++) {
    for (let x = region.x; x < region.x + region.width; x++) {
      const at = (y * width + x) * channels + channel;
      chosen.push(values.subarray(at, at + 1) as SampleArray);
    }
  }
  return {
    input: { data, type, channels, width, height, rowPitch, region },
    sheet: { type, values: joined(type, chosen), width: region.width },
  };
}

/** Fills the padding. A backend that counts it counts too much. */
const GUARD = 0x5a;

/** The kinds of memory. A page may have no shared memory. */
export const MEMORIES: readonly (ArrayBufferConstructor | SharedArrayBufferConstructor)[] =
  typeof SharedArrayBuffer === "undefined" ? [ArrayBuffer] : [ArrayBuffer, SharedArrayBuffer];

/** Counts segments and compares. It notes the refusal of a backend without segments. */
export async function checkSegments(
  { engine, check }: Context,
  what: string,
  sheet: Sheet,
  how: SegmentsInit,
  axis: Axis,
  { input = sheet.values, channel }: { readonly input?: Countable; readonly channel?: number } = {},
): Promise<void> {
  const name = `${what}, ${sheet.values.length} ${sheet.type}, ${describe(how)}, ${axis.type} of ${axis.bins}`;
  await check.unlessRefused(name, async () => {
    const found = await engine.segments(input, how, { axis, channel });
    checkSegmented(check, name, found, expectedOf(sheet, how, axis));
  });
}

function describe({ every, offsets, tiles }: SegmentsInit): string {
  if (every !== undefined) return `every ${every}`;
  return tiles === undefined ? `${offsets!.length} offsets` : `tiles ${tiles.width}x${tiles.height}`;
}

export function rowOf(type: SampleType, values: SampleArray): Sheet {
  return { type, values, width: values.length };
}

/** Returns true if the backend counts segments. Otherwise it notes the backend's sentence as a refusal. */
export async function hasSegments({ engine, check }: Context): Promise<boolean> {
  const found = await engine.supports({ samples: 1, segments: { every: 1 } });
  if (typeof found === "string") check.refused(found);
  return typeof found !== "string";
}
