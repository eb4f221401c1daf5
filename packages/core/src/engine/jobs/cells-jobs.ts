import { jointPlanOrReason, selectJointPlan } from "../../algorithms/index.ts";
import { type Axis, type CountedAs, type IntegerAxis, isSameAxis, own } from "../../axis/index.ts";
import {
  type CellsColumn,
  type CellsJob,
  kindsOf,
  type PreparedCells,
  type PreparedWeighted,
} from "../../backend/index.ts";
import { FLOW_ROWS, PolybinError } from "../../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../../input/index.ts";
import {
  type CellColumn,
  type Cells,
  cellsOf,
  codesOfPlaces,
  type Lowering,
  OVERFLOW,
} from "../../lowering/index.ts";
import {
  type CellsPlan,
  type JointRequest,
  MAX_CELLS,
  MAX_TABLE_CELLS,
  type MaskKind,
} from "../../plan/index.ts";
import { type PlaceMap, type Provenance, resultCells } from "../../result/index.ts";
import { KEPT_JOBS } from "../limits.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { keyOf } from "./key.ts";
import type { Choice, Jobs } from "./prepare.ts";
import { preparedOnce } from "./prepared-once.ts";

/** A column of a joint count as the engine knows it. */
export interface ColumnShape {
  readonly type: SampleType;
  readonly interleaved: number;
  readonly channel: number;
  readonly axis: Axis;
}

/** The shape of a joint count. */
export interface JointShape {
  /** The slowest column first. */
  readonly columns: readonly ColumnShape[];
  readonly samples: number;
  readonly mask: MaskKind;
  readonly listed: boolean;
}

/** A joint count that is checked, lowered, planned and ready to run. */
export interface PlannedJoint {
  readonly job: CellsJob;
  /** How each column's places become indices of the result. */
  readonly maps: readonly PlaceMap[];
  /** The provenance of its results if no timings were requested. */
  readonly provenance: Provenance;
  /** Prepares the device on first use. */
  prepared(): PreparedCells | Promise<PreparedCells>;
  /** Prepares the device to add up weights, if it has kernels for that. @param squares whether squares are added up too */
  weighted(squares: boolean): PreparedWeighted | Promise<PreparedWeighted>;
}

/** How columns in this process's memory become cells of a result. */
export interface HostCells extends Cells {
  readonly lowerings: readonly Lowering[];
  readonly maps: readonly PlaceMap[];
  /** The cell of the result for each cell of the columns. */
  readonly toResult: Uint32Array;
}

interface CachedJob {
  readonly columns: readonly ColumnShape[];
  readonly key: string;
  readonly planned: PlannedJoint;
}

interface CachedCells {
  readonly columns: readonly ColumnShape[];
  readonly cells: HostCells;
}

/** Plans joint counts, and caches the last ones. */
export class CellsJobs {
  readonly #opened: OpenBackend;
  readonly #jobs: Jobs;
  /** The last plans, the most recent last. */
  #kept: CachedJob[] = [];
  /** How the last columns become cells on this thread. */
  readonly #onHost: CachedCells[] = [];

  constructor(opened: OpenBackend, jobs: Jobs) {
    this.#opened = opened;
    this.#jobs = jobs;
  }

