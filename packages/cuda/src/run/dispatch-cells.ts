import {
  type CellsInputs,
  type CellsJob,
  type CellsPart,
  type Input,
  limits,
  type PreparedCells,
  type RunOptions,
  samplesOf,
} from "@polybin/core/backend";
import { MaskKind, type NativeSource } from "../border/index.ts";
import { type CudaResident, type Share, withShares } from "../memory/index.ts";
import { added, longest } from "./deliver.ts";
import type { Lanes } from "./lanes.ts";
import { type PreparedColumns, prepareCells } from "./prepare-cells.ts";
import { upload } from "./transfer.ts";

/** Pixels whose mask lies in a byte, if it has a bit for each. */
const BYTE_BITS = 8;

/** The number of a mask of bits in the addon. */
const BITS = MaskKind.values.indexOf("bits");

/** A selection of pixels. */
type Selection = Pick<CellsInputs, "mask" | "where">;

/** The pixels of one device: a source per input, and that of the mask. */
interface Part {
  readonly device: number;
  readonly sources: readonly NativeSource[];
  readonly mask: NativeSource | null;
  readonly where: Uint32Array | null;
}

/** Prepares a count of the cells of several columns on all devices, each a part of the pixels. */
export function cells(lanes: Lanes, job: CellsJob): PreparedCells {
  const prepared = prepareCells(job, lanes.count);
  return {
    launch: prepared.launch,
    count: (inputs, options) => count(lanes, prepared, inputs, options),
  };
}

async function count(
  lanes: Lanes,
  prepared: PreparedColumns,
  { columns, ...asked }: CellsInputs,
  options: RunOptions,
): Promise<CellsPart> {
  // Columns that are channels of one input share its source.
  const different = [...new Set(columns)];
  const sourceOf = columns.map((input) => different.indexOf(input));
  const shapes = different.length === 1 ? prepared.picture : prepared.apart;
  const isBits = shapes.masked.mask === BITS;
  const { mask, where } = selected(asked, isBits);
  const shape = mask === null ? shapes.unmasked : shapes.masked;
  const timed = lanes.isTimed(options);
  const inputs = mask === null ? different : [...different, mask];
  const call = async (there: readonly Input[]): Promise<CellsPart> =>
    withAllShares(there, lanes.count, async (shares) => {
      const parts = partsOf(mask === null ? [...shares, null] : shares, where, isBits);
      const found = await lanes.each(parts, options, async (context, { device, ...part }, control) => {
        const into = new Float64Array(prepared.cells);
        return { ...(await context.joint({ shape, ...part, sourceOf, timed, into, control })), into };
      });
      return {
        cells: added(
          found.map(({ into }) => into),
          prepared.cells,
        ),
        masked: found.reduce((sum, part) => sum + part.masked, 0),
        timings: longest(found),
      };
    });
  const found = await (where === null ? call(inputs) : withResidents(lanes, inputs, options, call));
  const left = (asked.where?.length ?? 0) - (where?.length ?? 0);
  return { ...found, masked: found.masked + left };
}

/**
 * Returns the selection that the devices apply. Bits leave out pixels of a list before, because they are not divided
 * among devices as pixels are.
 */
function selected({ mask, where }: Selection, isBits: boolean): Selection {
  if (where === null || mask === null || !isBits) return { mask, where };
  const { bytes } = samplesOf(mask);
  const isKept = (pixel: number) => (bytes[Math.floor(pixel / BYTE_BITS)]! >> (pixel % BYTE_BITS)) & 1;
  return { mask: null, where: where.filter((pixel) => isKept(pixel) === 1) };
}

/** Uploads inputs for as long as `use` runs, because a list of pixels reads them in any order. */
async function withResidents<T>(
  lanes: Lanes,
  inputs: readonly Input[],
  { signal }: RunOptions,
  use: (inputs: readonly Input[]) => Promise<T>,
): Promise<T> {
  const own: CudaResident[] = [];
  const there: Input[] = [];
  try {
    for (const input of inputs) {
      const of = input.kind === "samples" ? input.samples : input.kind === "file" ? input.file : null;
      const resident = of && (await upload(lanes, input, of, { signal }));
      if (resident !== null) own.push(resident);
      there.push(resident === null ? input : { kind: "resident", resident });
    }
    return await use(there);
  } finally {
    await Promise.all(own.map((resident) => resident.free()));
  }
}

/** Opens several inputs for as long as `use` runs. Each has one share per device. */
async function withAllShares<T>(
  inputs: readonly Input[],
  devices: number,
  use: (shares: readonly (readonly Share[])[]) => Promise<T>,
): Promise<T> {
  const [first, ...rest] = inputs;
  if (first === undefined) return use([]);
  return withShares(first, devices, (shares) =>
    withAllShares(rest, devices, (others) => use([shares, ...others])),
  );
}

/** Returns each device's part. All inputs are split at the same pixels. The last are the shares of the mask, or null. */
function partsOf(
  shares: readonly (readonly Share[] | null)[],
  where: Uint32Array | null,
  isBits: boolean,
): Part[] {
  const inputs = shares.slice(0, -1).map((of) => of!);
  const mask = shares.at(-1)!;
  let at = 0;
  return inputs[0]!.flatMap(({ device, source: { pixels } }, i): Part[] => {
    const first = at;
    at += pixels;
    const part = {
      device,
      sources: inputs.map((of) => of[i]!.source),
      mask: mask && (isBits ? bitsOf(mask[0]!.source, first, pixels) : mask[i]!.source),
    };
    if (where === null) return [{ ...part, where }];
    const own = inputs[0]!.length === 1 ? where : where.filter((pixel) => pixel >= first && pixel < at);
    return own.length === 0
      ? []
      : [{ ...part, where: first === 0 ? own : own.map((pixel) => pixel - first) }];
  });
}

/** The bits of some pixels. `first` is a multiple of BYTE_BITS. */
function bitsOf(mask: NativeSource, first: number, pixels: number): NativeSource {
  return { ...mask, first: first / BYTE_BITS, pixels: limits.divideCeiling(pixels, BYTE_BITS) };
}
