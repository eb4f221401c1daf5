// The bundle's programs, without its addons and its compiled peers. They need no compiler.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = (name: string, file: string): string => join(root, "packages", name, "dist", file);

/** Writes the programs into a folder. Code lies one folder deep, as in the packages, and finds addons in the folder above. */
export async function writePrograms(folder: string): Promise<void> {
  const build = await rolldown({
    input: {
      gpu: join(root, "benchmarks", "src", "bundle", "main.ts"),
      // Polybin as a contestant has processes of its own.
      polybin: join(root, "benchmarks", "peers", "polybin.mjs"),
      // Workers are separate programs next to the code that starts them, as in the packages.
      worker: built("core", "multithreaded/worker.js"),
      "worker/main": built("piscina", "worker/main.js"),
    },
    platform: "node",
    external: ["webgpu", "piscina"],
  });
  await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: ({ name }) =>
      new Map([
        ["gpu", "program/gpu.mjs"],
        ["polybin", "program/polybin.mjs"],
        ["worker", "program/worker.js"],
      ]).get(name) ?? `${name}.js`,
    chunkFileNames: "program/[name]-[hash].mjs",
  });
  await build.close();
  mkdirSync(join(folder, "program", "peers"));
  for (const file of ["peer.mjs", "loop.mjs", "histograms.c", "histograms.py"])
    copyFileSync(join(root, "benchmarks", "peers", file), join(folder, "program", "peers", file));
  for (const name of ["kernels.wasm", "where.wasm"])
    copyFileSync(built("piscina", name), join(folder, "program", name));
  // A separate program provokes the faults, because it cannot use CUDA afterwards.
  const faults = join(root, "packages", "cuda", "test", "device", "main.ts");
  const provoke = await rolldown({ input: faults, platform: "node" });
  await provoke.write({
    file: join(folder, "program", "provoke.mjs"),
    format: "esm",
    codeSplitting: false,
  });
  await provoke.close();
}
