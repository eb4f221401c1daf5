import { availableParallelism } from "node:os";
import { type Backend, isPolybinError } from "@polybin/core";
import { checkedThreads, checkNames, ownOptions } from "@polybin/core/backend";
import { NativeDevice } from "./device.ts";
import { kernels } from "./kernels/index.ts";
import { loaded } from "./platform/index.ts";

/** Options of the native backend. */
export interface NativeOptions {
  /** Most threads that a call uses, 1 to 256. Default: as many as the machine runs at the same time. */
  readonly threads?: number;
}

/**
 * Returns a backend with compiled kernels for the CPU in a Node addon. They count ordinary typed arrays in place, on the
 * calling thread and on threads of their own, which all engines of a process share. The import needs no addon; `probe`
 * reports what is missing.
 * @throws ERR_INPUT for an unknown option, or if `threads` is no whole number of at least 1; ERR_LIMIT past 256
 * threads.
 */
export function native(options: NativeOptions = {}): Backend {
  const own = ownOptions(options);
  checkNames(own, ["threads"] satisfies (keyof NativeOptions)[]);
  const threads = checkedThreads(own.threads, availableParallelism());
  const device = `${threads} thread${threads === 1 ? "" : "s"}`;
  return {
    id: "native",
    algorithms: kernels.map(({ algorithm }) => algorithm),
    probe: async () => {
      try {
        loaded();
        return { available: true, device };
      } catch (error) {
        if (!isPolybinError(error)) throw error;
        return { available: false, reason: error.message };
      }
    },
    open: async () => new NativeDevice(device, loaded(), threads),
  };
}
