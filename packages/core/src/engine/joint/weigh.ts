import type { Axis, AxisOptions } from "../../axis/index.ts";
import { checkAxisOptions, checkNoRule } from "../../axis/index.ts";
import { BYTE_VALUES, checkNames, checkSwitch, HALF_VALUES, PolybinError, Turns } from "../../base/index.ts";
import { channelsOf, FEATURE_BINS_MIN, type Input, type Samples } from "../../input/index.ts";
import { CellReader } from "../../lowering/index.ts";
import type { SumsPlan } from "../../plan/index.ts";
import {
  type DeviceTimings,
  Grouped,
  type Provenance,
  resultCells,
  WeighedHistogram,
  type WeightedHistogram,
  WeightedJointHistogram,
} from "../../result/index.ts";
import { checkFinite, ownWeights, WEIGHED_SAMPLES, type Weights } from "../../weights/index.ts";
import { axisFor } from "../axis-for.ts";
import { deviceInput } from "../device-input.ts";
import type { Host } from "../host.ts";
import { tableHost } from "../table/host.ts";
import type { Added, Addends } from "../weigh/adder.ts";
import type { Piece, PieceWeights } from "../weigh/pieces.ts";
import { adderOf, addUp } from "../weigh/weigh.ts";
import {
  checkWeighting,
  isComposedSlug,
  type WeightingOptions,
  weightingNames,
} from "../weighting-options.ts";
import { axesOf, type Column, columnsOf, sourceFrom } from "./columns.ts";
import { groupAxis } from "./find.ts";
import type { HostCells, JointJobs } from "./jobs.ts";
import {
  checkColumns,
  type JointColumnInput,
  type JointOptions,
  type JointSource,
  SELECTION_NAMES,
  type Selection,
} from "./options.ts";
import { checkGrouped, groupsOf, maskOf, whereOf } from "./selecting.ts";

/** Options of weighted calls with a mask, a list of indices, or groups. */
interface Weighting extends Selection, WeightingOptions, Pick<JointOptions, "timings"> {
  /** One finite weight per sample. A Float32Array is read as 32-bit floats, other arrays as doubles. */
  readonly weights: Weights;
}

/** Options of `joint` with weights. */
export interface WeightedJointOptions extends Weighting, Pick<JointOptions, "axes" | "channels"> {}

/** Options of `histogram` with weights and a mask, a list of indices, or groups. */
export type WeightedSelectedOptions = Weighting &
  AxisOptions & {
    readonly channel?: number;
  };

/** Adds up the weights of columns in memory. @throws ERR_INPUT, ERR_UNSUPPORTED, ERR_LIMIT */
export async function weighColumns(
  host: Host,
  jobs: JointJobs,
  given: JointSource | readonly JointColumnInput[],
  options: WeightedJointOptions,
): Promise<WeightedJointHistogram | Grouped<WeightedJointHistogram>> {
  checkOptions(options, ["axes", "channels"], host);
  const columns = columnsOf(host, given, options.channels);
  checkColumns(columns.length, 2, options.by);
  const { joint } = await weighAll(host, jobs, columns, await axesOf(host, columns, options), options);
  return options.by === undefined ? joint : new Grouped<WeightedJointHistogram>(joint);
}

/** Adds up the weights of one channel, of each group if there are groups. @throws as `weighColumns` */
export async function weighSelected(
  host: Host,
  jobs: JointJobs,
  given: JointSource,
  options: WeightedSelectedOptions,
): Promise<WeightedHistogram | Grouped<WeightedHistogram>> {
  checkOptions(options, ["channel", "axis", "bins", "range", "nice"], host);
  checkAxisOptions(options);
  checkNoRule(options);
  const source = sourceFrom(host, given, "the samples");
  const { channel: which, signal } = options;
  const [channel] = channelsOf(source, which === undefined ? "only" : { channel: which });
  const axis = await axisFor(host, source, [channel!], { ...options, signal });
  const { joint, added, provenance } = await weighAll(
    host,
    jobs,
    [{ source, channel: channel! }],
    [axis],
    options,
  );
  if (options.by !== undefined) return new Grouped<WeightedHistogram>(joint);
  const { limbs, limbsOfSquares } = added;
  return WeighedHistogram.of(joint, { limbs, limbsOfSquares, provenance });
}

