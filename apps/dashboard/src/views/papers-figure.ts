import { dot, line } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import {
  figure as digits,
  type Panel,
  type PanelSide,
  type PaperFigure,
  type Point,
  type Series,
} from "../data/index.ts";
import {
  axisOf,
  type Context,
  chart,
  colourAt,
  decimalTicks,
  distinct,
  type End,
  endLabels,
  isNarrow,
  seriesOf,
  table,
} from "../show/index.ts";

const GAP = 24;
/** The fewest points of a series that a line joins. With fewer, a line would claim more than the paper's text. */
const JOINED = 5;

/** Draws a figure: the paper's numbers over ours, one plot per backend, then its statements and notes. */
export function figureOf(context: Context, name: string, one: PaperFigure): TemplateResult {
  const { title, source, paperMachine, sides, lost, command, findings, notes, panels } = one;
  const reasons = findings.flatMap(({ claim, because, sides: of }) => [
    ...(because === null ? [] : [{ claim, text: because }]),
    ...of.flatMap(({ cause }, i) =>
      cause === null ? [] : [{ claim: `${claim} (${sides[i]!.label})`, text: cause }],
    ),
  ]);
  // Each is said once, with all statements that it explains.
  const causes = [...Map.groupBy(reasons, ({ text }) => text)].map(
    ([text, all]) => `${distinct(all.map(({ claim }) => claim)).join(", ")}: ${text}`,
  );
  return html`<article>
    <h2>${name}, ${title}</h2>
    ${panels.map((panel) => overlaid(context, panel))}
    <dl>
      <dt>The paper</dt><dd>${source}, on ${paperMachine}</dd>
      ${sides.map(({ label, machine }) => html`<dt>${label}</dt><dd>${machine || "not measured"}</dd>`)}
      ${lost === null ? null : html`<dt>Not in the paper's text</dt><dd>${lost}</dd>`}
      <dt>Measured by</dt><dd><code>${command}</code></dd>
    </dl>
    <p>Filled symbols are polybin's, and hollow ones are the paper's. Speeds are relative: the same cell is 1 on both sides.</p>
    <h3>The paper's statements</h3>
    ${table(
      ["statement", "where", "paper", ...sides.flatMap(({ label }) => [label, "verdict"])],
      findings.map(({ claim, where, how, paper, sides: of }) => [
        html`<span title=${how}>${claim}</span>`,
        where,
        paper,
        ...of.flatMap(({ ours, verdict }) => [ours ?? "–", verdict]),
      ]),
    )}
    ${list(causes)} ${list(notes)}
  </article>`;
}

const list = (sentences: readonly string[]): TemplateResult | null =>
  sentences.length === 0
    ? null
    : html`<ul class="sentences">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;

/** Draws a panel's plots side by side if there is room. */
function overlaid(context: Context, panel: Panel): TemplateResult {
  const { title, sides, paper, missing } = panel;
  const names = distinct([...paper, ...sides.flatMap(({ series }) => series)].map(({ name }) => name));
  const columns = Math.max(2, sides.length);
  const width = isNarrow(context.width)
    ? context.width
    : Math.floor((context.width - GAP * (columns - 1)) / columns);
  const gaps = distinct(missing.map(({ series }) => series)).map((name) => {
    const places = missing.filter(({ series }) => series === name).map(({ x }) => x);
    return `${name} at ${places.join(", ")}`;
  });
  return html`<h3>${title}</h3>
    <div class="charts">${sides.map((side) => plotOf(width, panel, side, names))}</div>
    ${gaps.length === 0 ? null : html`<p class="absent">Not measured: ${gaps.join("; ")}.</p>`}`;
}

/** A number of a plot, as it is and as it is drawn. */
interface Drawn extends Point {
  readonly name: string;
  readonly whose: string;
  readonly drawn: number;
}

function pointsOf(series: readonly Series[], whose: string, unit: number | null): Drawn[] {
  if (unit === null) return [];
  return series.flatMap(({ name, points }) =>
    points.map((point) => ({ ...point, name, whose, drawn: point.y / unit })),
  );
}

/** Writes `64M` on an axis of sizes. */
const short = (value: number): string =>
  value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });

