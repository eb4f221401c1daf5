import type { Published } from "../../src/suites/podlozhnyuk.ts";
import type { Measured } from "../measured.ts";
import { digits } from "../readings/index.ts";
import { conflictsOf, publishedOf } from "./published.ts";

/** The swizzle was made for 16 banks: the same idea for 32 banks leaves no conflicts. */
export function banks(measured: Measured): string | null {
  const [paper16, today] = ["swizzle", "swizzle for 32 banks"].map((variant) => {
    const of = publishedOf(measured, "histogram64").filter((line) => line.distribution === "uniform");
    const line = of.find((one) => one.variant === variant);
    return line === undefined ? null : conflictsOf(line);
  });
  if (paper16 == null || today == null || today >= paper16 / 2) return null;
  return `The swizzle separates 16 threads and 16 banks, but a warp now has 32. It leaves ${digits(paper16)} conflicts per access, and the same idea for 32 banks ${digits(today)}.`;
}

/** One merge takes this long, and counting this long. */
export function mergeTimes(measured: Measured, kernel: Published["kernel"]): string | null {
  const found = publishedOf(measured, kernel).find(
    ({ distribution, variant }) => distribution === "uniform" && ["swizzle", "tag"].includes(variant),
  );
  if (found === undefined) return null;
  const micro = (ms: number) => `${digits(ms * 1000)} µs`;
  return `For ${digits(found.n)} bytes counting takes only ${micro(found.ms)} today, and the merge ${micro(found.mergeMs)}.`;
}
