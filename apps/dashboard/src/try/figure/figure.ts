import { html, svg, type TemplateResult } from "lit-html";
import { columnsFor, heightsOf } from "./columns.ts";

/** One histogram of a figure. All series of a figure have the same bins. */
export interface Series {
  readonly name: string;
  /** A property of the style sheet. */
  readonly colour: string;
  readonly counts: ArrayLike<number>;
  /** Whether it is drawn as a line only. */
  readonly isLine?: boolean;
}

/** A place along the axis, with a short label. The first ones keep their labels where there is no room for all. */
export interface Mark {
  /** From 0, the left end of the axis, to 1. */
  readonly at: number;
  readonly label: string;
}

/** A value that the reader points at elsewhere, such as a pixel's red. */
export interface Pin {
  /** From 0, the left end of the axis, to 1. */
  readonly at: number;
  readonly colour: string;
}

export interface Figure {
  readonly title: string;
  readonly width: number;
  readonly series: readonly Series[];
  readonly ticks: readonly Mark[];
  readonly marks: readonly Mark[];
  readonly pins?: readonly Pin[];
  readonly isLog: boolean;
  /** The things that the columns count, such as "pixels". */
  readonly unit: string;
  /** The column that the reader points at, or null. */
  readonly pointed: number | null;
  /** The content of the pointed column in words, for a screen reader. */
  readonly reading: string;
  point(column: number | null): void;
}

/** Taller on a wide page than on a phone. */
const heightFor = (width: number): number => (width < 500 ? 250 : Math.min(480, Math.max(330, 0.36 * width)));
const TOP = 22;
const BOTTOM = 24;
const RIGHT = 12;
/** Where the columns start if the labels of the counts are short, and where if they are long. The slider starts 8 pixels before (playground.css). */
const LEFT = { short: 52, long: 88 } as const;
const LETTER = 7;
/** From this count on, labels are long. */
const LONG = 1_000_000;
/** From this number of columns on, a column at an end that is much taller than the others is cut. */
const LEAST_CUT = 16;
/** Columns that are at least as wide have gaps between them. */
const WIDE_COLUMN = 7;

/**
 * Draws histograms over each other on one scale. The tallest column between both ends sets the scale. A much taller one at
 * an end is cut, because clipped pixels would otherwise flatten all others. The figure then says how tall it is.
 */
export function figure(of: Figure): TemplateResult {
  const { title, width, series, ticks, marks, pins = [], pointed, point, unit } = of;
  const columns = columnsFor(series[0]?.counts.length ?? 1);
  const drawn = series.map((one) => ({ ...one, heights: heightsOf(one.counts, columns) }));
  const height = heightFor(width);
  const top = topOf(drawn.map(({ heights }) => heights));
  const room = top < LONG ? "short" : "long";
  const left = LEFT[room];
  const inner = { width: width - left - RIGHT, height: height - TOP - BOTTOM };
  const y = scale(top, inner.height, of.isLog);
  const x = (part: number): number => left + part * inner.width;
  const gap = inner.width / columns.count >= WIDE_COLUMN ? 1 : 0;
  const columnAt = (event: PointerEvent): number => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const part = (event.clientX - box.left - left) / inner.width;
    return Math.min(columns.count - 1, Math.max(0, Math.floor(part * columns.count)));
  };
  const cuts = cutsOf(drawn, top);
  return html`<svg class="histogram" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${title}
      @pointermove=${(event: PointerEvent) => point(columnAt(event))} @pointerleave=${() => point(null)}>
      ${pointed === null ? null : svg`<rect class="pointed" x=${x(pointed / columns.count)} width=${Math.max(1, inner.width / columns.count)} y=${TOP} height=${inner.height} />`}
      ${yTicks(top, of.isLog).map(
        (count) => svg`<g class="grid"><line x1=${left} x2=${width - RIGHT} y1=${y(count)} y2=${y(count)} />
          <text x=${left - 6} y=${y(count) + 4} text-anchor="end">${whole(count)}</text></g>`,
      )}
      <text x="0" y=${TOP - 8}>${unit}</text>
      ${drawn.map(({ heights, colour, isLine }) => path(heights, { x, y, gap: isLine === true ? 0 : gap }, colour, isLine === true || of.isLog))}
      ${labelled(marks, x, width).map(
        ({
          at,
          label,
        }) => svg`<g class="mark"><line x1=${x(at)} x2=${x(at)} y1=${TOP} y2=${height - BOTTOM} />
          ${label === "" ? null : svg`<text x=${x(at)} y=${TOP - 8} text-anchor="middle">${label}</text>`}</g>`,
      )}
      ${pins.map(({ at, colour }) => svg`<g class="pin" stroke=${colour} fill=${colour}><line x1=${x(at)} x2=${x(at)} y1=${TOP} y2=${height - BOTTOM} /><circle cx=${x(at)} cy=${height - BOTTOM} r="4" /></g>`)}
      ${cuts.map(
        ({ at, count }) =>
          svg`<text class="over" x=${x(at) + (at === 0 ? 3 : -3)} y=${TOP + 14} text-anchor=${at === 0 ? "start" : "end"}>↑ ${whole(count)}</text>`,
      )}
      ${labelled(ticks, x, width).map(({ at, label }) => {
        const anchor = anchorOf(x(at), label, width);
        return svg`<line class="tick" x1=${x(at)} x2=${x(at)} y1=${height - BOTTOM} y2=${height - BOTTOM + 4} /><text class="tick" x=${anchor === "end" ? width : x(at)} y=${height - 6} text-anchor=${anchor}>${label}</text>`;
      })}
    </svg>
    <input class="pointer" data-labels=${room} type="range" min="0" max=${columns.count - 1} .value=${String(pointed ?? Math.floor(columns.count / 2))} aria-label="Column to read" aria-valuetext=${of.reading}
      @input=${(event: Event) => point(Number((event.target as HTMLInputElement).value))} />
    ${cuts.length === 0 ? null : html`<p class="cut">Cut to fit: ${cuts.map(({ name, at, count }) => `${name} at the ${at === 0 ? "left" : "right"} end has ${whole(count)} ${unit}`).join("; ")}.</p>`}`;
}

