// Writes what each library makes of polybin's results: node main.ts [FOLDER]
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { parseHTML } from "linkedom";
import { bars } from "./bars.ts";
import { flights, PICTURE } from "./data.ts";
import { grouped } from "./grouped.ts";
import { levelled } from "./levels.ts";
import { plotted } from "./plot.ts";

const folder = process.argv[2] ?? join(import.meta.dirname, "output");
await mkdir(folder, { recursive: true });
await using engine = await openEngine({ backends: [piscina()] });
const table = flights(200_000);
const { delay } = table.data() as { delay: Float64Array };

await (await levelled(engine, PICTURE)).png().toFile(join(folder, "levels.png"));
const plot = await plotted(engine, delay, parseHTML("<!doctype html><html></html>").document);
plot.setAttribute("xmlns", "http://www.w3.org/2000/svg"); // a file needs it, and a page does not
await writeFile(join(folder, "plot.svg"), plot.outerHTML);
await writeFile(join(folder, "bars.svg"), await bars(engine, delay));
await writeFile(join(folder, "grouped.csv"), (await grouped(engine, table)).toCSV());
