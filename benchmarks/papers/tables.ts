import type { Point } from "./model.ts";
import { digits, value } from "./readings/index.ts";

/** Writes a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Writes a part of the page that readers open. */
export function details(title: string, ...body: readonly string[]): string {
  return `<details><summary>${title}</summary>\n\n${body.join("\n\n")}\n\n</details>`;
}

export function placeText(x: Point["x"]): string {
  return typeof x === "number" ? x.toLocaleString("en-US") : x;
}

/** Lists all places of some points by series. */
export function pivot(points: readonly Point[], label: string): string {
  const series = [...new Set(points.map((point) => point.series))];
  const places = [...new Set(points.map(({ x }) => x))];
  if (places.every((place) => typeof place === "number")) places.sort((a, b) => Number(a) - Number(b));
  return table(
    [label, ...series],
    places.map((place) => [
      placeText(place),
      ...series.map((name) => {
        const found = value(points, { series: name, x: place });
        return found === null ? "" : digits(found);
      }),
    ]),
  );
}
