import { piscina } from "@polybin/piscina";
import { TARGETS, type Target } from "../runner/target.ts";

/** Workers take the place of a missing GPU. */
export const WORKERS: Target = {
  ...TARGETS.webgpu!,
  sleeps: false,
  software: true,
  backend: () => piscina(),
  timed: () => piscina(),
  readRows: async () => {
    throw new Error("expected a GPU, since workers have no kernels that only read");
  },
};
