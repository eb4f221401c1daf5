import { checkNames, checkSwitch } from "@polybin/core/backend";
import type { NativeDevice } from "../border/index.ts";
import { checkedWhole, failure, unexpected } from "./errors.ts";

/** The devices that an engine counts on, with `device` or `devices`, and how it counts. */
export interface CudaOptions {
  /**
   * Whether `kernelMs` excludes the time that the host takes to launch. This costs a few microseconds per call. Use it
   * to measure, with one engine in the process: other engines' calls may wait for a device that waits for this engine's
   * host. Default: false.
   */
  readonly exactTimings?: boolean;
  /** Number of the only device. Default: 0. */
  readonly device?: number;
  /** Numbers of several devices that are alike, or "all". Each holds and counts a part of the samples. */
  readonly devices?: readonly number[] | "all";
}

/** Distinct numbers of devices, or all devices. */
export type Wanted = readonly number[] | "all";

/** Devices that an engine can count on. */
export interface Choice {
  readonly numbers: readonly number[];
  /** Such as "NVIDIA H200" or "2 x NVIDIA H200". */
  readonly name: string;
  /** The properties that a plan depends on, which all devices share. */
  readonly like: NativeDevice;
}

/** @throws ERR_INPUT for an unknown option, or for values that are no numbers of devices. */
export function wantedDevices(options: CudaOptions): Wanted {
  checkNames(options, ["exactTimings", "device", "devices"] satisfies (keyof CudaOptions)[]);
  checkSwitch(options.exactTimings, "exactTimings");
  const { device, devices } = options;
  if (devices === undefined) return [checkedWhole(device ?? 0, "device", 0)];
  if (device !== undefined) {
    throw failure("ERR_INPUT", "expected either device or devices but received both");
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

/** Returns the wanted devices of the machine. @throws ERR_UNAVAILABLE, or ERR_UNSUPPORTED if they are not alike. */
export function chooseDevices(wanted: Wanted, found: readonly NativeDevice[]): Choice {
  const numbers = wanted === "all" ? found.map((_, number) => number) : wanted;
  const chosen = numbers.map((number) => {
    const device = found[number];
    if (device !== undefined) return device;
    throw failure("ERR_UNAVAILABLE", `no CUDA device ${number}: this machine has ${found.length}`);
  });
  const [like] = chosen;
  if (like === undefined) throw failure("ERR_UNAVAILABLE", "no CUDA device");
  for (const [i, device] of chosen.entries()) {
    const other = Object.entries(SAME).find(
      ([key]) => device[key as keyof typeof SAME] !== like[key as keyof typeof SAME],
    );
    if (other === undefined) continue;
    const [key, words] = other as [keyof typeof SAME, string];
    throw failure(
      "ERR_UNSUPPORTED",
      `expected devices that are alike but ${words} is ${like[key]} on device ${numbers[0]} (${like.name}) and ` +
        `${device[key]} on device ${numbers[i]} (${device.name}): open an engine on each`,
    );
  }
  return { numbers, name: nameOf(chosen), like };
}

/** Properties that devices with a common plan must share. */
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

/** Returns the number of devices of each name. */
function nameOf(devices: readonly NativeDevice[]): string {
  const counts = new Map<string, number>();
  for (const { name } of devices) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (devices.length === 1) return devices[0]!.name;
  return [...counts].map(([name, count]) => `${count} x ${name}`).join(", ");
}
