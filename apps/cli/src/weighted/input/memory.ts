import { totalmem } from "node:os";

/** The share of memory that a file's values may fill. The rest is for tables, workers, Node and other programs. */
const SHARE: number = 3 / 4;

/** The bytes that a file's values may fill: three quarters of the memory of the machine or of its container. */
export function memoryForValues(): number {
  const total = totalmem();
  // A bound above the machine's memory means that there is no container, or that it has no bound.
  const container = process.constrainedMemory();
  return Math.floor(SHARE * (container > 0 ? Math.min(container, total) : total));
}

const GIB: number = 2 ** 30;

/** An amount of memory in GiB. */
export function gibibytes(bytes: number): string {
  return `${(bytes / GIB).toPrecision(3)} GiB`;
}
