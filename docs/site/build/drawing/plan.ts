// Draws the memory of a plan as SVG: rows of as many words as there are banks. It fits a narrow screen, and takes its
// colours from the page.
import { type Area, type Counter, type Memory, memoryOf } from "./areas.ts";
import { GPU, type Planned } from "./plans.ts";

const WIDTH = 372;
const LEFT = 78;
const WORD_WIDTH = 9;
const WORDS = GPU.banks;
const ROW = 11;
const LINE = 16;

/** The bin and the table that a drawing marks. The counters of bin 0 are in the first rows, which are always drawn. */
const BIN = 0;
const REPLICA = 1;

/** Rows that are drawn of an area: all, or the first and the last. */
const ROWS_OF_ONE = 10;
const ROWS_OF_SEVERAL = 3;
/** Areas that are drawn. The last one stands for the rest, because they are alike. */
const AREAS = 5;

const number = new Intl.NumberFormat("en-US").format;
const countOf = (count: number, unit: string): string => `${number(count)} ${unit}${count === 1 ? "" : "s"}`;
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Lines from the top to the bottom. Each part adds its own and moves on. */
class Sheet {
  y = 0;
  readonly parts: string[] = [];

  text(
    text: string,
    { x = 0, kind = "", gap = LINE }: { x?: number; kind?: string; gap?: number } = {},
  ): void {
    this.y += gap;
    this.at(text, x, this.y, kind);
  }

  at(text: string, x: number, y: number, kind = ""): void {
    const name = kind === "" ? "" : ` class="${kind}"`;
    this.parts.push(`<text${name} x="${x}" y="${y}">${escaped(text)}</text>`);
  }

  /** Three dots, for what is left out. Not every font has them. */
  dots(x: number, y: number, { dx = 0, dy = 0 }: { dx?: number; dy?: number }): void {
    for (let i = -1; i <= 1; i++)
      this.parts.push(`<circle class="dot" cx="${x + i * dx}" cy="${y + i * dy}" r="1"/>`);
  }

  /** Dots in place of rows. */
  skipped(): void {
    this.dots(LEFT + (WORDS * WORD_WIDTH) / 2, this.y + ROW / 2, { dy: 3.5 });
    this.y += ROW + 2;
  }

  path(kind: string, d: string): void {
    if (d !== "") this.parts.push(`<path class="${kind}" d="${d}"/>`);
  }
}

