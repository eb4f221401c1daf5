// For which GPUs the addon is compiled. Compiling for all takes minutes, so nobody waits for a GPU that is not there.
//
//   all      releases and the bundle for GPU machines: `npm run build:cuda`
//   native   the GPU of this machine
//   one      one architecture: that the native code compiles, where there is no GPU (`npm test`)
//   none     nothing is compiled
//
// POLYBIN_CUDA names one of them. Without it a machine with a GPU takes `native`, any other `none`.
import { existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** From the least to the most that is compiled. */
const TARGETS = ["none", "one", "native", "all"];

/** Machine code for these, and for all others from the oldest on the form that a driver compiles at start. */
const ALL = [
  "arch=compute_75,code=compute_75",
  "arch=compute_80,code=sm_80",
  "arch=compute_90,code=sm_90",
  "arch=compute_100,code=sm_100",
  "arch=compute_120,code=sm_120",
];
const ONE = "arch=compute_90,code=sm_90";

/** What nvcc is told. */
export const flagsOf = {
  all: ALL.flatMap((of) => ["-gencode", of]),
  native: ["-arch=native"],
  one: ["-gencode", ONE],
};

/** Has this machine an NVIDIA GPU and its driver? Under WSL the driver is behind /dev/dxg. */
const hasGpu = () =>
  existsSync("/proc/driver/nvidia/version") ||
  (existsSync("/dev/dxg") && existsSync("/usr/lib/wsl/lib/libcuda.so.1"));

/** What is compiled: what POLYBIN_CUDA asks for, or else what the machine needs, but no less than each of `least`. */
export function target(...least) {
  const asked = process.env.POLYBIN_CUDA;
  if (TARGETS.includes(asked)) return asked;
  if (asked) throw new Error(`expected one of ${TARGETS.join(", ")} for POLYBIN_CUDA but received ${asked}`);
  const needed = [hasGpu() ? "native" : "none", ...least];
  return TARGETS[Math.max(...needed.map((one) => TARGETS.indexOf(one)))];
}

/** What tells one toolkit from another, and from none: a cache of built files must notice that it appeared or changed. */
export function toolkit() {
  const found = ["nvcc", "g++"].map((program) => {
    const path = (process.env.PATH ?? "")
      .split(delimiter)
      .map((folder) => join(folder, program))
      .find((file) => existsSync(file));
    if (path === undefined) return `no ${program}`;
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${mtimeMs}`;
  });
  // A driver's files tell one GPU from another, for which `native` is compiled anew.
  const gpus = existsSync("/proc/driver/nvidia/gpus") ? readdirSync("/proc/driver/nvidia/gpus") : [];
  return [...found, ...gpus].join("; ");
}
