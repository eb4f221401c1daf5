import type { Spec } from "vega";
import type { View } from "../options/index.ts";
import { type Page, tellMachine, warn, write } from "../terminal/index.ts";
import type { Target } from "./files/targets.ts";
import type { Channel, JointResult, Result, TableResult } from "./result.ts";

/** How a result is shown. Each format is loaded when it is needed. */
export interface Printing {
  readonly view: View;
  /** Whether `auto` chose the backend. */
  readonly byAuto: boolean;
  readonly json?: boolean | undefined;
  readonly csv?: boolean | undefined;
  readonly svg: Target | null;
  readonly png: Target | null;
}

/** Draws the plots of a result and prints it. */
export async function printResult(counted: Result, printing: Printing): Promise<void> {
  const { view, byAuto, json, csv } = printing;
  const result = view.stats ? await withStats(counted) : counted;
  await draw(printing, async () => {
    const { specification } = await import("./plots/spec.ts");
    return specification(result, view.scale);
  });
  if (json) await write((await import("./data/json.ts")).toJson(result, view));
  else if (csv) await write((await import("./data/csv.ts")).toCsv(result));
  else await write((await import("./charts/chart.ts")).toChart(result, { view, byAuto }));
  if (json || csv) tellMachine(result.input, result.work, byAuto);
}

/** Draws the plots of a table's columns and prints them. */
export async function printTable(result: TableResult, printing: Printing): Promise<void> {
  const { view, byAuto, json, csv } = printing;
  const { checkView } = await import("./channels.ts");
  checkView(result.columns, view);
  await draw(printing, async () => {
    const { tableSpecification } = await import("./plots/table.ts");
    return tableSpecification(result, view);
  });
  if (json) await write((await import("./data/table-json.ts")).tableJson(result, view));
  else if (csv) await write((await import("./data/table-csv.ts")).tableCsv(result));
  else await write((await import("./charts/table.ts")).tableChart(result, { view, byAuto }));
  if (!json && !csv) return;
  for (const { name, reason } of result.notRead ?? []) warn(`column ${name} is not counted: ${reason}`);
  tellMachine({ name: result.name, samples: result.rows }, result.work, byAuto);
}

/** Draws the plots of a joint histogram and prints it. */
export async function printJoint(result: JointResult, printing: Printing): Promise<void> {
  const { view, byAuto, json } = printing;
  const { scale } = view;
  await draw(printing, async () => {
    const { jointSpecification } = await import("./plots/joint.ts");
    return jointSpecification(result, scale);
  });
  if (json) await write((await import("./data/joint-json.ts")).jointJson(result));
  else await write((await import("./charts/joint.ts")).jointChart(result, { scale, byAuto }));
  if (json) tellMachine(result.columns[0].input, result.work, byAuto);
}

/** The charts of some channels, without a title, as lines. */
export async function panelsOf(channels: readonly Channel[], view: View, page: Page): Promise<string[]> {
  const { panels } = await import("./charts/chart.ts");
  return panels(channels, view, page);
}

/** With --stats: adds the numbers of each channel. */
async function withStats(result: Result): Promise<Result> {
  const { statsOf } = await import("./stats.ts");
  const channels = result.channels.map((channel) => ({ ...channel, stats: statsOf(channel.histogram) }));
  return { ...result, channels };
}

async function draw({ svg, png }: Printing, specification: () => Promise<Spec>): Promise<void> {
  if (svg === null && png === null) return;
  const { writePlots } = await import("./plots/plot.ts");
  await writePlots(await specification(), svg, png);
}