const box = (x: number, y: number, width: number, height: number): string =>
  `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
const round = (value: number): number => Math.round(value * 100) / 100;

/** How many blocks of how many threads there are. */
function gridOf({ of }: Planned): { blocks: number; threads: number } {
  const { plan } = of;
  if (of.kind !== "weighted") return { blocks: of.plan.blocks, threads: plan.threads };
  return {
    blocks: Math.ceil(of.plan.features / of.plan.featuresPerBlock) * of.plan.segments,
    threads: plan.threads,
  };
}

/** What happens to the tables in the end. */
function sinkOf({ of, device }: Planned): string[] {
  if (device.kind === "cpu") return ["The table is the result."];
  if (of.kind === "weighted") {
    const { flushDocuments, subHistogramBytes } = of.plan;
    return [
      flushDocuments === null
        ? "Nothing overflows, so nothing is flushed."
        : `A block flushes after ${number(flushDocuments)} documents.`,
      subHistogramBytes > 0
        ? "A second kernel merges the sub-histograms."
        : "The block adds its tables to the totals with atomics.",
    ];
  }
  const { partials, wordsPerThread, sharedBytes } = of.plan;
  if (sharedBytes === 0) return ["Each increment is an atomic addition."];
  return [
    ...(wordsPerThread === null
      ? []
      : [`A thread counts ${number(wordsPerThread)} words, then its counters are added up.`]),
    partials === undefined
      ? "The block adds its tables to the counts."
      : `${number(partials.tables)} partial tables, which a second kernel adds.`,
  ];
}

/** Draws the blocks of the launch as boxes. The first one's memory follows. */
function drawGrid(sheet: Sheet, { blocks, threads }: { blocks: number; threads: number }): void {
  sheet.text(`${countOf(blocks, "block")} of ${countOf(threads, "thread")}`, { kind: "strong" });
  const shown = Math.min(blocks, 12);
  const [width, height, gap] = [18, 12, 4];
  sheet.y += 6;
  const boxes = Array.from({ length: shown }, (_, i) => box(1 + i * (width + gap), sheet.y, width, height));
  sheet.path("block chosen", boxes[0]!);
  sheet.path("block", boxes.slice(1).join(""));
  if (blocks > shown) sheet.dots(12 + shown * (width + gap), sheet.y + height / 2, { dx: 6 });
  sheet.y += height;
}

/** A bar: the part of the block's shared memory that the plan uses. */
function drawBudget(sheet: Sheet, bytes: number): void {
  sheet.text(`${number(bytes)} of ${number(GPU.sharedBytes)} bytes of shared memory`, {
    gap: 20,
    kind: "strong",
  });
  sheet.y += 6;
  sheet.path("block", box(0.5, sheet.y, WIDTH - 1, 8));
  sheet.path("used", box(0.5, sheet.y, ((WIDTH - 1) * bytes) / GPU.sharedBytes, 8));
  sheet.y += 8;
}

/** The numbers of the rows to draw, with a null for the rows between. */
function rowsShown(rows: number, most: number): (number | null)[] {
  const all = Array.from({ length: rows }, (_, row) => row);
  return rows <= most + 1 ? all : [...all.slice(0, most - 1), null, rows - 1];
}

/** What the counters of a row are counters of: "bin 3" or "bins 0–31". */
function labelOf(of: readonly Counter[], unit: string): string {
  if (of.length === 0) return "";
  const bins = of.map(({ bin }) => bin);
  const [least, most] = [bins.reduce((a, b) => Math.min(a, b)), bins.reduce((a, b) => Math.max(a, b))];
  return least === most ? `${unit} ${least}` : `${unit}s ${least}–${most}`;
}

/** Draws an area as rows of words. A counter narrower than a word takes its part of it. */
function drawArea(sheet: Sheet, area: Area, most: number, unit: string, isTitled: boolean): void {
  const bitsPerRow = WORDS * 32;
  const rows = Math.ceil((area.bytes * 8) / bitsPerRow);
  const byRow = new Map<number, Counter[]>();
  for (const counter of area.counters ?? []) {
    const row = Math.floor(counter.bit / bitsPerRow);
    byRow.set(row, [...(byRow.get(row) ?? []), counter]);
  }
  if (isTitled) sheet.text(`${area.label}, ${number(area.bytes)} bytes`, { x: LEFT, gap: 13 });
  sheet.y += 4;
  const width = WORD_WIDTH / 32;
  let [words, splits, bins, replicas] = ["", "", "", ""];
  for (const row of rowsShown(rows, most)) {
    if (row === null) {
      sheet.skipped();
      continue;
    }
    const own = byRow.get(row) ?? [];
    const wordsHere = Math.min(WORDS, (area.bytes * 8 - row * bitsPerRow) / 32);
    const height = ROW - 2;
    for (let word = 0; word < wordsHere; word++)
      words += box(LEFT + word * WORD_WIDTH, sheet.y, WORD_WIDTH, height);
    for (const { bin, replica, bit, bits } of own) {
      const x = LEFT + (bit % bitsPerRow) * width;
      // A sum of 64 bits lies in two words.
      const cell = box(x, sheet.y, bits * width, height);
      if (bits % 32 !== 0 && bit % 32 !== 0) splits += `M${round(x)} ${sheet.y}v${height}`;
      if (bin === BIN) bins += cell;
      if (replica === REPLICA) replicas += cell;
    }
    sheet.at(labelOf(own, unit), LEFT - 6, sheet.y + height - 1, "row");
    sheet.y += ROW;
  }
  sheet.path(area.counters === undefined ? "other" : "word", words);
  sheet.path("bin", bins);
  sheet.path("split", splits);
  sheet.path("replica", replicas);
}

/** Draws the numbers of the banks above the words. */
function drawBanks(sheet: Sheet, isShared: boolean): void {
  sheet.text(isShared ? "bank" : "word", { x: LEFT - 6, gap: 20, kind: "row" });
  for (const bank of [0, 8, 16, 24, WORDS - 1]) {
    sheet.at(String(bank), LEFT + (bank + 0.5) * WORD_WIDTH, sheet.y, "bank");
  }
}

function drawLegend(sheet: Sheet, { owner, areas }: Memory, unit: string): void {
  const marks: [kind: string, text: string][] = [["bin", `the counters of ${unit} ${BIN}`]];
  if (owner !== null) marks.push(["replica", `the counters of ${owner} ${REPLICA}`]);
  if (areas.some(({ counters }) => counters === undefined)) marks.push(["other", "not counters"]);
  sheet.y += 6;
  for (const [kind, text] of marks) {
    sheet.y += LINE;
    sheet.path(kind === "replica" ? "word" : "", kind === "replica" ? box(LEFT, sheet.y - 9, 18, 9) : "");
    sheet.path(kind, box(LEFT, sheet.y - 9, 18, 9));
    sheet.at(text, LEFT + 26, sheet.y);
  }
}

function drawMemory(sheet: Sheet, planned: Planned, memory: Memory): void {
  const isShared = planned.of.plan.sharedBytes > 0;
  const unit = planned.of.kind === "joint" ? "cell" : "bin";
  if (planned.device.kind === "gpu") drawGrid(sheet, gridOf(planned));
  else sheet.text("one CPU thread", { kind: "strong" });
  if (isShared) drawBudget(sheet, planned.of.plan.sharedBytes);
  else
    sheet.text(planned.device.kind === "gpu" ? "global memory" : "the memory of the host", {
      gap: 20,
      kind: "strong",
    });
  drawBanks(sheet, isShared);
  const { areas } = memory;
  const shown = areas.length <= AREAS ? areas : [...areas.slice(0, 2), areas.at(-1)!];
  for (const [i, area] of shown.entries()) {
    if (i === 2 && shown.length < areas.length) sheet.skipped();
    drawArea(sheet, area, areas.length === 1 ? ROWS_OF_ONE : ROWS_OF_SEVERAL, unit, areas.length > 1);
  }
  drawLegend(sheet, memory, unit);
  sheet.y += 6;
  for (const line of sinkOf(planned)) sheet.text(line);
}

/** Describes the drawing to somebody who does not see it. */
function describe(planned: Planned, { areas, owner }: Memory): string {
  const { blocks, threads } = gridOf(planned);
  const { sharedBytes } = planned.of.plan;
  const tables = owner === null ? "one table" : `one table for each ${owner}`;
  const parts = areas.map(({ label, bytes }) => `${label}, ${number(bytes)} bytes`).join("; ");
  return [
    `${planned.slug} for ${planned.request}:`,
    `${countOf(blocks, "block")} of ${countOf(threads, "thread")}, ${tables}.`,
    sharedBytes > 0
      ? `A block uses ${number(sharedBytes)} bytes of shared memory: ${parts}.`
      : `Memory: ${parts}.`,
    ...sinkOf(planned),
  ].join(" ");
}

/**
 * Draws a plan.
 * @param isNamed whether the drawing begins with the algorithm's name
 * @throws if its layout does not fill the memory of the plan
 */
export function draw(planned: Planned, isNamed: boolean): string {
  const memory = memoryOf(planned);
  const sheet = new Sheet();
  if (isNamed) sheet.text(planned.slug, { kind: "name" });
  drawMemory(sheet, planned, memory);
  const id = `memory-${planned.slug}`;
  return [
    `<svg class="memory" viewBox="0 0 ${WIDTH} ${sheet.y + 6}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">The memory of ${planned.slug}</title>`,
    `<desc id="${id}-desc">${escaped(describe(planned, memory))}</desc>`,
    ...sheet.parts,
    "</svg>",
  ].join("");
}
