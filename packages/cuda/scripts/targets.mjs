// Selects the GPUs that the addon is compiled for. Compiling for all takes minutes, so nobody has to wait for GPUs that
// the machine does not have.
//
//   all      releases and the bundle for GPU machines: `npm run build:cuda`
//   native   the GPU of this machine
//   one      one architecture, not optimized: that the native code compiles, where there is no GPU (`npm test`)
//   none     nothing is compiled
//
// POLYBIN_CUDA names one of them. The default is `native` on a machine with a GPU, and `none` on others.
import { existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Ordered by how much is compiled. */
const TARGETS = ["none", "one", "native", "all"];

/**
 * Machine code for these architectures. For all others from the oldest on, a form that the driver compiles at start. 8.0 and
 * 9.0 share one PTX, which takes about half of the time of an architecture: the compiler makes the same for both.
 */
const ALL = [
  "arch=compute_75,code=compute_75",
  "arch=compute_80,code=[sm_80,sm_90]",
  "arch=compute_100,code=sm_100",
  "arch=compute_120,code=sm_120",
];
const ONE = "arch=compute_90,code=sm_90";

/** The arguments of nvcc. */
export const flagsOf = {
  all: ALL.flatMap((of) => ["-gencode", of]),
  native: ["-arch=native"],
  one: ["-gencode", ONE, "-Xcicc", "-O0", "-Xptxas", "-O0"],
};

/** Whether this machine has an NVIDIA GPU and its driver. Under WSL the driver is behind /dev/dxg. */
const hasGpu = () =>
  existsSync("/proc/driver/nvidia/version") ||
  (existsSync("/dev/dxg") && existsSync("/usr/lib/wsl/lib/libcuda.so.1"));

/** Returns the target: POLYBIN_CUDA, or what the machine needs, but at least each of `least`. */
export function target(...least) {
  const asked = process.env.POLYBIN_CUDA;
  if (TARGETS.includes(asked)) return asked;
  if (asked) throw new Error(`expected one of ${TARGETS.join(", ")} for POLYBIN_CUDA but received ${asked}`);
  const needed = [hasGpu() ? "native" : "none", ...least];
  return TARGETS[Math.max(...needed.map((one) => TARGETS.indexOf(one)))];
}

/** The compilers for CUDA, for addons and for WebAssembly. */
const COMPILERS = ["nvcc", "g++", "clang++", "wasm-ld"];

/**
 * Returns a text that differs between toolkits and without one. A cache of built files must notice that it appeared or
 * changed.
 */
export function toolkit() {
  const found = COMPILERS.map((program) => {
    const path = (process.env.PATH ?? "")
      .split(delimiter)
      .map((folder) => join(folder, program))
      .find((file) => existsSync(file));
    if (path === undefined) return `no ${program}`;
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${mtimeMs}`;
  });
  // A driver's files distinguish GPUs, because `native` is compiled again for another GPU.
  const gpus = existsSync("/proc/driver/nvidia/gpus") ? readdirSync("/proc/driver/nvidia/gpus") : [];
  return [...found, ...gpus].join("; ");
}
