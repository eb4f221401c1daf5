import { html, type TemplateResult } from "lit-html";
import { binsOf, columnsFor, figure, type Mark, sumOf } from "../figure/index.ts";
import type { Part } from "../part.ts";
import { values } from "../save.ts";
import { startWorker } from "../start-worker.ts";
import { bars } from "./bars.ts";
import type {
  BinCounts,
  Counts,
  FromColumnWorker,
  Listed,
  Opened,
  ToColumnWorker,
  Wanted,
} from "./messages.ts";
import { QUANTILES } from "./quantiles.ts";
import { many, number, sentence, sentenceOfValues, whole } from "./sentence.ts";
import { type Shown, shownAs } from "./shown.ts";

interface State {
  column: string;
  bins: string;
  low: number | null;
  high: number | null;
  isLog: boolean;
  pointed: number | null;
  counted: Counts | null;
  problem: string;
}

/** Calls behind the controls. */
interface Actions {
  /** Draws the counts with changes of the view. */
  readonly change: (changes: Partial<State>) => void;
  /** Counts with changes of the question. */
  readonly count: (changes: Partial<State>) => void;
}

/** Choices of bins: that of the command, rules of NumPy, and numbers. */
const BINS: readonly (readonly [value: string, label: string])[] = [
  ["auto", "Automatic"],
  ["fd", "Freedman-Diaconis"],
  ["scott", "Scott"],
  ["sturges", "Sturges"],
  ...["10", "20", "50", "100", "200", "500", "1000"].map((bins) => [bins, bins] as const),
];
/** Pixels between two labels of the axis. */
const TICK_PIXELS = 90;

/** Shows the histogram of a column of a table, or of a list of numbers. @throws if no column can be counted. */
export async function columnPart(blob: Blob, name: string, redraw: () => void): Promise<Part> {
  const worker = startWorker("column");
  try {
    const opened = await ask<Opened>(worker, { open: blob, name });
    const state: State = {
      column: firstOf(opened.columns),
      bins: "auto",
      low: null,
      high: null,
      isLog: false,
      pointed: null,
      counted: null,
      problem: "",
    };
    const change = (changes: Partial<State>): void => {
      Object.assign(state, changes);
      redraw();
    };
    /** Counts one time after the other. An error does not remove the last result. */
    let last: Promise<unknown> = Promise.resolve();
    const count = (changes: Partial<State> = {}): Promise<void> => {
      change(changes);
      const mine = last.then(async () => {
        try {
          const counted = await ask<Counts>(worker, { count: wanted(state) });
          change({ counted, pointed: null, problem: "" });
        } catch (error) {
          change({ problem: `${state.column} was not counted: ${(error as Error).message}` });
        }
      });
      last = mine;
      return mine;
    };
    await count();
    if (state.counted === null) throw new Error(state.problem);
    return {
      render: (width) =>
        view(opened, name, state, width, { change, count: (changes) => void count(changes) }),
      close: () => worker.terminate(),
    };
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/** The first column of numbers, else the first that can be counted. @throws if there is none */
function firstOf(columns: readonly Listed[]): string {
  const counted = columns.filter(({ problem }) => problem === null);
  const first = counted.find(({ type }) => type.kind === "number" || type.kind === "decimal") ?? counted[0];
  if (first !== undefined) return first.name;
  const [refused] = columns;
  const found =
    refused === undefined ? "it has no columns" : `it has none: ${refused.name}: ${refused.problem}`;
  throw new Error(`expected a table with a column that can be counted but ${found}`);
}

function wanted({ column, bins, low, high }: State): Wanted {
  const range = low === null && high === null ? null : ([low ?? 0, high ?? 1] as const);
  return { column, bins: /^\d+$/.test(bins) ? Number(bins) : (bins as "fd"), range };
}

function ask<T extends FromColumnWorker>(worker: Worker, message: ToColumnWorker): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromColumnWorker>) => {
      if ("error" in data) reject(new Error(data.error));
      else resolve(data as T);
    };
    worker.onerror = ({ message: why }) => reject(new Error(why || "the worker could not be started"));
    worker.postMessage(message);
  });
}

