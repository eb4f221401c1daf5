import { powerName } from "../../src/runner/names.ts";
import type { Source } from "../measured.ts";
import { digits } from "../readings/index.ts";
import { type Cell, NONE, type Section, tableOf } from "./page.ts";

/** Lists the cells that a second kind of GPU has, too: exact rows on uniform samples, of the papers' kernels and ours. */
export function elsewhere(main: readonly Source[], others: readonly Source[]): Section | null {
  const [gpu] = others.map(({ results }) => results.machine.gpu);
  const [mine] = main.map(({ results }) => results.machine.gpu).filter((name) => name !== null);
  if (gpu == null || mine === undefined) return null;
  const [here, there] = [cellsOf(main), cellsOf(others)];
  const rows = [...there].flatMap(([key, gbps]): Cell[][] => {
    const own = here.get(key);
    if (own === undefined) return [];
    const [, method, variant, type, bins, n] = JSON.parse(key) as (string | number | null)[];
    const named = [method, variant ?? NONE, `${type}, ${bins} bins`, powerName(Number(n))].map(String);
    return [[...named, digits(own), digits(gbps), `${digits(gbps / own)}x`]];
  });
  return {
    id: "elsewhere",
    title: `On a second GPU: ${gpu}`,
    text: [
      `The table has the cells that were measured on both GPUs, in GB/s on uniform samples. The verdicts of this page are those of the ${mine}.`,
    ],
    table: tableOf(["method", "variant", "samples", "n", mine, gpu, "ratio"], rows, 4),
  };
}

/** Throughput by file, method, variant, type, bins and n. The newest file comes last. */
function cellsOf(sources: readonly Source[]): Map<string, number> {
  const inOrder = sources.toSorted((a, b) => (a.results.date < b.results.date ? -1 : 1));
  return new Map(
    inOrder.flatMap(({ name, results: { rows } }) =>
      rows.flatMap(
        ({ peer, algorithm, variant, type, bins, n, distribution, residence, exact, gbps, call }) =>
          exact && distribution === "uniform" && residence === "resident" && call === undefined
            ? [[JSON.stringify([name, peer ?? algorithm, variant ?? null, type, bins, n]), gbps] as const]
            : [],
      ),
    ),
  );
}
