import { benchWeighted } from "./weighted.ts";
import { benchWorkers } from "./workers.ts";

const BENCHMARKS: Readonly<Record<string, () => Promise<string>>> = {
  workers: () => benchWorkers(),
  weighted: () => benchWeighted(),
};

const [name = "workers"] = process.argv.slice(2);
const bench = BENCHMARKS[name];
if (bench === undefined) {
  console.error(
    `expected the name of a benchmark (${Object.keys(BENCHMARKS).join(", ")}) but received ${name}`,
  );
  process.exit(2);
}
console.log(await bench());
