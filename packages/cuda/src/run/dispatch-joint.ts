import type { Resident, SampleType } from "@polybin/core";
import {
  type CellsInputs,
  type CellsPart,
  type Input,
  limits,
  type RunOptions,
  samplesOf,
} from "@polybin/core/backend";
import { MaskKind, type NativeJoint, type NativeJointShape, type NativeSource } from "../border/index.ts";
import { type Share, withShares } from "../memory/index.ts";
import { type Lanes, longest } from "./dispatch.ts";
import type { PreparedColumns } from "./prepare-joint.ts";
import { talk } from "./talk.ts";

/** Pixels whose mask lies in a byte, if it has a bit for each. */
const BYTE_BITS = 8;

/** The pixels of one device: a source per input, and that of the mask. */
interface Part {
  readonly device: number;
  readonly sources: readonly NativeSource[];
  readonly mask: NativeSource | null;
  readonly where: Uint32Array | null;
}

/** Copies an input that is not on the devices to them. */
type Upload = (
  input: Input,
  shape: { readonly type: SampleType; readonly channels: number; readonly pixels: number },
) => Promise<Resident>;

/** Counts the cells of several columns on all devices, each a part of the pixels. */
export async function countJoint(
  lanes: Lanes,
  prepared: PreparedColumns,
  { columns, ...inputs }: CellsInputs,
  options: RunOptions,
  timed: boolean,
  upload: Upload,
): Promise<CellsPart> {
  // Columns that are channels of one input share its source.
  const different = [...new Set(columns)];
  const sourceOf = columns.map((input) => different.indexOf(input));
  const { mask, where } = selected(inputs, prepared.shape);
  const shape = {
    ...(different.length === 1 ? prepared.pictureShape : prepared.shape),
    ...(mask === null && { mask: NO_MASK }),
  };
  const isTimed = timed || options.timed === true;
  const all = [...different, ...(mask === null ? [] : [mask])];
  const found = await withResidents(where === null ? [] : all, upload, (residents) =>
    withAllShares(where === null ? all : residents, lanes.length, async (shares) => {
      const parts = partsOf(shares, mask !== null, where, shape);
      const cells = parts.map(() => new Float64Array(prepared.cells));
      const counted = await talk(
        options,
        parts.map(
          (part, i) => (control) =>
            lanes[part.device]!.run(
              (context) =>
                context.joint({ shape, ...part, sourceOf, timed: isTimed, into: cells[i]!, control }),
              options.signal,
            ),
        ),
      );
      return partialOf(cells, counted, prepared.cells);
    }),
  );
  const left = (inputs.where?.length ?? 0) - (where?.length ?? 0);
  return { ...found, masked: found.masked + left };
}

/** Numbers of masks in the addon. */
const NO_MASK = MaskKind.values.indexOf("none");
const BITS = MaskKind.values.indexOf("bits");

/**
 * Returns the selection that the devices apply. Bits leave out pixels of a list before, because they are not divided
 * among devices as pixels are.
 */
function selected(
  { mask, where }: Pick<CellsInputs, "mask" | "where">,
  shape: NativeJointShape,
): Pick<CellsInputs, "mask" | "where"> {
  if (where === null || mask === null || shape.mask !== BITS) return { mask, where };
  const { bytes } = samplesOf(mask);
  const isKept = (pixel: number) => (bytes[Math.floor(pixel / BYTE_BITS)]! >> (pixel % BYTE_BITS)) & 1;
  return { mask: null, where: where.filter((pixel) => isKept(pixel) === 1) };
}

function partialOf(all: readonly Float64Array[], found: readonly NativeJoint[], size: number): CellsPart {
  const [cells = new Float64Array(size), ...others] = all;
  for (const other of others) for (let i = 0; i < size; i++) cells[i]! += other[i]!;
  const masked = found.reduce((sum, part) => sum + part.masked, 0);
  return { cells, masked, timings: longest(found) };
}

/** Uploads inputs for as long as `use` runs, because a list of pixels reads them in any order. */
async function withResidents<T>(
  inputs: readonly Input[],
  upload: Upload,
  use: (inputs: readonly Input[]) => Promise<T>,
): Promise<T> {
  const own: Resident[] = [];
  try {
    const there: Input[] = [];
    for (const input of inputs) {
      const resident = await residentFor(input, upload);
      if (resident !== null) own.push(resident);
      there.push(resident === null ? input : { kind: "resident", resident });
    }
    return await use(there);
  } finally {
    await Promise.all(own.map((resident) => resident.free()));
  }
}

/** Returns a copy of an input on the devices, or null if it is there already. */
async function residentFor(input: Input, upload: Upload): Promise<Resident | null> {
  if (input.kind === "samples") return upload(input, input.samples);
  if (input.kind === "file") return upload(input, input.file);
  return null;
}

/** Opens several inputs for as long as `use` runs. Each has one share per device. */
async function withAllShares<T>(
  inputs: readonly Input[],
  devices: number,
  use: (shares: readonly (readonly Share[])[]) => Promise<T>,
): Promise<T> {
  const open = (from: number, before: readonly (readonly Share[])[]): Promise<T> =>
    from === inputs.length
      ? use(before)
      : withShares(inputs[from]!, devices, (shares) => open(from + 1, [...before, inOrder(shares)]));
  return open(0, []);
}

/** Sorts the shares of an input by their pixels. The parts of residents are in the order in which they arrived. */
function inOrder(shares: readonly Share[]): readonly Share[] {
  return shares.toSorted((a, b) => a.device - b.device);
}

/** Returns each device's part. All inputs are split at the same pixels. A mask of bits is split with them. */
function partsOf(
  shares: readonly (readonly Share[])[],
  hasMask: boolean,
  where: Uint32Array | null,
  { mask }: NativeJointShape,
): Part[] {
  const inputs = hasMask ? shares.slice(0, -1) : shares;
  let at = 0;
  return inputs[0]!.flatMap(({ device, source: { pixels } }, i): Part[] => {
    const first = at;
    at += pixels;
    const part = {
      device,
      sources: inputs.map((of) => of[i]!.source),
      mask: hasMask ? maskOf(shares.at(-1)!, i, first, pixels, mask === BITS) : null,
    };
    if (where === null) return [{ ...part, where }];
    const own = inputs[0]!.length === 1 ? where : where.filter((pixel) => pixel >= first && pixel < at);
    return own.length === 0
      ? []
      : [{ ...part, where: first === 0 ? own : own.map((pixel) => pixel - first) }];
  });
}

/** @param first the number of the part's first pixel, a multiple of BYTE_BITS */
function maskOf(
  shares: readonly Share[],
  i: number,
  first: number,
  pixels: number,
  isBits: boolean,
): NativeSource {
  if (!isBits) return shares[i]!.source;
  const { source } = shares[0]!;
  return { ...source, first: first / BYTE_BITS, pixels: limits.divideCeiling(pixels, BYTE_BITS) };
}
