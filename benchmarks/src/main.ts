import { isPolybinError } from "@polybin/core";
import { printable } from "./command/printable.ts";
import { WrongUse } from "./command/wrong-use.ts";
import { stale } from "./stale/main.ts";

/** Runs `polybin bench …`, or a suite by name: `--suite NAME`. */
async function main(args: readonly string[]): Promise<void> {
  if (args[0] === "--suite") return suite(args[1] ?? "", args.slice(2));
  if (args.includes("--stale")) return stale(args);
  if (args.some((arg) => /^--suite(=|$)/.test(arg)))
    throw new WrongUse("expected --suite NAME before all other options");
  // Imported late, so that other paths load no backend.
  const { bench } = await import("./axes/main.ts");
  await bench(args);
}

async function suite(name: string, args: readonly string[]): Promise<void> {
  if ([name, ...args].includes("--help")) {
    const { USAGE } = await import("./axes/options.ts");
    return void process.stdout.write(`${USAGE}\n`);
  }
  const isOfCpu = name === "workers" || (name === "weighted" && !args.some((arg) => /^--backend/.test(arg)));
  if (isOfCpu) {
    if (args.length > 0)
      throw new WrongUse(`expected no options for the suite ${name} on the CPU but received ${args[0]}`);
    const { benchWorkers } = await import("./suites/workers.ts");
    const { benchWeighted } = await import("./suites/weighted-workers.ts");
    console.log(await (name === "workers" ? benchWorkers() : benchWeighted()));
    return;
  }
  const { HOST_SUITES, hostMain } = await import("./suites/host.ts");
  if (HOST_SUITES[name] !== undefined && !args.some((arg) => /^--backend/.test(arg)))
    return hostMain([name], args);
  const { SUITES } = await import("./suites/index.ts");
  const names = ["workers", ...Object.keys(HOST_SUITES), ...Object.values(SUITES).flatMap(Object.keys)];
  if (!names.includes(name)) {
    const known = [...new Set(names)].join(", ");
    throw new WrongUse(`expected one of ${known} for --suite but received ${JSON.stringify(name)}`);
  }
  if (HOST_SUITES[name] !== undefined && args.join("=").includes("--backend=webgpu")) {
    const { startWithSoftwareGpu } = await import("./command/swiftshader.ts");
    await startWithSoftwareGpu();
  }
  const { gpuMain } = await import("./bundle/command.ts");
  await gpuMain(["bench", name, ...args]);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  const isWrongUse = error instanceof WrongUse || code.startsWith("ERR_PARSE_ARGS");
  const known = isPolybinError(error) ? error.code : isWrongUse ? "ERR_INPUT" : "ERR_INTERNAL";
  process.stderr.write(`error[${known}]: ${printable(message)}\n`);
  process.exitCode = isWrongUse ? 2 : 1;
}