function view(opened: Opened, name: string, state: State, width: number, actions: Actions): TemplateResult {
  const counted = state.counted!;
  const isOpen = document.querySelector<HTMLDetailsElement>("#values")?.open === true;
  const redrawn = (): void => actions.change({});
  return html`<section aria-label="Histogram" data-part="column">
      ${fields(opened, state, actions.count)}
      ${state.problem === "" ? null : html`<p class="absent" role="alert">${state.problem}</p>`}
      ${counted.kind === "bins" ? binsView(counted, name, state, width, actions) : html`${bars(counted)}<p class="reading">${sentenceOfValues(counted, name)}</p>`}
    </section>
    ${counted.kind === "bins" ? facts(counted, shownAs(counted.type)) : null}
    ${values(counted.kind === "bins" ? rowsOfBins(counted) : rowsOfValues(counted), isOpen, redrawn)}`;
}

function binsView(
  counted: BinCounts,
  name: string,
  state: State,
  width: number,
  { change }: Actions,
): TemplateResult {
  const { edges, counts, stats, isEach } = counted;
  const shown = shownAs(counted.type);
  const [from, to] = [edges[0]!, edges.at(-1)!];
  /** A whole value that has a bin is in the middle of it. */
  const at = (value: number): number => (value - from + (isEach ? 0.5 : 0)) / (to - from);
  const marks = [50, 5, 95, 25, 75]
    .map(
      (percent): Mark => ({
        at: at(stats?.quantiles[QUANTILES.indexOf(percent)] ?? Number.NaN),
        label: `${percent}%`,
      }),
    )
    .filter((mark) => mark.at >= 0 && mark.at <= 1);
  const read =
    state.pointed === null ? sentence(counted, name, shown.text) : reading(counted, state.pointed, shown);
  return html`${figure({
    title: `Histogram of ${counted.column}: values per bin from ${shown.text(from)} to ${shown.text(to)}`,
    width,
    series: [{ name: counted.column, colour: "var(--blue)", counts }],
    ticks: ticksOf(counted, shown, width).map((value): Mark => ({ at: at(value), label: shown.text(value) })),
    marks,
    isLog: state.isLog,
    unit: "values",
    pointed: state.pointed,
    reading: read,
    point: (pointed) => change({ pointed }),
  })}
    <p class="reading">${read}</p>
    <label class="check"><input id="log" type="checkbox" .checked=${state.isLog} @change=${(event: Event) => change({ isLog: (event.target as HTMLInputElement).checked })} />Logarithmic counts</label>`;
}

/** Round values along the axis. */
function ticksOf({ edges, isEach }: BinCounts, { ticks }: Shown, width: number): number[] {
  const [from, to] = [edges[0]!, edges.at(-1)!];
  const last = isEach ? to - 1 : to;
  if (from === last) return [from];
  const found = ticks(from, last, Math.max(2, Math.floor(width / TICK_PIXELS)));
  return isEach ? found.filter(Number.isInteger) : found;
}

function rowsOfBins({ column, edges, counts, type, isEach }: BinCounts): Parameters<typeof values>[0] {
  const { text } = shownAs(type);
  const isTime = type.kind === "timestamp" || type.kind === "date" || type.kind === "time";
  const shown = (value: number): number | string => (isTime ? text(value) : value);
  return {
    name: `${column}-histogram`,
    columns: isEach ? ["value", "values"] : ["from", "to", "values"],
    length: counts.length,
    row: (bin) =>
      isEach
        ? [shown(edges[bin]!), counts[bin]!]
        : [shown(edges[bin]!), shown(edges[bin + 1]!), counts[bin]!],
  };
}

function rowsOfValues({ column, top, distinct }: Exclude<Counts, BinCounts>): Parameters<typeof values>[0] {
  const note = distinct > top.length ? ` of ${whole(distinct)}` : "";
  return {
    name: `${column}-values`,
    columns: [`value${note === "" ? "" : ` (the first ${whole(top.length)}${note})`}`, "rows"],
    length: top.length,
    row: (at) => top[at]!,
  };
}

