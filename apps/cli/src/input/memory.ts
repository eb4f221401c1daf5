import { totalmem } from "node:os";

/** The part of the memory that a file's values may fill: the rest is for tables, workers, Node and other programs. */
const SHARE: number = 3 / 4;

/** Bytes that a file's values may fill: three quarters of what the machine, or the container around this, has. */
export function memoryForValues(): number {
  const total = totalmem();
  // More than the machine has: there is no container, or it has no bound.
  const container = process.constrainedMemory();
  return Math.floor(SHARE * (container > 0 ? Math.min(container, total) : total));
}

const GIB: number = 2 ** 30;

/** Bytes as people read memory. */
export function gibibytes(bytes: number): string {
  return `${(bytes / GIB).toPrecision(3)} GiB`;
}