function checkOptions(options: Weighting, own: readonly string[], host: Host): void {
  checkNames(options, [...own, "weights", "timings", ...SELECTION_NAMES, ...weightingNames(host)]);
  checkWeighting(options, host);
  checkSwitch(options.timings, "timings");
  const { algorithm = "auto" } = options;
  if (!isComposedSlug(algorithm, host)) return;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `${algorithm} measures a table's features before it chooses: name another algorithm, or use engine.table`,
    { algorithm },
  );
}

/** How sums were made. The host adds up more cells than the bins of a table, without a plan. */
type Made = Provenance;

async function weighAll(
  host: Host,
  jobs: JointJobs,
  columns: readonly Column[],
  axes: readonly Axis[],
  options: Weighting,
): Promise<{ readonly joint: WeightedJointHistogram; readonly added: Added; readonly provenance: Made }> {
  const start = performance.now();
  const { pixels } = columns[0]!.source;
  const mask = maskOf(host, options.mask, pixels);
  const where = whereOf(options.where, pixels);
  const by = groupsOf(options.by, pixels);
  const all = by === null ? columns : [{ source: by.source, channel: 0 }, ...columns];
  const over = by === null ? axes : [groupAxis(by.groups), ...axes];
  const weights = ownWeights(options.weights, pixels);
  const shapes = all.map(({ source: { type, channels: interleaved }, channel }, k) => {
    return { type, interleaved, channel, axis: over[k]! };
  });
  const cells = jobs.onHost(shapes);
  const sources = all.map(({ source, channel }, k) => {
    return {
      column: cells.columns[k]!,
      lowering: cells.lowerings[k]!,
      samples: inMemory(
        source.input.kind === "samples"
          ? deviceInput(host, source, jobs.countedAs({ axis: over[k]!, type: source.type }))
          : source.input,
      ),
      channel,
    };
  });
  const chosen = mask.kind === "none" ? null : { kind: mask.kind, samples: inMemory(mask.input!) };
  const reader = new CellReader(sources, { mask: chosen, where });
  const samples = where?.length ?? pixels;
  const extents = cells.maps.map(({ extent }) => extent);
  const bins = extents.reduce((product, extent) => product * extent, 1);
  const weighed = new WeighedCells(reader, cells, { samples, where, weights });
  const { added, plan, timings } = await weighed.add(host, bins, options);
  const found = checked(added, bins, extents, by?.groups ?? null);
  const provenance = {
    backend: host.backend,
    device: host.device.name,
    algorithm: plan?.algorithm ?? null,
    plan,
    timings: options.timings ? { ...timings, totalMs: performance.now() - start } : null,
  };
  const types = all.map(({ source }) => source.type);
  const joint = new WeightedJointHistogram(over, types, { ...found, masked: weighed.masked }, provenance);
  return { joint, added, provenance };
}

/** @throws ERR_UNSUPPORTED for samples that are not in this process's memory */
function inMemory(input: Input): Samples {
  if (input.kind === "samples") return input.samples;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    "expected samples in memory with weights: files and samples on a device cannot have weights",
  );
}

/** Checks sums, and that all samples are in groups. @throws ERR_LIMIT, ERR_INPUT */
function checked(added: Added, bins: number, extents: readonly number[], groups: number | null) {
  const { counts, sums, squares } = added;
  for (const of of [sums, squares]) checkFinite(of, bins, []);
  const size = groups === null ? bins : (bins / extents[0]!) * groups;
  if (groups !== null) checkGrouped(counts.subarray(size, bins), groups);
  const part = (of: Float64Array) => of.slice(0, size);
  return {
    cells: { counts: part(counts), sums: part(sums), sumsOfSquares: squares && part(squares) },
    extents: groups === null ? extents : [groups, ...extents.slice(1)],
  };
}

