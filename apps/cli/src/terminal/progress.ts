import type { Progress } from "@polybin/core";
import { inputName, plural, throughput, whole } from "../base/index.ts";

/** Receives the progress of the work from time to time. */
export type Watch = (progress: Progress) => void;

/** The unit of progress: bytes, values of features, or shards of a cluster. */
export type Unit = "B" | "value" | "shard";

interface ProgressBar {
  readonly watch: Watch;
  /** Removes the bar. */
  readonly clear: () => void;
}

const EVERY_MS = 100;
/** Work that ends sooner shows no bar. */
const FIRST_MS = 500;
const BAR_COLUMNS = 24;
const DEFAULT_COLUMNS = 80;
/** Columns of the name at least. */
const LEAST_NAME = 8;

/** The part of a terminal's stream that a bar needs. */
type Terminal = Pick<NodeJS.WriteStream, "isTTY" | "columns"> & NodeJS.WritableStream;

/** Shows a bar with throughput and time left if the stream is a terminal, else nothing. */
export async function progressBar(
  name: string,
  unit: Unit,
  stream: Terminal = process.stderr,
  now: () => number = () => performance.now(),
): Promise<ProgressBar> {
  if (!stream.isTTY || process.env.TERM === "dumb") return { watch: () => {}, clear: () => {} };
  const { default: cli } = await import("cli-progress");
  let next = now() + FIRST_MS;
  let first: { readonly time: number; readonly done: number } | null = null;
  let state: State = {
    name: inputName(name),
    unit,
    done: 0,
    total: null,
    gained: 0,
    ms: 0,
    columns: DEFAULT_COLUMNS,
  };
  const bar = new cli.SingleBar({
    stream,
    clearOnComplete: true,
    // The line fits. Without this, a process that is killed would leave a terminal that does not wrap.
    linewrap: true,
    barsize: BAR_COLUMNS,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    format: (options, { progress }) =>
      barLine(state, (columns) => cli.Format.BarFormat(progress, { ...options, barsize: columns })),
  });
  return {
    watch: ({ done, total }) => {
      const time = now();
      // The time before the first report went into opening a backend.
      first ??= { time, done };
      if (time < next) return;
      next = time + EVERY_MS;
      state = {
        ...state,
        done,
        total,
        gained: done - first.done,
        ms: time - first.time,
        columns: stream.columns || DEFAULT_COLUMNS,
      };
      if (bar.isActive) bar.update(total ? done : 0);
      else bar.start(total || 1, total ? done : 0);
    },
    clear: () => bar.stop(),
  };
}

/** The data of a bar. */
interface State {
  readonly name: string;
  readonly unit: Unit;
  readonly done: number;
  /** Null or 0 if the amount is unknown. */
  readonly total: number | null;
  /** Done since the first report, in `ms`. */
  readonly gained: number;
  readonly ms: number;
  /** Of the terminal. */
  readonly columns: number;
}

/** The line of a bar, which fits the terminal. @param bar draws one of this width */
function barLine(state: State, bar: (columns: number) => string): string {
  const { name, done, total, gained, ms, columns } = state;
  const parts = [
    total ? `${Math.floor((100 * done) / total)}%` : amount(state),
    ...(gained > 0 ? [rate(state)] : []),
    ...(gained > 0 && total ? [left(((total - done) / gained) * ms)] : []),
  ];
  // A narrow terminal shows less: first without the time left, then without the rate.
  while (parts.length > 1 && columns - parts.join("  ").length - 2 < LEAST_NAME) parts.pop();
  const told = parts.join("  ");
  const room = columns - told.length - 5;
  const drawn = total ? Math.max(0, Math.min(BAR_COLUMNS, room - LEAST_NAME)) : 0;
  const most = Math.max(LEAST_NAME, room - drawn);
  const shown = name.length > most ? `${name.slice(0, most - 1)}…` : name;
  return [shown, ...(drawn > 0 ? [bar(drawn)] : []), told].join("  ");
}

function amount({ unit, done }: State): string {
  if (unit === "shard") return plural(done, unit);
  return unit === "B" ? `${millions(done)} MB` : `${millions(done)} million values`;
}

function rate({ unit, gained, ms }: State): string {
  if (unit === "shard") return `${((1e3 * gained) / ms).toPrecision(3)} shards/s`;
  return unit === "B" ? throughput(gained, ms) : `${millions((1e3 * gained) / ms)} million values/s`;
}

function millions(count: number): string {
  return whole(Math.round(count / 1e6));
}

/** 75_000 -> 1m 15s left */
function left(ms: number): string {
  const seconds = Math.ceil(ms / 1e3);
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (hours > 0) return `${hours}h ${minutes % 60}m left`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s left` : `${seconds}s left`;
}
