import { html, type TemplateResult } from "lit-html";
import { figure, type Mark } from "../figure.ts";
import type { Part } from "../part.ts";
import { values } from "../save.ts";
import { startWorker } from "../start-worker.ts";
import type { ColumnCounts, FromColumnWorker, Listed, ToColumnWorker, Wanted } from "./counting.ts";
import { QUANTILES } from "./quantiles.ts";
import { many, number, sentence, whole } from "./sentence.ts";

interface State {
  column: string;
  bins: string;
  low: number | null;
  high: number | null;
  isLog: boolean;
  pointed: number | null;
  counted: ColumnCounts | null;
  problem: string;
}

/** Calls behind the controls. */
interface Actions {
  /** Draws the counts with changes of the view. */
  readonly change: (changes: Partial<State>) => void;
  /** Counts with changes of the question. */
  readonly count: (changes: Partial<State>) => void;
}

/** Choices of bins: rules of NumPy, and numbers. */
const BINS: readonly (readonly [value: string, label: string])[] = [
  ["fd", "Freedman-Diaconis"],
  ["scott", "Scott"],
  ["sturges", "Sturges"],
  ...["10", "20", "50", "100", "200", "500", "1000"].map((bins) => [bins, bins] as const),
];

type Opened = Extract<FromColumnWorker, { readonly columns: readonly Listed[] }>;

/** Shows the histogram of a column of a table, or of a list of numbers. @throws if there is no column of numbers. */
export async function columnPart(blob: Blob, name: string, redraw: () => void): Promise<Part> {
  const worker = startWorker("column");
  try {
    const opened = await ask<Opened>(worker, { open: blob, name });
    const first = opened.columns.find(({ problem }) => problem === null);
    if (first === undefined) throw new Error(reasons(opened.columns));
    const state: State = {
      column: first.name,
      bins: "fd",
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
          const counted = await ask<ColumnCounts>(worker, { count: wanted(state) });
          change({ counted, pointed: null, problem: "" });
        } catch (error) {
          change({ problem: (error as Error).message });
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

function wanted({ column, bins, low, high }: State): Wanted {
  const range = low === null && high === null ? null : ([low ?? 0, high ?? 1] as const);
  return { column, bins: /^\d+$/.test(bins) ? Number(bins) : (bins as "fd"), range };
}

const reasons = (columns: readonly Listed[]): string =>
  columns.length === 0
    ? "expected a table with a column of numbers but it has no columns"
    : `expected a column of numbers but found ${columns
        .slice(0, 6)
        .map(({ name, type }) => `${name} (${type})`)
        .join(", ")}`;

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

function view(
  opened: Opened,
  name: string,
  state: State,
  width: number,
  { change, count }: Actions,
): TemplateResult {
  const counted = state.counted!;
  const { edges, counts, stats } = counted;
  const [from, to] = [edges[0]!, edges.at(-1)!];
  const at = (value: number): number => (value - from) / (to - from);
  const marks = [50, 5, 95, 25, 75]
    .map(
      (percent): Mark => ({
        at: at(stats?.quantiles[QUANTILES.indexOf(percent)] ?? Number.NaN),
        label: `${percent}%`,
      }),
    )
    .filter((mark) => mark.at >= 0 && mark.at <= 1);
  const ticks = [0, 1, 0.5, 0.25, 0.75].map(
    (part): Mark => ({ at: part, label: number(from + part * (to - from)) }),
  );
  return html`<section aria-label="Histogram" data-part="column">
      ${fields(opened, state, count)}
      ${figure({
        title: `Histogram of ${counted.column}: values per bin from ${number(from)} to ${number(to)}`,
        width,
        series: [{ name: counted.column, colour: "var(--blue)", counts }],
        ticks,
        marks,
        isLog: state.isLog,
        pointed: state.pointed,
        point: (pointed) => change({ pointed }),
      })}
      <p class="reading">${state.pointed === null ? sentence(counted, name) : reading(counted, state.pointed)}</p>
      <label class="check"><input id="log" type="checkbox" .checked=${state.isLog} @change=${(event: Event) => change({ isLog: (event.target as HTMLInputElement).checked })} />Logarithmic line</label>
    </section>
    ${state.problem === "" ? null : html`<p class="absent" role="alert">${state.problem}</p>`}
    ${facts(counted)}
    ${values(
      {
        name: `${counted.column}-histogram`,
        columns: ["from", "to", "values"],
        length: counts.length,
        row: (bin) => [edges[bin]!, edges[bin + 1]!, counts[bin]!],
      },
      document.querySelector<HTMLDetailsElement>("#values")?.open === true,
      () => change({}),
    )}`;
}

function fields({ columns, format }: Opened, state: State, count: Actions["count"]): TemplateResult {
  const value = (event: Event): string => (event.target as HTMLSelectElement).value;
  const limit = (event: Event): number | null => {
    const given = (event.target as HTMLInputElement).valueAsNumber;
    return Number.isNaN(given) ? null : given;
  };
  return html`<div class="fields">
    ${
      format === "numbers"
        ? null
        : html`<label class="field"><span>Column</span><select id="column" @change=${(event: Event) => count({ column: value(event), low: null, high: null })}>
      ${columns.map(({ name, type, problem }) => html`<option value=${name} ?disabled=${problem !== null} .selected=${name === state.column}>${name} (${type})</option>`)}</select></label>`
    }
    <label class="field"><span>Bins</span><select id="bins" @change=${(event: Event) => count({ bins: value(event) })}>
      ${BINS.map(([bins, label]) => html`<option value=${bins} .selected=${bins === state.bins}>${label}</option>`)}</select></label>
    <label class="field"><span>From</span><input type="number" id="low" step="any" placeholder="lowest" @change=${(event: Event) => count(limits(state, { low: limit(event) }))} /></label>
    <label class="field"><span>To</span><input type="number" id="high" step="any" placeholder="highest" @change=${(event: Event) => count(limits(state, { high: limit(event) }))} /></label>
  </div>`;
}

/** A range has two ends: the one that is not given is that of the data. */
function limits(
  state: State,
  given: { readonly low?: number | null; readonly high?: number | null },
): Partial<State> {
  const { min = 0, max = 1 } = state.counted?.stats ?? {};
  const low = given.low === undefined ? state.low : given.low;
  const high = given.high === undefined ? state.high : given.high;
  return low === null && high === null ? { low, high } : { low: low ?? min, high: high ?? max };
}

function reading({ edges, counts }: ColumnCounts, bin: number): string {
  const end = bin === counts.length - 1 ? "]" : ")";
  return `Bin ${whole(bin + 1)} of ${whole(counts.length)}: ${many(counts[bin]!, "value")} in [${number(edges[bin]!)}, ${number(edges[bin + 1]!)}${end}.`;
}

function facts({ stats, nulls, nan, underflow, overflow, ms, algorithm }: ColumnCounts): TemplateResult {
  const rows: readonly (readonly [string, string])[] = [
    ...(stats === null
      ? []
      : [
          ["lowest", number(stats.min)] as const,
          ...QUANTILES.map((percent, i) => [`${percent}%`, number(stats.quantiles[i]!)] as const),
          ["highest", number(stats.max)] as const,
          ["mean", number(stats.mean)] as const,
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
