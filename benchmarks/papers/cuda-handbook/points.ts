import { claimOf, numbersOf } from "../data.ts";
import type { PaperNumber } from "../model.ts";
import { digits } from "../readings/index.ts";

/** The paper gives the speed of the most threads, and their factor over one. */
export function withOneThread(): PaperNumber[] {
  const numbers = numbersOf("cuda-handbook", "cpu-scaling", "throughput");
  const factor = claimOf("cuda-handbook", "cpu-scaling", "over one thread");
  const most = numbers[0]!;
  return [{ ...most, x: 1, y: most.y / factor, where: `${digits(most.y)} / ${factor}` }, ...numbers];
}
