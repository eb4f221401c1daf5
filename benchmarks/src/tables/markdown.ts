/** A table in Markdown, its first line the heads. */
export function markdown(lines: readonly (readonly string[])[]): string[] {
  const [heads, ...rest] = lines;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(heads!), `|${"---|".repeat(heads!.length)}`, ...rest.map(line)];
}

/** Three digits that count, or all of whole numbers. */
export function figure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
