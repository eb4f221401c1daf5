import { axisX, dot, text as textMark, tickX } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import {
  figure as digits,
  type Page,
  type PageCell,
  type PagePicture,
  type PageSection,
  raised,
} from "../data/index.ts";
import { type Cell, chart, colourOf, decimalTicks, type Keys, seriesOf, table } from "../show/index.ts";

/** Draws the story of a report: the same sentences and tables as its Markdown, plots first. `link` makes the address of a figure. */
export function story(
  { lead, sections }: Page,
  width: number,
  link: (figure: string) => string,
): TemplateResult {
  const pictured = sections.filter(({ picture }) => picture !== undefined);
  const [first, ...rest] = sections.filter(({ picture }) => picture === undefined);
  const inOrder = [...(first === undefined ? [] : [first]), ...pictured, ...rest];
  return html`${inOrder.map((section) => drawn(section, width, link))}${lead.map(sentence)}`;
}

function drawn(
  { title, text, picture, table: of }: PageSection,
  width: number,
  link: (figure: string) => string,
): TemplateResult {
  return html`<h2>${title}</h2>
    ${picture === undefined ? null : plotOf(title, width, picture)}
    ${text.map(sentence)}
    ${
      of === null || of.rows.length === 0
        ? null
        : table(
            of.columns,
            of.rows.map((row) => row.map((cell) => shown(cell, link))),
            { numbers: of.numbers },
          )
    }`;
}

/** The height of a row in pixels. */
const ROW = 46;

/** The colours that the programs of a report have elsewhere. */
const KEYS: Keys = new Map(
  [
    ["then", "other"],
    ["CUDA", "cuda"],
    ["WebGPU", "webgpu"],
    ["CPU", "piscina"],
  ].map(([name, program]) => [name!, { program: program!, colour: colourOf(program!), title: name! }]),
);

/** Draws numbers by row. Each row has its name above its symbols, so that names need no margin. */
function plotOf(
  title: string,
  width: number,
  { unit, who, rows, marks, lines }: PagePicture,
): TemplateResult {
  const { shown: seen } = seriesOf(who);
  const visible = marks.filter((mark) => seen.includes(mark.who));
  const [theirs, ours] = [
    visible.filter((mark) => mark.who === who[0]),
    visible.filter((mark) => mark.who !== who[0]),
  ];
  const least = Math.min(...[...marks, ...lines].map(({ x }) => x)) / 1.5;
  const most = Math.max(...[...marks, ...lines].map(({ x }) => x));
  const at = { x: "x", y: "row", stroke: "who", symbol: "who" } as const;
  const ticks = decimalTicks(least, most, width / 90);
  const across = (values: readonly number[]) => values.flatMap((x) => rows.map((row) => ({ x, row })));
  const place = { x: "x", y: "row", insetTop: ROW / 2 - 7, insetBottom: ROW / 2 - 9 } as const;
  return chart({
    title: `${title}, in ${unit}`,
    ...{ width, series: who, keys: KEYS },
    options: {
      ...{ height: ROW * rows.length + 60, marginLeft: 8, marginTop: 24 },
      x: { type: "log", label: unit },
      y: { type: "band", domain: rows, axis: null, padding: 0 },
      marks: [
        axisX(ticks, { label: unit, text: digits }),
        // Lines have the height of the symbols, so that they cross no name.
        tickX(across(ticks), { ...place, strokeOpacity: 0.15 }),
        tickX(across(lines.map(({ x }) => x)), { ...place, strokeDasharray: "4 3" }),
        textMark(lines, { x: "x", text: "label", frameAnchor: "top", textAnchor: "end", dx: 4, dy: -12 }),
        textMark(rows, {
          x: least,
          y: (row: string) => row,
          text: raised,
          dy: -15,
          textAnchor: "start",
        }),
        dot(ours, { ...at, fill: "who", r: 4 }),
        dot(theirs, { ...at, r: 5, strokeWidth: 2 }),
      ],
    },
    readings: {
      along: "y",
      points: [...ours, ...theirs].map(({ row, who: whose, x }) => ({
        ...{ name: whose, x, y: row },
        text: `${digits(x)} ${unit}`,
        ...(KEYS.has(whose) ? { colour: KEYS.get(whose)!.colour } : {}),
      })),
      heading: (row) => raised(String(row)),
    },
    columns: ["number", "whose", unit],
    numbers: [2],
    rows: marks.map(({ row, who: whose, x }) => [raised(row), whose, digits(x)]),
  });
}

const sentence = (text: string): TemplateResult => html`<p>${withCode(text)}</p>`;

function shown(cell: PageCell, link: (figure: string) => string): Cell {
  if (typeof cell === "string") return cell.includes("`") ? html`${withCode(cell)}` : raised(cell);
  return html`<a href=${link(cell.figure)}>${cell.text}</a>`;
}

/** Replaces text between backquotes by code. */
function withCode(text: string): (string | TemplateResult)[] {
  return raised(text)
    .split("`")
    .map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));
}