/** The weights of a call, and which samples they belong to. */
interface Weighable {
  readonly samples: number;
  readonly where: Uint32Array | null;
  readonly weights: Float32Array | Float64Array;
}

/** Finds the cells of samples, a piece at a time, and adds up their weights. */
class WeighedCells {
  masked = 0;
  readonly #reader: CellReader;
  readonly #toResult: Uint32Array;
  readonly #of: Weighable;

  constructor(reader: CellReader, { maps }: HostCells, of: Weighable) {
    this.#reader = reader;
    this.#toResult = resultCells(maps);
    this.#of = of;
  }

  /** Adds up as many cells as a table has bins on the device, and more on this thread. */
  async add(
    host: Host,
    cells: number,
    options: WeightingOptions,
  ): Promise<{ readonly added: Added; readonly plan: SumsPlan | null; readonly timings: DeviceTimings }> {
    const { samples, weights } = this.#of;
    if (cells <= HALF_VALUES) {
      const narrow = Math.max(FEATURE_BINS_MIN, cells) <= BYTE_VALUES ? Uint8Array : Uint16Array;
      const pieces = this.#pieces((values) => narrow.from(values));
      return addUp({ pieces, samples, bins: cells, weights }, options, tableHost(host));
    }
    const { signal, onProgress } = options;
    const start = performance.now();
    const adder = adderOf(cells, weights, samples, options);
    const turns = new Turns(signal);
    let done = 0;
    for (const piece of this.#pieces((values) => values)) {
      await adder.add(piece, async (addends) => addHere(piece.values, addends, cells));
      done += piece.pixels;
      onProgress?.({ done, total: samples });
      await turns.next();
    }
    onProgress?.({ done, total: samples });
    const timings = { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start };
    return { added: adder.added(), plan: null, timings };
  }

  /** Yields the cells and weights of samples that no mask leaves out. Each piece overwrites the one before it. */
  *#pieces<V extends Piece["values"] | Uint32Array>(
    valuesOf: (cells: Uint32Array) => V,
  ): Generator<PieceWeights & { readonly values: V }> {
    const { samples, where, weights } = this.#of;
    const toResult = this.#toResult;
    const none = toResult.length;
    const most = Math.min(samples, WEIGHED_SAMPLES);
    const cells = new Uint32Array(most);
    const inside = new Float64Array(most);
    const nothing = { rows: new Uint8Array(0), outside: new Float64Array(0) };
    for (let from = 0; from === 0 || from < samples; from += most) {
      const pixels = Math.min(most, samples - from);
      const step = cells.subarray(0, pixels);
      this.#reader.read(from, step, none);
      let kept = 0;
      for (let i = 0; i < pixels; i++) {
        if (step[i] === none) continue;
        inside[kept] = weights[where === null ? from + i : where[from + i]!]!;
        cells[kept++] = toResult[step[i]!]!;
      }
      this.masked += pixels - kept;
      yield {
        pixels,
        values: valuesOf(cells.subarray(0, kept)),
        inside: inside.subarray(0, kept),
        ...nothing,
      };
      if (samples === 0) return;
    }
  }
}

/** Adds up whole numbers or floats on this thread. */
function addHere(cells: Uint32Array, { weights, squares, counts }: Addends, bins: number) {
  const sums = new Float64Array(bins);
  const counted = counts ? new Float64Array(bins) : null;
  const squared = squares === null ? null : new Float64Array(bins);
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!;
    sums[cell]! += weights[i]!;
    if (counted !== null) counted[cell]!++;
    if (squared !== null) squared[cell]! += squares![i]!;
  }
  return { counts: counted, sums, squares: squared };
}
