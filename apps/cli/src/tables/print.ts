import { tellMachine } from "../output/notes.ts";
import { tableCsv } from "../output/table-csv.ts";
import { tableJson } from "../output/table-json.ts";
import type { Target } from "../output/targets.ts";
import { write } from "../output/write.ts";
import type { View } from "../view.ts";
import { checkView } from "./channels.ts";
import type { TableResult } from "./result.ts";

/** How a result is shown. */
export interface Printing {
  readonly view: View;
  readonly byAuto: boolean;
  readonly options: { readonly json?: boolean; readonly csv?: boolean };
  readonly svg: Target | null;
  readonly png: Target | null;
}

/** Draws the plots of a result and prints it. */
export async function printTable(
  result: TableResult,
  { view, byAuto, options, svg, png }: Printing,
): Promise<void> {
  const { json, csv } = options;
  checkView(result.columns, view);
  if (svg !== null || png !== null) {
    const { tableSpecification } = await import("../output/table-plot-spec.ts");
    const { writePlots } = await import("../output/plot.ts");
    await writePlots(tableSpecification(result, view), svg, png);
  }
  if (json) await write(tableJson(result, view));
  else if (csv) await write(tableCsv(result));
  else {
    const { tableChart } = await import("../output/table-chart.ts");
    await write(tableChart(result, { view, byAuto }));
  }
  if (json || csv) tellMachine({ name: result.name, samples: result.rows }, result.work, byAuto);
}
