import { existsSync, globSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runOnce } from "./lines.ts";

/** The programs of CUDA, with the kernels of the library that they launch. */
const PROGRAMS = {
  ceilings: ["src/ceilings/ceilings.cu"],
  collision: ["peers/collision.cu"],
  cub: ["peers/cub.cu", "../packages/cuda/src/kernels/per-lane/kernel.cu"],
  histograms: ["peers/histograms.cu"],
  podlozhnyuk: ["peers/podlozhnyuk.cu"],
  published_bytes: ["peers/published/bytes.cu"],
  published_cpu: ["peers/published/cpu.cc"],
  published_sums: ["peers/published/sums.cu"],
  trish: ["peers/trish.cu"],
} as const;
export type Program = keyof typeof PROGRAMS;
export const NAMES = Object.keys(PROGRAMS) as readonly Program[];

/** The benchmarks' folder in a checkout. */
const FOLDER = fileURLToPath(new URL("../..", import.meta.url));
/** Places of headers. A program is older than its sources if one of them is newer. */
const HEADERS = ["peers", "src/ceilings", "../packages/cuda/native", "../packages/cuda/src"];
/** Milliseconds in which the compiler must finish, and the driver must answer. */
const COMPILE_MS = 600_000;
const DRIVER_MS = 60_000;

/** The architectures of a program: the GPU here, or the measured one, whose PTX newer devices run. */
const ARCHITECTURES = {
  native: ["-arch=native"],
  packed: ["-gencode", "arch=compute_90,code=[sm_90,compute_90]"],
} as const;

/** Compiles a program with the nvcc on the path, unless nothing has changed, because this takes up to a minute. */
export function compile(name: Program, architecture: keyof typeof ARCHITECTURES): string {
  const made = join(FOLDER, "dist", "cuda", architecture, name);
  const [sources, headers] = [PROGRAMS[name], HEADERS].map((paths) =>
    paths.map((path) => join(FOLDER, path)),
  );
  const files = headers!.flatMap((folder) =>
    globSync("**/*.{h,cuh}", { cwd: folder }).map((file) => join(folder, file)),
  );
  const newest = Math.max(...[...sources!, ...files].map((file) => statSync(file).mtimeMs));
  if (existsSync(made) && statSync(made).mtimeMs > newest) return made;
  mkdirSync(dirname(made), { recursive: true });
  const flags = [
    "-std=c++17",
    "-O3",
    ...ARCHITECTURES[architecture],
    ...headers!.flatMap((folder) => ["-I", folder]),
  ];
  runOnce("nvcc", [...flags, ...sources!, "-o", made], COMPILE_MS);
  return made;
}

const known = new Map<Program, string>();

/** Returns the path of a program: the bundle's, which lies next to it, or one for the GPU here. @throws an Error of one line */
export function compiled(name: Program): string {
  const path = known.get(name) ?? found(name);
  known.set(name, path);
  return path;
}

function found(name: Program): string {
  const packed = fileURLToPath(new URL(name, import.meta.url));
  if (existsSync(packed)) return packed;
  try {
    runOnce("nvidia-smi", ["-L"], DRIVER_MS);
  } catch (error) {
    throw new Error(`no NVIDIA GPU was found (${(error as Error).message})`);
  }
  try {
    return compile(name, "native");
  } catch (error) {
    throw new Error(`nvcc is not available or failed (${(error as Error).message})`);
  }
}
