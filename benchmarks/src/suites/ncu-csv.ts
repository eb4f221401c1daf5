/** One launch of a kernel, as reported by ncu. */
export interface Launch {
  readonly kernel: string;
  /** Metrics in base units. Metrics that ncu could not measure are absent. */
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * Reads the output of `ncu --csv --page raw --print-units base`: its own lines and the program's, then a line of names, a
 * line of units and a line for each launch.
 */
export function parseNcu(text: string): Launch[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith('"ID"'));
  if (start < 0) return [];
  const names = cellsOf(lines[start]!);
  const kernel = names.indexOf("Kernel Name");
  // The first columns describe the launch. Only metrics have two underscores.
  const metrics = names.flatMap((name, at) => (name.includes("__") ? [{ name, at }] : []));
  return lines
    .slice(start + 1)
    .filter((line) => /^"\d/.test(line))
    .map((line) => {
      const cells = cellsOf(line);
      const found = metrics.flatMap(({ name, at }): [string, number][] => {
        const text = (cells[at] ?? "").replaceAll(",", "");
        const value = Number(text);
        return text === "" || Number.isNaN(value) ? [] : [[name, value]];
      });
      return { kernel: cells[kernel] ?? "", metrics: Object.fromEntries(found) };
    });
}

/** Splits a line of CSV into cells. A quote within a quoted cell is doubled. */
function cellsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g), ([, quoted, plain]) =>
    quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
  );
}