function ticksFor(values: readonly number[], most: number): number[] {
  const above = values.filter((value) => value > 0);
  return above.length === 0 ? [] : decimalTicks(Math.min(...above), Math.max(...above), most);
}

function plotOf(width: number, panel: Panel, side: PanelSide, names: readonly string[]): TemplateResult {
  const { x, y, mark, relative } = panel;
  const { drawn: within, shown } = seriesOf(names);
  const isShown = ({ drawn, name }: Drawn) => shown.includes(name) && (y.scale !== "log" || drawn > 0);
  const ours = pointsOf(side.series, side.label, side.unit).filter(isShown);
  const paper = pointsOf(panel.paper, "the paper", side.paperUnit).filter(isShown);
  const points = [...ours, ...paper];
  const title = `${side.label}${side.caption.length === 0 ? "" : `: ${side.caption.join(", ")}`}`;
  if (within.length === shown.length && points.length === 0) {
    return html`<figure class="chart"><figcaption>${title}</figcaption><p>There are no numbers.</p></figure>`;
  }
  const columns = ["series", x.label || "what", "whose", y.label];
  const rows = points.map((point) => [point.name, point.x, point.whose, digits(point.y)]);
  if (mark === "none") {
    return html`<figure class="chart"><figcaption>${title}</figcaption>${table(columns, rows, { numbers: [3] })}</figure>`;
  }
  const named = x.scale === "category" || mark === "bar";
  const at = { x: "x", y: "drawn" } as const;
  const joined = (of: readonly Drawn[]) =>
    !named &&
    Math.max(0, ...[...Map.groupBy(of, ({ name }) => name).values()].map((one) => one.length)) >= JOINED;
  const unit = relative ? "speed, relative" : y.label;
  const ends = shown.flatMap((name): End[] => {
    const last = ours.findLast((point) => point.name === name);
    const i = within.indexOf(name);
    return last === undefined
      ? []
      : [{ label: String(i + 1), colour: colourAt(i), x: last.x, y: last.drawn }];
  });
  return chart({
    title,
    width,
    series: names,
    numbered: joined(ours),
    options: {
      height: 280,
      marginLeft: 56,
      marginRight: 28,
      marginTop: 28,
      marginBottom: named ? 70 : 42,
      x: named
        ? {
            type: "point",
            label: null,
            domain: distinct(points.map((point) => point.x)),
            tickRotate: -30,
            padding: 0.5,
          }
        : { label: x.label, ...(x.scale === "log" ? { type: "log" } : { type: x.scale, grid: true }) },
      y:
        y.scale === "log"
          ? { type: "log", label: unit }
          : {
              label: unit,
              grid: true,
              tickFormat: digits,
              type: y.scale === "category" ? "linear" : y.scale,
              ticks: 5,
              ...(y.scale === "linear" ? { zero: true } : {}),
            },
      marks: [
        ...(!named && x.scale === "log"
          ? axisOf(
              "x",
              ticksFor(
                points.map((point) => Number(point.x)),
                width / 90,
              ),
              x.label,
              short,
            )
          : []),
        ...(y.scale === "log"
          ? axisOf(
              "y",
              ticksFor(
                points.map(({ drawn }) => drawn),
                7,
              ),
              unit,
              digits,
            )
          : []),
        ...(joined(ours) && names.length > 1 ? [endLabels(ends)] : []),
        ...(joined(ours) ? [line(ours, { ...at, stroke: "name", z: "name" })] : []),
        ...(joined(paper) ? [line(paper, { ...at, stroke: "name", z: "name", strokeDasharray: "4 3" })] : []),
        dot(ours, { ...at, stroke: "name", fill: "name", symbol: "name", r: 3 }),
        dot(paper, { ...at, stroke: "name", fill: "none", symbol: "name", r: 6, strokeWidth: 2 }),
      ],
    },
    readings: {
      along: "x",
      points: points.map(({ name, whose, x: place, y: value, drawn }) => ({
        ...{ name: `${name}, ${whose}`, x: place, y: drawn },
        ...{ text: `${digits(value)} ${y.label}`, colour: colourAt(within.indexOf(name)) },
      })),
      heading: (place) => `${x.label || title}: ${typeof place === "number" ? digits(place) : place}`,
    },
    columns,
    numbers: [3],
    rows,
  });
}
