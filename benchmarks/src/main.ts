import { benchWorkers } from "./workers.ts";

const [name = "workers"] = process.argv.slice(2);
if (name !== "workers") {
  console.error(`expected the name of a benchmark (workers) but received ${name}`);
  process.exit(2);
}
console.log(await benchWorkers());
