import { html, type TemplateResult } from "lit-html";
import { figure } from "../data/index.ts";
import type { Cell } from "../show/index.ts";
import { LIVE, type Measured } from "../try/index.ts";

/** The measurements of the reader's own browser, while the page is open. */
interface State {
  readonly cells: Map<string, Measured>;
  running: string | null;
  error: string | null;
}

const state: State = { cells: new Map(), running: null, error: null };

/** Whether the table has a column of the reader's browser. */
export const hasBrowser = (): boolean => state.cells.size > 0 || state.running !== null;

/** The button that measures the reader's browser, or what it measures now. */
export function browserPart(redraw: () => void): TemplateResult {
  if (state.running !== null) return html`<p role="status" id="measuring">Measuring: ${state.running} …</p>`;
  return html`<button id="measure" type="button" @click=${() => void measure(redraw)}>
      ${state.cells.size === 0 ? "Measure this browser (20 seconds)" : "Measure this browser again"}
    </button>
    ${state.error === null ? null : html`<p role="alert" class="absent">This browser could not be measured: ${state.error}</p>`}`;
}

async function measure(redraw: () => void): Promise<void> {
  state.running = "loading the library";
  state.error = null;
  state.cells.clear();
  redraw();
  try {
    const { runTasks } = await LIVE.tasks();
    for await (const step of runTasks()) {
      if ("about" in step) state.running = step.about;
      else state.cells.set(step.task, step);
      redraw();
    }
  } catch (error) {
    state.error = (error as Error).message;
  }
  state.running = null;
  redraw();
}

/** The cell of a task: the fastest of polybin's ways here, and the factor over a plain loop. */
export function browserCell(task: string): Cell {
  const found = state.cells.get(task);
  if (found === undefined)
    return html`<span class="unmeasured">${state.running === null ? "not measured" : "…"}</span>`;
  if ("why" in found) return html`<span class="unmeasured">${found.why}</span>`;
  const { best, where, all, loopMs } = found;
  const slower = loopMs !== null && loopMs < best;
  return html`<span title=${all}>${figure(best)} ms</span><small>${where}${
    loopMs === null
      ? null
      : html`, <span class=${slower ? "bad" : ""}>${figure(loopMs / best)}</span> times a plain loop`
  }</small>`;
}
