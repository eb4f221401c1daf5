import type { CallControl } from "../../base/index.ts";
import { HostCounts } from "../../result/index.ts";
import type { Progress } from "../options/options.ts";
import type { Request } from "./inputs/request.ts";
import { resultOf } from "./results.ts";
import { type Running, run } from "./run.ts";
import { SegmentedResident } from "./segmented-resident.ts";
import { SegmentsTally } from "./tallies/segments-tally.ts";

/** Counts each segment into a row that stays on the device, or in this process's memory if it was found there. */
export async function leaveSegments(
  running: Running,
  request: Request,
  { signal, onProgress }: CallControl<Progress>,
): Promise<SegmentedResident> {
  const start = performance.now();
  const { opened, lifecycle } = running;
  const [counted] = await run(running, request, { signal, onProgress });
  const { call, columns, tally, piece } = counted!;
  const { axis, type } = columns[0]!;
  const segments = call.segments!;
  const of = (timings: NonNullable<typeof counted>["timings"]) => {
    const provenance = { ...tally.provenance, timings };
    return { axis, type, segments: segments.count, masked: 0, provenance };
  };
  const total = () => (request.timings ? performance.now() - start : 0);
  if (!(tally instanceof SegmentsTally) || piece === null) {
    const rows = resultOf(counted!) as import("../../result/index.ts").CountedSegments;
    const flow = rows.rowsOfFlow;
    const kept = new HostCounts({ counts: rows.counts, flow, timings: tally.timings }, axis.bins);
    return new SegmentedResident(
      opened,
      { ...of(counted!.timings), masked: rows.masked },
      { segments, codes: null },
      kept,
    );
  }
  const left = await lifecycle.turn(
    () =>
      tally.leave(piece, {
        signal,
        timed: request.timings,
        onProgress: onProgress && progressOf(onProgress, piece.pixels),
      }),
    signal,
  );
  onProgress?.({ done: piece.pixels, total: piece.pixels });
  const timings = request.timings ? { ...(left ?? tally).timings, totalMs: total() } : null;
  const rows = left ?? new HostCounts(tally.counted(), tally.bins);
  return new SegmentedResident(opened, of(timings), { segments, codes: tally.codes }, rows);
}

function progressOf(onProgress: (progress: Progress) => void, total: number): (done: number) => void {
  return (done) => onProgress({ done, total });
}
