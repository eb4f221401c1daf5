import { html, svg, type TemplateResult } from "lit-html";

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

export interface Figure {
  readonly title: string;
  readonly width: number;
  readonly series: readonly Series[];
  readonly ticks: readonly Mark[];
  readonly marks: readonly Mark[];
  readonly isLog: boolean;
  /** The bin that the reader points at, or null. */
  readonly pointed: number | null;
  point(bin: number | null): void;
}

/** Taller on a wide page than on a phone. */
const heightFor = (width: number): number => (width < 500 ? 250 : 330);
const TOP = 22;
const BOTTOM = 24;
const RIGHT = 12;
const LEFT = 44;
/** The most columns that are drawn. More bins are added up in groups. */
const MOST_COLUMNS = 256;
const LETTER = 7;

/**
 * Draws histograms over each other on one scale. The tallest bin between both ends sets the scale; a taller bin at an end
 * leaves the plot with an arrow, because clipped pixels would otherwise flatten all others.
 */
export function figure(of: Figure): TemplateResult {
  const { title, width, series, ticks, marks, pointed, point } = of;
  const drawn = series.map((one) => ({ ...one, columns: columnsOf(one.counts) }));
  const bins = series[0]?.counts.length ?? 1;
  const height = heightFor(width);
  const inner = { width: width - LEFT - RIGHT, height: height - TOP - BOTTOM };
  const top = topOf(drawn.map(({ columns }) => columns));
  const y = heights(top, inner.height, of.isLog);
  const x = (part: number): number => LEFT + part * inner.width;
  const binAt = (event: PointerEvent): number => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const part = (event.clientX - box.left - LEFT) / inner.width;
    return Math.min(bins - 1, Math.max(0, Math.floor(part * bins)));
  };
  return html`<svg class="histogram" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${title}
      @pointermove=${(event: PointerEvent) => point(binAt(event))} @pointerleave=${() => point(null)}>
      ${yTicks(top, of.isLog).map(
        (count) => svg`<g class="grid"><line x1=${LEFT} x2=${width - RIGHT} y1=${y(count)} y2=${y(count)} />
          <text x=${LEFT - 6} y=${y(count) + 4} text-anchor="end">${short(count)}</text></g>`,
      )}
      ${drawn.map(({ colour, columns, isLine }) => path(columns, x, y, colour, isLine === true || of.isLog))}
      ${labelled(marks, x).map(
        ({
          at,
          label,
        }) => svg`<g class="mark"><line x1=${x(at)} x2=${x(at)} y1=${TOP} y2=${height - BOTTOM} />
          ${label === "" ? null : svg`<text x=${x(at)} y=${TOP - 8} text-anchor="middle">${label}</text>`}</g>`,
      )}
      ${overflow(
        drawn.map(({ columns }) => columns),
        top,
        x,
      )}
      ${labelled(ticks, x).map(
        ({ at, label }) =>
          svg`<text class="tick" x=${x(at)} y=${height - 6} text-anchor=${anchor(at)}>${label}</text>`,
      )}
      ${pointed === null ? null : svg`<line class="pointed" x1=${x((pointed + 0.5) / bins)} x2=${x((pointed + 0.5) / bins)} y1=${TOP} y2=${height - BOTTOM} />`}
    </svg>
    <input class="pointer" type="range" min="0" max=${bins - 1} .value=${String(pointed ?? Math.floor(bins / 2))} aria-label="Bin to read"
      @input=${(event: Event) => point(Number((event.target as HTMLInputElement).value))} />`;
}

const anchor = (at: number): string => (at <= 0 ? "start" : at >= 1 ? "end" : "middle");

/** Adds up bins, so that a plot has at most 256 columns. */
function columnsOf(counts: ArrayLike<number>): Float64Array {
  const each = Math.ceil(counts.length / MOST_COLUMNS);
  const columns = new Float64Array(Math.ceil(counts.length / each));
  for (let bin = 0; bin < counts.length; bin++) columns[Math.floor(bin / each)]! += counts[bin]!;
  return columns;
}

/** The tallest column between both ends, or of all columns if those are empty. */
function topOf(series: readonly Float64Array[]): number {
  let inside = 0;
  let all = 1;
  for (const columns of series) {
    for (const [column, count] of columns.entries()) {
      all = Math.max(all, count);
      if (column > 0 && column < columns.length - 1) inside = Math.max(inside, count);
    }
  }
  // Ends that are not much taller do not need an arrow.
  return inside === 0 || all < 1.5 * inside ? all : inside;
}

function heights(top: number, height: number, isLog: boolean): (count: number) => number {
  const part = (count: number): number =>
    isLog ? Math.log1p(count) / Math.log1p(top) : Math.min(count / top, 1.02);
  return (count) => TOP + height * (1 - Math.min(part(count), 1.02));
}

function path(
  columns: Float64Array,
  x: (part: number) => number,
  y: (count: number) => number,
  colour: string,
  isLine: boolean,
): TemplateResult {
  const steps = [...columns].map(
    (count, column) => `V${y(count).toFixed(1)}H${x((column + 1) / columns.length).toFixed(1)}`,
  );
  const outline = `M${x(0)} ${y(0)}${steps.join("")}V${y(0)}`;
  return svg`${isLine ? null : svg`<path class="area" d="${outline}Z" fill=${colour} />`}<path class="line" d=${outline} stroke=${colour} />`;
}

/** Says how tall the ends are that leave the plot. */
function overflow(
  series: readonly Float64Array[],
  top: number,
  x: (part: number) => number,
): TemplateResult[] {
  const count = (column: number): number => Math.max(...series.map((columns) => columns.at(column)!));
  return [
    { at: 0, tall: count(0), direction: "start" },
    { at: 1, tall: count(-1), direction: "end" },
  ]
    .filter(({ tall }) => tall > top)
    .map(
      ({ at, tall, direction }) =>
        svg`<text class="over" x=${x(at) + (at === 0 ? 3 : -3)} y=${TOP + 14} text-anchor=${direction}>↑ ${short(tall)}</text>`,
    );
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
function labelled(marks: readonly Mark[], x: (part: number) => number): Mark[] {
  const taken: { from: number; to: number }[] = [];
  return marks.map((mark) => {
    const half = (mark.label.length * LETTER) / 2;
    const span = { from: x(mark.at) - half - 3, to: x(mark.at) + half + 3 };
    if (taken.some(({ from, to }) => span.from < to && from < span.to)) return { ...mark, label: "" };
    taken.push(span);
    return mark;
  });
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const short = (count: number): string => compact.format(count);
