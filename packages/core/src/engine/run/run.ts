import { kindsOf } from "../../backend/index.ts";
import { type CallControl, expected } from "../../base/index.ts";
import type { DeviceTimings, Timings } from "../../result/index.ts";
import type { SegmentJobs } from "../jobs/segment-jobs.ts";
import type { Lifecycle } from "../opened/lifecycle.ts";
import type { Progress } from "../options/options.ts";
import { checkInto } from "../options/segmented-options.ts";
import { eachPiece, wholePiece } from "./inputs/pieces.ts";
import type { Request } from "./inputs/request.ts";
import { checkWhere, type Piece } from "./inputs/selection.ts";
import { Inputs, type OpenCall, openCall, readsPieces } from "./open-call.ts";
import type { Call, CallParts, Column } from "./tallies/call.ts";
import { CellsTally, sumOf } from "./tallies/cells-tally.ts";
import { FoundTally } from "./tallies/found-tally.ts";
import { SegmentsTally } from "./tallies/segments-tally.ts";
import { SumsTally } from "./tallies/sums-tally.ts";
import { WeightedTally, weighsOnDevice } from "./tallies/weighted-tally.ts";

/** The open engine, as calls see it. */
export interface Running extends CallParts {
  readonly lifecycle: Lifecycle;
  readonly segmentJobs: SegmentJobs;
}

/** Counts a call into one result. */
type AnyTally = CellsTally | FoundTally | SegmentsTally | SumsTally | WeightedTally;
/** Counts of cells, of one call or of several. */
export type CountsTally = Pick<CellsTally, "provenance" | "timings" | "counts">;

/** One result of a call before it becomes a histogram. */
export interface CallCounts {
  readonly call: Call;
  readonly columns: readonly Column[];
  readonly tally: SegmentsTally | SumsTally | WeightedTally | CountsTally;
  /** Null: no timings were requested. */
  readonly timings: Timings | null;
  /** Whether the call was counted in place. */
  readonly piece: Piece | null;
}

/** Runs a request. Each of its results is counted in the same pass over the inputs. */
export async function run(
  running: Running,
  request: Request,
  { signal, onProgress }: CallControl<Progress>,
): Promise<readonly CallCounts[]> {
  const { lifecycle } = running;
  if (readsPieces(request)) {
    return lifecycle.onStream(signal, (ending) => runWith(running, request, { signal: ending, onProgress }));
  }
  return lifecycle.ownTurn(() => runWith(running, request, { signal, onProgress }), signal);
}

async function runWith(
  running: Running,
  request: Request,
  talk: CallControl<Progress>,
): Promise<readonly CallCounts[]> {
  const since = performance.now();
  const inputs = new Inputs(running, talk.signal);
  try {
    const open = await openCall(running, request, inputs, talk.signal);
    const tallies = open.results.map((columns) => tallyOf(running, open, columns, request));
    const { waitedMs, piece } = await addAll(running, open, tallies, request, talk);
    return open.results.map((columns, k) => {
      const tally = tallies[k]!;
      const read: DeviceTimings = { readMs: waitedMs, uploadMs: 0, kernelMs: 0 };
      const timings = request.timings
        ? { ...sumOf(tally.timings, read), totalMs: performance.now() - since }
        : null;
      return { call: open.call, columns, tally, timings, piece };
    });
  } finally {
    await inputs.end();
  }
}

/** Chooses how a result is counted: by a kernel of the device if it has one, otherwise by cells that this thread finds. */
export function tallyOf(
  { opened, segmentJobs }: Pick<Running, "opened" | "segmentJobs">,
  { call, isRead }: Pick<OpenCall, "call" | "isRead">,
  columns: readonly Column[],
  { rows }: Pick<Request, "rows">,
): AnyTally {
  const kinds = kindsOf(opened.device);
  if (call.weights !== null) {
    const cells = cellsOf(call, columns);
    return weighsOnDevice(opened, cells, call.weighting)
      ? new WeightedTally(call, columns, !isRead)
      : new SumsTally(call, columns);
  }
  if (rows.kind === "segments") {
    checkInto(rows.into, call.segments!, columns.at(-1)!.axis.bins);
    const isPlain = columns.length === 1 && call.mask === null && call.where === null;
    const isCut = isRead && call.segments!.kind === "tiles";
    return isPlain && !isCut && kinds.includes("segments")
      ? new SegmentsTally(call, columns[0]!, segmentJobs, rows.into)
      : new FoundTally(call, columns);
  }
  return kinds.includes("cells") ? new CellsTally(call, columns, !isRead) : new FoundTally(call, columns);
}

/** Returns the number of cells of all rows of a call. */
function cellsOf({ cellsJobs, segments }: Call, columns: readonly Column[]): number {
  return cellsJobs.onHost(columns).cells * (segments?.count ?? 1);
}

/** Adds all samples to the tallies. */
async function addAll(
  { lifecycle }: Pick<Running, "lifecycle">,
  { call, inputs, isRead }: OpenCall,
  tallies: readonly AnyTally[],
  { rows, timings: timed }: Request,
  { signal, onProgress }: CallControl<Progress>,
): Promise<{ readonly waitedMs: number; readonly piece: Piece | null }> {
  const { total } = call;
  if (!isRead) {
    const piece = wholePiece(total!);
    const samples = call.where?.length ?? total!;
    const isLeft = (tally: AnyTally) =>
      rows.kind === "segments" && rows.leave && tally instanceof SegmentsTally;
    for (const [k, tally] of tallies.entries()) {
      const tell =
        onProgress &&
        ((done: number) => onProgress({ done: (k * samples + done) / tallies.length, total: samples }));
      if (!isLeft(tally)) await tally.add(piece, { signal, onProgress: tell, timed });
      signal?.throwIfAborted();
    }
    // Rows that stay on the device are counted afterwards.
    if (!tallies.some(isLeft)) onProgress?.({ done: samples, total: samples });
    return { waitedMs: 0, piece };
  }
  const { pixels, waitedMs } = await eachPiece(inputs, lifecycle, signal, async (piece) => {
    checkWeights(call, piece.first + piece.pixels, false);
    for (const tally of tallies) await tally.add(piece, { signal, timed });
    onProgress?.({ done: piece.first + piece.pixels, total });
  });
  checkWeights(call, pixels, true);
  if (call.where !== null) checkWhere(call.where, pixels);
  if (pixels === 0) onProgress?.({ done: 0, total });
  return { waitedMs, piece: null };
}

/** @throws ERR_INPUT if a stream has another number of samples than an array of weights */
function checkWeights({ weights }: Call, samples: number, isAll: boolean): void {
  for (const { name, input, total } of weights ?? []) {
    if (input !== null || (isAll ? total === samples : total! >= samples)) continue;
    const what = isAll ? `${samples}, one per sample,` : `at least ${samples}, one per sample,`;
    throw expected("ERR_INPUT", `${name}.length`, what, total);
  }
}
