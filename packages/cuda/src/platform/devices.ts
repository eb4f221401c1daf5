import { PolybinError } from "@polybin/core";
import { checkNames, checkSwitch } from "@polybin/core/backend";
import type { NativeDevice } from "../border/index.ts";
import { checkedWhole, unexpected } from "./errors.ts";

/** Which devices an engine counts on, `device` or `devices`, and how. */
export interface CudaOptions {
  /**
   * `kernelMs` without what the host takes to launch, at the price of a few microseconds a call: for measuring,
   * with one engine in the process, since others' calls may wait for a device that waits for this one's host.
   * Default no.
   */
  readonly exactTimings?: boolean;
  /** Number of the only device. Default 0. */
  readonly device?: number;
  /** Numbers of several devices that are alike, or all: each holds and counts a part of the samples. */
  readonly devices?: readonly number[] | "all";
}

/** Numbers of devices, none twice; or all that there are. */
export type Wanted = readonly number[] | "all";

/** Devices that an engine can count on. */
export interface Choice {
  readonly numbers: readonly number[];
  /** "NVIDIA H200", or "2 x NVIDIA H200". */
  readonly name: string;
  /** Each of them, as far as a plan depends on it. */
  readonly like: NativeDevice;
}

/** @throws ERR_INPUT for another option, or what are no numbers of devices. */
export function wantedDevices(options: CudaOptions): Wanted {
  checkNames(options, ["exactTimings", "device", "devices"] satisfies (keyof CudaOptions)[]);
  checkSwitch(options.exactTimings, "exactTimings");
  const { device, devices } = options;
  if (devices === undefined) return [checkedWhole(device ?? 0, "device", 0)];
  if (device !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either device or devices but received both", {
      backend: "cuda",
    });
  }
  if (devices === "all") return devices;
  if (!Array.isArray(devices) || devices.length === 0) {
    throw unexpected("devices", `numbers of devices or "all"`, JSON.stringify(devices));
  }
  const numbers = devices.map((number, i) => checkedWhole(number, `devices[${i}]`, 0));
  const twice = numbers.find((number, i) => numbers.indexOf(number) !== i);
  if (twice !== undefined) throw unexpected("devices", "each number once", JSON.stringify(numbers));
  return numbers;
}

/** The wanted ones of the machine's devices. @throws ERR_UNAVAILABLE, ERR_UNSUPPORTED where they are not alike. */
export function chooseDevices(wanted: Wanted, found: readonly NativeDevice[]): Choice {
  const numbers = wanted === "all" ? found.map((_, number) => number) : wanted;
  const chosen = numbers.map((number) => {
    const device = found[number];
    if (device !== undefined) return device;
    throw new PolybinError("ERR_UNAVAILABLE", `no CUDA device ${number}: this machine has ${found.length}`, {
      backend: "cuda",
    });
  });
  const [like] = chosen;
  if (like === undefined) throw new PolybinError("ERR_UNAVAILABLE", "no CUDA device", { backend: "cuda" });
  for (const [i, device] of chosen.entries()) {
    const other = Object.entries(SAME).find(
      ([key]) => device[key as keyof typeof SAME] !== like[key as keyof typeof SAME],
    );
    if (other === undefined) continue;
    const [key, words] = other as [keyof typeof SAME, string];
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected devices that are alike but ${words} is ${like[key]} of device ${numbers[0]} (${like.name}) and ` +
        `${device[key]} of device ${numbers[i]} (${device.name}): open an engine on each`,
      { backend: "cuda" },
    );
  }
  return { numbers, name: nameOf(chosen), like };
}

/** What devices that share a plan must have the same of. */
const SAME = {
  capability: "compute capability",
  units: "the number of multiprocessors",
  warp: "the size of a warp",
  sharedBytes: "shared memory of a block",
  blockThreads: "the number of threads of a block",
  unitThreads: "the number of threads of a multiprocessor",
  unitBlocks: "the number of blocks of a multiprocessor",
  unitSharedBytes: "shared memory of a multiprocessor",
  reservedBytes: "reserved shared memory of a block",
} as const satisfies { readonly [key in keyof NativeDevice]?: string };

/** How many of each name. */
function nameOf(devices: readonly NativeDevice[]): string {
  const counts = new Map<string, number>();
  for (const { name } of devices) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (devices.length === 1) return devices[0]!.name;
  return [...counts].map(([name, count]) => `${count} x ${name}`).join(", ");
}
