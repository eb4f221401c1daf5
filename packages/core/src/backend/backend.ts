import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm } from "../plan/index.ts";
import type { Device } from "./device.ts";

/**
 * A way to count: cpu, piscina, webgpu, cuda, or a third party's. Creating one has no side effects. `probe` reports
 * whether it works here, and `open` acquires its device.
 */
export interface Backend {
  /** The backend's id, such as "cpu". */
  readonly id: string;
  /** The algorithms that the backend has kernels for. */
  readonly algorithms: readonly Algorithm[];
  /**
   * The weighted algorithms that the backend has kernels for. Absent or empty: it has no feature tables. A composed
   * algorithm has no kernel. List it with the algorithms that it chooses from, if `sums` reports the times of single
   * features.
   */
  readonly weighted?: readonly (WeightedAlgorithm | ComposedAlgorithm)[];
  /** Reports whether the backend works here, with a reason if it does not. Never rejects. */
  probe(): Promise<Probe>;
  /** Opens the device. @throws ERR_UNAVAILABLE with the reason of `probe`. */
  open(): Promise<Device>;
}

/** Reports whether a backend works on this machine. */
export type Probe =
  | {
      readonly available: true;
      /** The device's name for people, such as "NVIDIA H200". */
      readonly device: string;
      /**
       * Whether the device is software, such as a GPU that the CPU emulates. Software devices are slow, so lists of
       * backends skip them. Core's CPU and worker pools do not count as software devices, because they are made for
       * the CPU. Default: false.
       */
      readonly software?: boolean;
    }
  | {
      readonly available: false;
      /** A sentence that states what is missing. */
      readonly reason: string;
    };
