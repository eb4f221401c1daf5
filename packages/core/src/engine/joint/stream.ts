import { type Axis, axisUnread } from "../../axis/index.ts";
import { expected, MAX_SAMPLES, PolybinError } from "../../base/index.ts";
import type { CountedJointHistogram } from "../../result/index.ts";
import type { Host } from "../host.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { axesOf, axisOptionsOf } from "./columns.ts";
import { jointOf } from "./count.ts";
import { type Found, findJoint, foundWithout, type Gathered, gather } from "./find.ts";
import type { JointJobs } from "./jobs.ts";
import { checkColumns, type JointColumnInput, type JointOptions } from "./options.ts";
import { type PieceReader, pieceReader } from "./piece-readers.ts";

/**
 * Counts columns that include streams or files. A piece has as many samples as all columns have ready, and each piece is
 * counted in its turn.
 * @throws ERR_INPUT for columns of different lengths; ERR_UNSUPPORTED for a selection.
 */
export async function countStreams(
  host: Host,
  jobs: JointJobs,
  lifecycle: Lifecycle,
  given: readonly JointColumnInput[],
  options: JointOptions,
): Promise<CountedJointHistogram> {
  const start = performance.now();
  const { signal: own, onProgress, timings } = options;
  checkColumns(given.length, 2, undefined);
  for (const name of ["mask", "where", "by", "channels"] as const) {
    if (options[name] === undefined) continue;
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected samples in memory or on the device with ${name} but received a stream or a file: read it into an array first`,
    );
  }
  return lifecycle.onStream(own, async (signal) => {
    const readers: PieceReader[] = [];
    try {
      for (const [k, one] of given.entries())
        readers.push(await pieceReader(host, one, `column ${k}`, signal));
      const axes = await axesOfPieces(host, readers, options);
      const total = readers.find((reader) => reader.total !== null)?.total ?? null;
      const waits = { ms: 0 };
      let counted: { readonly gathered: Gathered; readonly found: Found } | null = null;
      let done = 0;
      for (;;) {
        const samples = await readySamples(readers, done, waits);
        if (samples === 0 && counted !== null) break;
        const columns = readers.map((reader) => reader.take(samples));
        const gathered = gather(host, jobs, columns, axes, options, MAX_SAMPLES);
        const found =
          samples === 0
            ? foundWithout(gathered)
            : await lifecycle.turn(() => findJoint(gathered, { signal, timings }), signal);
        counted = { gathered, found: counted === null ? found : added(counted.found, found) };
        done += samples;
        onProgress?.({ done, total });
      }
      const { gathered, found } = counted;
      const read = { ...found.timings, readMs: found.timings.readMs + waits.ms };
      return jointOf(gathered, { ...found, timings: read }, timings ? start : null);
    } finally {
      await Promise.all(readers.map((reader) => reader.end()));
    }
  });
}

/** Waits for all columns, and returns the number of samples that each has ready. @throws ERR_INPUT if one ends early */
async function readySamples(
  readers: readonly PieceReader[],
  done: number,
  waits: { ms: number },
): Promise<number> {
  const since = performance.now();
  const ready: number[] = [];
  for (const reader of readers) ready.push(await reader.ready());
  waits.ms += performance.now() - since;
  const least = Math.min(...ready);
  if (least > 0 || ready.every((samples) => samples === 0)) return least;
  const ended = ready.indexOf(0);
  const longer = ready.findIndex((samples) => samples > 0);
  throw expected(
    "ERR_INPUT",
    `the number of samples of column ${longer}`,
    `${done}, as column ${ended} has,`,
    readers[longer]!.total ?? `at least ${done + ready[longer]!}`,
  );
}

/** Returns the axis of each column. A stream can be read only once. @throws ERR_AXIS if its data decide */
async function axesOfPieces(
  host: Host,
  readers: readonly PieceReader[],
  options: Pick<JointOptions, "axes" | "signal">,
): Promise<readonly Axis[]> {
  const { axes } = options;
  if (axes !== undefined && (!Array.isArray(axes) || axes.length !== readers.length)) {
    const received = Array.isArray(axes) ? axes.length : axes;
    throw expected("ERR_INPUT", "axes", `an array of ${readers.length}, one per column,`, received);
  }
  const why = "it can be read only once, so its range is not known";
  const found: Axis[] = [];
  for (const [k, { type, whole }] of readers.entries()) {
    const given = axes?.[k];
    if (whole === null) found.push(axisUnread(type, axisOptionsOf(given), `a stream of ${type}`, why));
    else found.push(...(await axesOf(host, [whole], { axes: given && [given], signal: options.signal })));
  }
  return found;
}

function added(sum: Found, next: Found): Found {
  const timings = {
    readMs: sum.timings.readMs + next.timings.readMs,
    uploadMs: sum.timings.uploadMs + next.timings.uploadMs,
    kernelMs: sum.timings.kernelMs + next.timings.kernelMs,
  };
  return { ...sum, cells: sum.cells.map((count, cell) => count + next.cells[cell]!), timings };
}
