import { html, type TemplateResult } from "lit-html";
import {
  basisName,
  comparisons,
  figure,
  isInvalid,
  isOurs,
  memoryOf,
  neighbour,
  percent,
  type Run,
  ratio,
  runsOf,
  shareOf,
} from "../data/index.ts";
import { absent, type Context, chosen, ranges, select, table, type View } from "../show/index.ts";
import { cellLink } from "./cell-link.ts";
import { comparisonCells } from "./comparison-cells.ts";
import { type Contestant, contestants } from "./groups.ts";
import { nothingOn } from "./nothing.ts";
import { roofline } from "./roofline.ts";

const OURS = "polybin";
const OTHERS = "other programs";

/** How fast the machine counts, next to its memory and to other programs. */
export const overview: View = {
  id: "overview",
  title: "Overview",
  question:
    "How fast does this machine count, how near to the limit of its memory, and does it depend on the data?",
  about:
    "All numbers above the roofline are from one run: one file, measured on one machine at one commit. A bar ends at the slowest distribution, and its whisker at the fastest. The share is against the fastest kernel that only reads the same bytes from the same memory, in the same run. A run counts only if at least two distributions were measured.",
  reads: "one machine",
  basis: "switch",
  async render(context) {
    const runs = runsOf(context.rows, context.measured);
    if (runs.length === 0) return nothingOn(context, "Nothing was measured on two distributions");
    const key = chosen(
      context,
      "run",
      runs.map((one) => one.key),
    );
    const run = runs.find((one) => one.key === key)!;
    const everyone = contestants(run.rows, ({ gbps }) => gbps);
    const measured = everyone.filter(({ rows }) => rows.length > 1);
    const best = measured.find(({ worst }) => isOurs(worst))!;
    const once = everyone.length - measured.length;
    return html`${cards(context, run, measured, best)}
      ${ranking(context, run, measured)}
      ${invalid(run)}
      ${once === 0 ? null : html`<p>${once} contestant${once === 1 ? " was" : "s were"} measured on one distribution only, which allows no rank.</p>`}
      ${select(
        "Run",
        runs.map((one) => ({ value: one.key, label: `${one.what} (${one.rows[0]!.file.name})` })),
        key,
        (value) => context.select({ run: value }),
      )}
      ${losses(context)}
      ${await roofline(context)}`;
  },
};

function cards(
  { basis }: Context,
  run: Run,
  measured: readonly Contestant[],
  best: Contestant,
): TemplateResult {
  const { worst, best: fastest, worstOverBest, name, rows } = best;
  const share = isInvalid(run) ? null : shareOf(worst, run);
  const peer = measured.find((one) => !isOurs(one.worst));
  return html`<p id="what">${name}, ${run.what}, ${basisName(basis)}, slowest of ${rows.length} distributions:</p>
    <ul class="cards four">
      <li><strong>${figure(worst.gbps)} GB/s</strong><span>on ${worst.distribution}; ${figure(fastest.gbps)} GB/s on ${fastest.distribution}</span></li>
      <li><strong>${percent(share)}</strong><span>${
        run.ceiling === null
          ? `no ceiling of ${memoryOf(worst)} was measured in this run`
          : share === null
            ? "the measured ceiling is invalid"
            : `of the ceiling of ${memoryOf(worst)}, ${figure(run.ceiling.gbps)} GB/s`
      }</span></li>
      <li><strong>${ratio(worstOverBest)}</strong><span>worst over best distribution</span></li>
      <li>${peer === undefined ? html`<strong>–</strong><span>no other program on several distributions in this run</span>` : against(best, peer)}</li>
    </ul>`;
}

/** Compares with the fastest other program, distribution by distribution. */
function against(ours: Contestant, theirs: Contestant): TemplateResult {
  const factors = theirs.rows.flatMap((row) => {
    const same = ours.rows.find(({ distribution }) => distribution === row.distribution);
    return same === undefined ? [] : [same.gbps / row.gbps];
  });
  const lost = factors.filter((factor) => factor < 1).length;
  const [least, most] = [Math.min(...factors), Math.max(...factors)];
  return html`<strong>${figure(least)} to ${figure(most)} times</strong>
    <span>${theirs.name}, the fastest other program here; polybin is ${lost === 0 ? `faster on all ${factors.length}` : `slower on ${lost} of ${factors.length}`} distributions</span>`;
}

function ranking({ width, basis }: Context, run: Run, measured: readonly Contestant[]): TemplateResult {
  const { ceiling } = run;
  const isValid = ceiling !== null && !isInvalid(run);
  return ranges({
    title: `GB/s, ${basisName(basis)}, slowest to fastest distribution (worst over best): ${run.what}`,
    width,
    series: [OURS, OTHERS],
    unit: "GB/s",
    format: figure,
    mark: "bars",
    ...(isValid
      ? { line: { at: ceiling.gbps, label: `ceiling of ${memoryOf(ceiling)}, ${figure(ceiling.gbps)}` } }
      : {}),
    ranges: measured.map(({ name, rows, worst, best, worstOverBest }) => ({
      name,
      series: isOurs(worst) ? OURS : OTHERS,
      values: rows.map(({ distribution, gbps }) => ({ on: distribution, value: gbps })),
      label: `${figure(worst.gbps)} to ${figure(best.gbps)} (${ratio(worstOverBest)})`,
    })),
    columns: ["contestant", "distribution", "GB/s", "% of ceiling", "ceiling of", "basis", "runs"],
    numbers: [2, 3],
    rows: measured.flatMap(({ name, rows }) =>
      rows.map((row) => [
        name,
        row.distribution,
        figure(row.gbps),
        isValid ? figure(shareOf(row, run)!) : "–",
        memoryOf(row),
        basisName(basis),
        cellLink(row),
      ]),
    ),
  });
}

function invalid(run: Run): TemplateResult | null {
  if (run.ceiling === null || !isInvalid(run)) return null;
  const most = Math.max(...run.rows.map((row) => shareOf(row, run)!));
  return absent(
    `The measured ceiling of ${memoryOf(run.ceiling)}, ${figure(run.ceiling.gbps)} GB/s, is invalid: a contestant of the same run reached ${figure(most)}% of it. It is not drawn, and no share is shown.`,
  );
}

/** Lists where another program is faster, on all data of the machine. */
function losses(context: Context): TemplateResult {
  const { rows, basis, route } = context;
  const all = comparisons(rows);
  const lost = all.filter(({ factor }) => factor < 1).sort((a, b) => a.factor - b.factor);
  if (all.length === 0)
    return html`<h2>Where other programs are faster</h2>${absent("No other program was measured with ours on this basis.")}`;
  return html`<h2>Where other programs are faster</h2>
    <p id="losses">In ${lost.length} of ${all.length} measured cells of this machine, another program is faster (${basisName(basis)}).
      <a href=${neighbour(route, "explore/peers")}>All comparisons</a></p>
    ${
      lost.length === 0
        ? null
        : html`<details><summary>The ${lost.length === 1 ? "cell" : `${lost.length} cells`}</summary>${table(
            ["other program", "distribution", "its GB/s", "ours", "our GB/s", "ours / its", "basis", "runs"],
            lost.map((one) => [...comparisonCells(one, basis), cellLink(one.ours)]),
            {
              caption: "Cells in which another program is faster, the largest loss first",
              numbers: [2, 4, 5],
            },
          )}</details>`
    }`;
}
