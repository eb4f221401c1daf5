// Runs one program over generated columns, and leaves its times in `window.times`.
import { wrap } from "comlink";
import type { Data } from "../src/data-worker.ts";
import { PROGRAMS } from "./programs.ts";

export interface Times {
  readonly first: number;
  readonly steps: readonly number[];
  /** The longest task of the page's thread while it opened and while it brushed. 0: none of 50 ms, which browsers report. */
  readonly longest: { readonly first: number; readonly steps: number };
  readonly checksum: number;
}

declare global {
  interface Window {
    times: Times;
  }
}

const HOURS = 4;
const query = new URLSearchParams(location.search);
const [name, rows, steps] = [query.get("program")!, Number(query.get("rows")), Number(query.get("steps"))];

let longest = 0;
const observer = new PerformanceObserver((list) => note(list.getEntries()));
const note = (entries: PerformanceEntryList) => {
  for (const { duration } of entries) longest = Math.max(longest, duration);
};
/** The longest task since the last call. A task is reported when it has ended. */
async function longestTask(): Promise<number> {
  await frame();
  await new Promise((resolve) => setTimeout(resolve, 100));
  note(observer.takeRecords());
  const found = longest;
  longest = 0;
  return found;
}
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

const data = wrap<Data>(new Worker(new URL("../src/data-worker.ts", import.meta.url), { type: "module" }));
const columns = await data.columns(rows);
const program = PROGRAMS[name]!();
observer.observe({ type: "longtask" });
await longestTask();

const start = performance.now();
await program.open(columns);
const first = performance.now() - start;
const opened = await longestTask();

const times: number[] = [];
let checksum = 0;
// A brush of four hours moves through the day, one step per frame.
for (let step = 0; step < steps; step++) {
  await frame();
  const lo = 4 + Math.round((10 * step * 40) / steps) / 40;
  const start = performance.now();
  const counts = await program.brush({ lo, hi: lo + HOURS });
  times.push(performance.now() - start);
  for (let bin = 0; bin < counts.length; bin++) checksum += (bin + 1) * counts[bin]!;
}
window.times = { first, steps: times, longest: { first: opened, steps: await longestTask() }, checksum };