  /**
   * @throws ERR_LIMIT for too many cells.
   * @throws ERR_UNSUPPORTED if no algorithm, or not the given one, can count it.
   * @throws ERR_INPUT for a parameter; ERR_AXIS.
   */
  of(shape: JointShape, choice: Choice): PlannedJoint {
    const { algorithm = "auto" } = choice;
    const parameters = this.#jobs.parametersOf(choice);
    const { columns, samples, mask, listed } = shape;
    const places = columns.map(({ type, interleaved, channel }) => [type, interleaved, channel]);
    const key = keyOf([places, samples, mask, listed, algorithm], parameters);
    const known = this.#kept.find((kept) => kept.key === key && haveSameAxes(kept.columns, columns));
    if (known !== undefined) return known.planned;
    const lowerings = this.#lower(columns);
    const planned = this.#planned(shape, lowerings, this.#plan(shape, lowerings, choice));
    this.#kept.push({ columns, key, planned });
    if (this.#kept.length > KEPT_JOBS) this.#kept.shift();
    return planned;
  }

  /** Returns how columns in memory become cells, without a device. @throws ERR_LIMIT, ERR_AXIS, ERR_UNSUPPORTED */
  onHost(columns: readonly ColumnShape[]): HostCells {
    const known = this.#onHost.find(
      (kept) => haveSameTypes(kept.columns, columns) && haveSameAxes(kept.columns, columns),
    );
    if (known !== undefined) return known.cells;
    const cells = this.#newOnHost(columns);
    this.#onHost.push({
      columns: columns.map(({ type, interleaved, channel, axis }) => ({ type, interleaved, channel, axis })),
      cells,
    });
    if (this.#onHost.length > KEPT_JOBS) this.#onHost.shift();
    return cells;
  }

  #newOnHost(columns: readonly ColumnShape[]): HostCells {
    const lowerings = this.#lower(columns);
    const extents = columns.map((column, k) => this.#extentOf(column, lowerings[k]!));
    checkCells(extents, "cpu");
    const cells = cellsOf(lowerings.map(countable), "cpu", 0);
    checkPlaces(cells, "cpu");
    const maps = columns.map((column, k) => this.#mapOf(column, cells.columns[k]!, lowerings[k]!));
    return { ...cells, lowerings: lowerings.map(countable), maps, toResult: resultCells(maps) };
  }

  #lower(columns: readonly ColumnShape[]): Lowering[] {
    return columns.map(({ axis, type }) => this.#jobs.lowering(axis, type));
  }

  /** @throws as `of` */
  #plan(
    { columns, samples, mask, listed }: JointShape,
    lowerings: readonly Lowering[],
    choice: Choice,
  ): CellsPlan {
    const { algorithm = "auto" } = choice;
    const { backend, device, algorithms } = this.#opened;
    const { limits } = device;
    checkCells(
      columns.map((column, k) => this.#extentOf(column, lowerings[k]!)),
      limits.kind,
    );
    if (!kindsOf(device).includes("cells")) {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        `${backend} cannot count several columns, masks or groups: use another backend`,
      );
    }
    const parameters = this.#jobs.parametersOf(choice);
    const request: JointRequest = { columns: lowerings.map(countable), samples, mask, listed, parameters };
    checkPlaces(cellsOf(request.columns, limits.kind, 0), limits.kind);
    const refuses = (plan: CellsPlan) => device.refuses?.(plan) ?? null;
    if (algorithm === "auto") return selectJointPlan(request, limits, algorithms, refuses);
    const has = algorithms.map(({ slug }) => slug);
    const isOwn = has.includes(algorithm);
    const found = jointPlanOrReason(algorithm, request, limits, isOwn ? algorithms : undefined);
    const reason =
      typeof found === "string"
        ? found
        : isOwn
          ? refuses(found)
          : `${backend} has no kernel for ${algorithm}; it has ${has.join(", ")}`;
    if (reason !== null) throw new PolybinError("ERR_UNSUPPORTED", reason, { algorithm });
    return found as CellsPlan;
  }

  #planned({ columns }: JointShape, lowerings: readonly Lowering[], plan: CellsPlan): PlannedJoint {
    const { backend, device } = this.#opened;
    const counted = columns.map(
      (column, k): CellsColumn =>
        Object.freeze({
          ...column,
          type: lowerings[k]!.type,
          axis: this.countedAs(column).axis,
          lowering: countable(lowerings[k]!),
        }),
    );
    const job: CellsJob = { kind: "cells", columns: Object.freeze(counted), plan };
    const maps = columns.map((column, k) => this.#mapOf(column, plan.columns[k]!, lowerings[k]!));
    const weighted = [false, true].map((squares) =>
      preparedOnce(() => device.prepare<"weighted">({ ...job, kind: "weighted", squares })),
    );
    return {
      job,
      maps,
      provenance: { backend, device: device.name, algorithm: plan.algorithm, plan, timings: null },
      prepared: preparedOnce(() => device.prepare<"cells">(job)),
      weighted: (squares) => weighted[Number(squares)]!(),
    };
  }

  /** Returns how places of a column become indices of the result. */
  #mapOf(column: ColumnShape, place: CellColumn, lowering: Lowering): PlaceMap {
    const extent = this.#extentOf(column, lowering);
    const own = this.countedAs(column).codes;
    // An axis with a single cell of flow has it after its bins.
    const indexOf = (code: number) => Math.min(own === null ? code : own[code]!, extent - 1);
    return { extent, codes: codesOfPlaces(place, lowering).map(indexOf) };
  }

  /** Returns the samples and the axis that a device counts for a column. */
  countedAs({ axis, type }: Pick<ColumnShape, "axis" | "type">): CountedAs {
    return this.#jobs.counted(axis, type);
  }

  /**
   * Returns the number of cells of a result along an axis: its bins, and cells of flow if samples can fall outside. If
   * they can only be unknown, there is one such cell.
   */
  #extentOf(column: ColumnShape, { flow }: Lowering): number {
    const { bins } = column.axis;
    const { codes } = this.countedAs(column);
    if (codes === null) return bins + (flow ? FLOW_ROWS : 0);
    return bins + (codes.every((code) => code < bins || code === bins + OVERFLOW) ? 1 : FLOW_ROWS);
  }
}

