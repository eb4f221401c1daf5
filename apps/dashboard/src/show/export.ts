import type { Cell } from "./table.ts";

/** Saves the plotted values as CSV (RFC 4180). Columns of links have no values and are left out. */
export function saveCsv(name: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
  save(`${fileName(name)}.csv`, new Blob([csvOf(columns, rows)], { type: "text/csv" }));
}

export function csvOf(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const kept = columns.map((_, i) => i).filter((i) => rows.every((row) => typeof row[i] !== "object"));
  const line = (cells: readonly Cell[]) =>
    kept.map((i) => `"${String(cells[i]).replaceAll('"', '""')}"`).join(",");
  return `${[columns, ...rows].map(line).join("\r\n")}\r\n`;
}

/** Saves the plot as a file of its own: with its present colours, and without the crosshair. */
export function saveSvg(name: string, drawn: SVGSVGElement): void {
  save(`${fileName(name)}.svg`, svgOf(name, drawn));
}

/** Pixels of the picture for each pixel of the page. */
const SHARPNESS = 2;

export async function savePng(name: string, drawn: SVGSVGElement): Promise<void> {
  const picture = new Image();
  const address = URL.createObjectURL(svgOf(name, drawn));
  picture.src = address;
  await picture.decode();
  const { width, height } = drawn.viewBox.baseVal;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * SHARPNESS, height * SHARPNESS];
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, "image/png");
  });
  if (blob === null) throw new Error("The browser made no PNG of this plot. SVG has the same content.");
  save(`${fileName(name)}.png`, blob);
}

/** Attributes whose values name variables of the page's style sheet. */
const COLOURED: readonly string[] = ["fill", "stroke"];

function svgOf(name: string, drawn: SVGSVGElement): Blob {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  copy.querySelector(".crosshair")?.remove();
  const [from, to] = [[...drawn.querySelectorAll("*")], [...copy.querySelectorAll("*")]];
  to.forEach((element, i) => {
    const now = from[i];
    if (now === undefined) return;
    const style = getComputedStyle(now);
    for (const attribute of COLOURED) {
      const value = element.getAttribute(attribute);
      if (value?.includes("var(") || value === "currentColor")
        element.setAttribute(attribute, style.getPropertyValue(attribute));
    }
  });
  const { color, fontFamily, fontSize } = getComputedStyle(drawn);
  const page = getComputedStyle(document.documentElement).backgroundColor;
  for (const [attribute, value] of Object.entries({
    xmlns: "http://www.w3.org/2000/svg",
    color,
    fill: color,
    "font-family": fontFamily,
    "font-size": fontSize,
  }))
    copy.setAttribute(attribute, value);
  const title = document.createElementNS(copy.namespaceURI, "title");
  title.textContent = name;
  const ground = document.createElementNS(copy.namespaceURI, "rect");
  for (const [attribute, value] of Object.entries({ width: "100%", height: "100%", fill: page }))
    ground.setAttribute(attribute, value);
  copy.prepend(title, ground);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

function save(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