function fields({ columns, format }: Opened, state: State, count: Actions["count"]): TemplateResult {
  const value = (event: Event): string => (event.target as HTMLSelectElement).value;
  const limit = (event: Event): number | null => {
    const given = (event.target as HTMLInputElement).valueAsNumber;
    return Number.isNaN(given) ? null : given;
  };
  const { counted } = state;
  const type = counted?.kind === "bins" ? counted.type.kind : null;
  const hasRange = type === "number" || type === "decimal";
  return html`<div class="fields">
    ${
      format === "numbers"
        ? null
        : html`<label class="field"><span>Column</span><select id="column" @change=${(event: Event) => count({ column: value(event), low: null, high: null })}>
      ${columns.map(({ name, type: { kind, ...rest }, problem }) => html`<option value=${name} ?disabled=${problem !== null} .selected=${name === state.column}>${name} (${kind === "number" && "type" in rest ? rest.type : kind})</option>`)}</select></label>`
    }
    ${
      type === null
        ? null
        : html`<label class="field"><span>Bins</span><select id="bins" @change=${(event: Event) => count({ bins: value(event) })}>
      ${BINS.map(([bins, label]) => html`<option value=${bins} .selected=${bins === state.bins}>${label}</option>`)}</select></label>`
    }
    ${
      hasRange
        ? html`<label class="field"><span>From</span><input type="number" id="low" step="any" placeholder="lowest" .value=${textOf(state.low)} @change=${(event: Event) => count(limits(state, { low: limit(event) }))} /></label>
    <label class="field"><span>To</span><input type="number" id="high" step="any" placeholder="highest" .value=${textOf(state.high)} @change=${(event: Event) => count(limits(state, { high: limit(event) }))} /></label>`
        : null
    }
  </div>`;
}

const textOf = (limit: number | null): string => (limit === null ? "" : String(limit));

/** A range has two ends: the one that is not given is that of the data. */
function limits(
  state: State,
  given: { readonly low?: number | null; readonly high?: number | null },
): Partial<State> {
  const stats = state.counted?.kind === "bins" ? state.counted.stats : null;
  const { min = 0, max = 1 } = stats ?? {};
  const low = given.low === undefined ? state.low : given.low;
  const high = given.high === undefined ? state.high : given.high;
  return low === null && high === null ? { low, high } : { low: low ?? min, high: high ?? max };
}

function reading({ edges, counts, isEach }: BinCounts, column: number, { text }: Shown): string {
  const columns = columnsFor(counts.length);
  const bins = binsOf(column, columns, counts.length);
  const [first, last] = bins;
  const found = many(sumOf(counts, bins), "value");
  if (isEach) return `${text(edges[first]!)}: ${found}.`;
  const end = last === counts.length - 1 ? "]" : ")";
  const range = `[${text(edges[first]!)}, ${text(edges[last + 1]!)}${end}`;
  const name = first === last ? `Bin ${whole(first + 1)}` : `Bins ${whole(first + 1)} to ${whole(last + 1)}`;
  return `${name} of ${whole(counts.length)}: ${found} in ${range}.`;
}

function facts(
  { stats, nulls, nan, underflow, overflow, ms, algorithm }: BinCounts,
  { text }: Shown,
): TemplateResult {
  const rows: readonly (readonly [string, string])[] = [
    ...(stats === null
      ? []
      : [
          ["lowest", text(stats.min)] as const,
          ...QUANTILES.map((percent, i) => [`${percent}%`, text(stats.quantiles[i]!)] as const),
          ["highest", text(stats.max)] as const,
          ["mean", text(stats.mean)] as const,
        ]),
    ["below the range", whole(underflow)],
    ["above the range", whole(overflow)],
    ["NaN", whole(nan)],
    ["nulls", whole(nulls)],
  ];
  return html`<details id="facts"><summary>Quantiles and values outside the bins</summary>
    <p class="facts">Counted in ${number(ms)} ms by ${algorithm}, one Web Worker. Quantiles are values of the data.</p>
    <div class="scroll" tabindex="0" role="group" aria-label="Quantiles"><table>
      
      <tbody>${rows.map(([what, value]) => html`<tr><th scope="row">${what}</th><td class="number">${value}</td></tr>`)}</tbody>
    </table></div></details>`;
}