/** A label at the right end of the plot ends there. */
const anchorOf = (x: number, label: string, width: number): "middle" | "end" =>
  x + (label.length * LETTER) / 2 > width ? "end" : "middle";

/** The tallest column between both ends, or of all columns if those are empty. */
function topOf(series: readonly Float64Array[]): number {
  let inside = 0;
  let all = 1;
  for (const heights of series) {
    for (const [column, count] of heights.entries()) {
      all = Math.max(all, count);
      if (column > 0 && column < heights.length - 1) inside = Math.max(inside, count);
    }
  }
  const isFew = (series[0]?.length ?? 0) < LEAST_CUT;
  // Ends that are not much taller are not cut.
  return isFew || inside === 0 || all < 1.5 * inside ? all : inside;
}

function scale(top: number, height: number, isLog: boolean): (count: number) => number {
  const part = (count: number): number => (isLog ? Math.log1p(count) / Math.log1p(top) : count / top);
  return (count) => TOP + height * (1 - Math.min(part(count), 1.02));
}

interface Room {
  readonly x: (part: number) => number;
  readonly y: (count: number) => number;
  /** Pixels that are left free at both sides of a column. */
  readonly gap: number;
}

function path(heights: Float64Array, { x, y, gap }: Room, colour: string, isLine: boolean): TemplateResult {
  const ends = (column: number): readonly [string, string] => [
    (x(column / heights.length) + gap).toFixed(1),
    (x((column + 1) / heights.length) - gap).toFixed(1),
  ];
  const foot = y(0).toFixed(1);
  const steps = Array.from(heights, (count, column) => {
    const [left, right] = ends(column);
    return gap === 0
      ? `V${y(count).toFixed(1)}H${right}`
      : `M${left} ${foot}V${y(count).toFixed(1)}H${right}V${foot}`;
  });
  const outline = gap === 0 ? `M${x(0)} ${foot}${steps.join("")}V${foot}` : steps.join("");
  return svg`${isLine ? null : svg`<path class="area" d="${outline}Z" fill=${colour} />`}<path class="line" d=${outline} stroke=${colour} />`;
}

/** A column that is cut. */
interface Cut {
  /** The series that it belongs to. */
  readonly name: string;
  readonly at: 0 | 1;
  readonly count: number;
}

/** The tallest column at each end that is cut. */
function cutsOf(
  series: readonly { readonly name: string; readonly heights: Float64Array }[],
  top: number,
): Cut[] {
  const ends: readonly (readonly [at: 0 | 1, index: number])[] = [
    [0, 0],
    [1, -1],
  ];
  return ends.flatMap(([at, index]) => {
    const tallest = series
      .map(({ name, heights }) => ({ name, at, count: heights.at(index)! }))
      .reduce((most, one) => (one.count > most.count ? one : most), { name: "", at, count: 0 });
    return tallest.count > top ? [tallest] : [];
  });
}

const TENS: readonly number[] = Array.from({ length: 12 }, (_, i) => 10 ** i);

function yTicks(top: number, isLog: boolean): number[] {
  if (isLog) return [0, ...TENS.filter((count) => count <= top)];
  const step =
    [1, 2, 5, 10].map((of) => of * 10 ** Math.floor(Math.log10(top / 4))).find((one) => top / one <= 5) ??
    top;
  return Array.from({ length: Math.floor(top / Math.max(1, step)) + 1 }, (_, i) => i * Math.max(1, step));
}

/** Drops the labels that would lie on those before them in the list. */
function labelled(marks: readonly Mark[], x: (part: number) => number, width: number): Mark[] {
  const taken: { from: number; to: number }[] = [];
  return marks.map((mark) => {
    const size = mark.label.length * LETTER;
    const middle = Math.min(x(mark.at), width - size / 2);
    const span = { from: middle - size / 2 - 3, to: middle + size / 2 + 3 };
    if (taken.some(({ from, to }) => span.from < to && from < span.to)) return { ...mark, label: "" };
    taken.push(span);
    return mark;
  });
}

const whole = (count: number): string => count.toLocaleString("en");
