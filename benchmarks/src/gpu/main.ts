import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchCuda } from "./bench.ts";
import { conformance } from "./conformance.ts";

/**
 * What the bundle for a GPU machine runs: `conformance [--size full] --out DIR` or `bench --out DIR`.
 * Result files go to DIR.
 */
const [command, ...rest] = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const at = rest.indexOf(`--${name}`);
  return at < 0 ? undefined : rest[at + 1];
};
const out = option("out") ?? ".";
mkdirSync(out, { recursive: true });
const write = (name: string, value: unknown) =>
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(value, null, 1)}\n`);

if (command === "conformance") {
  const result = await conformance(option("size") === "full" ? "full" : "small", option("topic"));
  write("conformance-cuda", result);
  if (result.failed > 0) process.exitCode = 1;
} else if (command === "bench") {
  write("cuda", await benchCuda(Number(option("mebibytes") ?? 1024)));
} else {
  console.error("expected conformance or bench");
  process.exitCode = 2;
}