/** Returns the axis of groups, which may have more bins than an axis that a caller makes. */
export function groupAxis(groups: number): Axis {
  return own<IntegerAxis>({ type: "integer", bins: groups, start: 0, stop: groups });
}

function haveSameTypes(a: readonly ColumnShape[], b: readonly ColumnShape[]): boolean {
  return a.length === b.length && a.every(({ type }, k) => type === b[k]!.type);
}

function haveSameAxes(a: readonly ColumnShape[], b: readonly ColumnShape[]): boolean {
  return a.length === b.length && a.every(({ axis }, k) => isSameAxis(axis, b[k]!.axis));
}

/**
 * Returns the lowering that a device counts. A constant one becomes a direct one, so that kernels need not know it. All
 * of its codes are then merged into the constant one.
 */
function countable(lowering: Lowering): Lowering {
  if (lowering.kind !== "constant") return lowering;
  const { type } = lowering;
  return { kind: "direct", type, bins: 1, flow: true, start: SAMPLE_TRAITS[type].min };
}

/** Checks what a device counts: a category, circular or f16 axis may have more places there than bins. @throws ERR_LIMIT */
function checkPlaces({ cells, columns }: Cells, kind: OpenBackend["device"]["limits"]["kind"]): void {
  const most = mostCells(kind);
  if (cells <= most) return;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most ${most} cells on the device but ${columns.map(({ extent }) => extent).join(" x ")} are ${cells}: ` +
      "use fewer bins, a category axis with fewer gaps, or a circular axis with a longer period",
  );
}

const mostCells = (kind: OpenBackend["device"]["limits"]["kind"]): number =>
  kind === "gpu" ? MAX_CELLS : MAX_TABLE_CELLS;

/** @throws ERR_LIMIT */
function checkCells(extents: readonly number[], kind: OpenBackend["device"]["limits"]["kind"]): void {
  const cells = extents.reduce((product, extent) => product * extent, 1);
  const most = mostCells(kind);
  if (cells <= most) return;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most ${most} cells but ${extents.join(" x ")}, flow included, are ${cells}: use fewer bins`,
  );
}
