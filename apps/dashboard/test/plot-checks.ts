// What a plot must never do, as functions for the page.

/** What a drawn run shows: its faults in sentences, and the rows of its tables with the rows of files that they name. */
export interface Drawn {
  readonly run: string;
  readonly faults: readonly string[];
  readonly rows: readonly TableRow[];
}

/** A row of a plot's table. The last link of a row leads to ours, if there are two. */
export interface TableRow {
  readonly columns: readonly string[];
  readonly cells: readonly string[];
  readonly file: string;
  readonly row: number;
}

/** Draws a view from every run of a machine that it can draw, in the page. */
async function everyRun(view: string, query: string): Promise<Drawn[]> {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const until = async (what: string, isSo: () => boolean) => {
    const end = performance.now() + 20_000;
    while (!isSo()) {
      if (performance.now() > end) throw new Error(`${view}?${query}: waited too long for ${what}`);
      await frame();
    }
  };
  const page = document.getElementById("page")!;
  const field = () =>
    [...document.querySelectorAll("label.field")]
      .find((label) => label.querySelector("span")!.textContent === "Run")
      ?.querySelector("select");
  page.dataset.view = "";
  location.hash = `${view}?${query}`;
  await until("the view", () => page.dataset.view === view);
  const runs = [...(field()?.options ?? [])].map(({ value }) => value);
  const drawn: Drawn[] = [];
  for (const run of runs) {
    location.hash = `${view}?${query}&from=${run}`;
    await until(run, () => (document.querySelector(".source")?.textContent ?? "").endsWith(` · ${run}`));
    drawn.push({ run, faults: faultsIn(document), rows: rowsIn(document) });
  }
  return drawn;
}

function rowsIn(root: ParentNode): TableRow[] {
  return [...root.querySelectorAll<HTMLTableElement>("figure.chart table")].flatMap((table) => {
    const columns = [...table.tHead!.rows[0]!.cells].map(({ textContent }) => textContent!);
    return [...table.tBodies[0]!.rows].flatMap((row) => {
      const link = [...row.querySelectorAll("a[href*='file=']")].at(-1);
      if (link === undefined) return [];
      const query = new URLSearchParams(link.getAttribute("href")!.split("?")[1]);
      const cells = [...row.cells].map(({ textContent }) => textContent!);
      return [{ columns, cells, file: query.get("file")!, row: Number(query.get("row")) }];
    });
  });
}

/** Plots of several files, hosts or days, texts that a line crosses, ticks that say the same, and keys in another program's colour. */
function faultsIn(root: ParentNode): string[] {
  const faults: string[] = [];
  for (const figure of root.querySelectorAll("figure.chart")) {
    const plot = figure.querySelector("svg.plot");
    if (plot === null) continue;
    const title = figure.querySelector("figcaption")!.textContent;
    const sources = [...figure.querySelectorAll<HTMLElement>(".source")];
    const { host = "", day = "" } = sources[0]?.dataset ?? {};
    if (sources.length !== 1 || host === "" || !/^\d{4}-\d\d-\d\d$/.test(day))
      faults.push(`${title}: no single host and day`);
    const files = new Set(rowsIn(figure.parentNode!).map(({ file }) => file));
    const named = sources[0]?.textContent ?? "nothing";
    for (const file of files)
      if (!named.endsWith(` · ${file.split("/")[1]}`))
        faults.push(`${title}: rows of ${file} below ${named}`);
    for (const key of figure.querySelectorAll(".legend button")) {
      const name = key.textContent!.trim().replace(/^\d+ /, "");
      const id = /--program-(\w+)/.exec(key.querySelector("path")!.getAttribute("stroke")!)?.[1];
      const own = key.getAttribute("data-program");
      if (own !== null && id !== own) faults.push(`${title}: ${name} has the colour of ${id}`);
    }
    for (const axis of plot.querySelectorAll('g[data-mark$="-axis tick label"]')) {
      // A range of decimal powers may label some ticks only.
      const ticks = [...axis.querySelectorAll("text")]
        .map((text) => text.textContent!)
        .filter((of) => of !== "");
      const twice = ticks.filter((tick, i) => ticks.indexOf(tick) < i);
      if (twice.length > 0) faults.push(`${title}: several ticks are ${twice.join(", ")}`);
    }
    faults.push(...crossedIn(plot).map((what) => `${title}: a line crosses "${what}"`));
  }
  return faults;
}

type Segment = readonly [DOMPoint, DOMPoint];

function crossedIn(plot: Element): string[] {
  const segments = [...plot.querySelectorAll("line, path")]
    .filter((shape) => shape.closest(".crosshair, defs") === null)
    .flatMap((shape) => segmentsOf(shape as SVGGraphicsElement));
  return [...plot.querySelectorAll("text")]
    .filter((text) => text.textContent!.trim() !== "" && !/rotate/.test(text.getAttribute("transform") ?? ""))
    .filter((text) => {
      const box = text.getBoundingClientRect();
      return segments.some((segment) => meets(box, segment));
    })
    .map((text) => text.textContent!);
}

/** Straight lines of a shape, on the screen. Filled shapes are symbols. */
function segmentsOf(shape: SVGGraphicsElement): Segment[] {
  const matrix = shape.getScreenCTM()!;
  const at = (x: number, y: number) => new DOMPoint(x, y).matrixTransform(matrix);
  if (shape instanceof SVGLineElement) {
    const { x1, y1, x2, y2 } = shape;
    return [[at(x1.baseVal.value, y1.baseVal.value), at(x2.baseVal.value, y2.baseVal.value)]];
  }
  const group = shape.closest("g[data-mark]")?.getAttribute("data-mark") ?? "";
  if (!/^(line|labels)$/.test(group)) return [];
  const steps = [...shape.getAttribute("d")!.matchAll(/([ML])(-?[\d.]+),(-?[\d.]+)/g)];
  const points = steps.map(([, verb, x, y]) => ({ verb, point: at(Number(x), Number(y)) }));
  return points
    .slice(1)
    .flatMap(({ verb, point }, i): Segment[] => (verb === "M" ? [] : [[points[i]!.point, point]]));
}

/** Whether a line goes through the letters of a text, which are lower than its box. */
function meets(box: DOMRect, [a, b]: Segment): boolean {
  const spans = [
    [a.x, b.x - a.x, box.left + 1, box.right - 1],
    [a.y, b.y - a.y, box.top + 3, box.bottom - 3],
  ] as const;
  let [from, to] = [0, 1];
  for (const [start, delta, low, high] of spans) {
    if (delta === 0) {
      if (start < low || start > high) return false;
      continue;
    }
    const [one, two] = [(low - start) / delta, (high - start) / delta];
    from = Math.max(from, Math.min(one, two));
    to = Math.min(to, Math.max(one, two));
  }
  return from < to;
}

/** All functions above as one script, whose last value is a call. */
export const script = (call: string): string =>
  `(() => { ${[everyRun, rowsIn, faultsIn, crossedIn, segmentsOf, meets].map(String).join("\n")}\nreturn ${call}; })()`;
