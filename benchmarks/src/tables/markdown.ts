/** Writes a table in Markdown. The first line holds the heads. */
export function markdown(lines: readonly (readonly string[])[]): string[] {
  const [heads, ...rest] = lines;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(heads!), `|${"---|".repeat(heads!.length)}`, ...rest.map(line)];
}

/** Writes three significant digits, or a whole number from 100 on. */
export function figure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
