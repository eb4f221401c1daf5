/** A table in Markdown, its first line the heads. */
export function markdown(lines: readonly (readonly string[])[]): string[] {
  const [heads, ...rest] = lines;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads!), `|${"---|".repeat(heads!.length)}`, ...rest.map(line)];
}

/** Three digits that count, with commas from a thousand on. */
export function figure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}
