import { bench } from "./axes/main.ts";
import { WrongUse } from "./axes/options.ts";

/** `polybin bench …`, and a suite of its own by name: `--suite NAME`. */
async function main(args: readonly string[]): Promise<void> {
  if (args[0] === "--suite") return suite(args[1] ?? "", args.slice(2));
  await bench(args);
}

async function suite(name: string, args: readonly string[]): Promise<void> {
  if (name === "workers") {
    const { benchWorkers } = await import("./workers.ts");
    console.log(await benchWorkers());
  } else if (name === "weighted" && !args.includes("--backend")) {
    const { benchWeighted } = await import("./weighted.ts");
    console.log(await benchWeighted());
  } else {
    const { gpuMain } = await import("./gpu/command.ts");
    await gpuMain(["bench", name, ...args]);
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const { message } = error as Error;
  process.stderr.write(`error[${error instanceof WrongUse ? "ERR_INPUT" : "ERR_INTERNAL"}]: ${message}\n`);
  process.exitCode = error instanceof WrongUse ? 2 : 1;
}
