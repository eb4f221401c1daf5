import { type Counted, differences, isCounted, type NotCounted, sizeOfCounts } from "./counted.ts";

/** The result of a backend, and where it counted. */
export interface Outcome {
  readonly where: "page" | "server";
  readonly result: Counted | NotCounted;
}

/** How a result compares with the reference, which is core's CPU backend on one worker of the page. */
export type Verdict = "no reference" | "the reference" | "equal" | { readonly differ: number };

/** Returns the reference, or null if it could not count. */
export function referenceOf(outcomes: readonly Outcome[]): Counted | null {
  const found = outcomes.find(({ where, result }) => where === "page" && result.backend === "cpu")?.result;
  return found !== undefined && isCounted(found) ? found : null;
}

export function verdict(result: Counted, reference: Counted | null): Verdict {
  if (reference === null) return "no reference";
  if (result === reference) return "the reference";
  const differ = differences(result, reference);
  return differ === 0 ? "equal" : { differ };
}

/** One line about all backends: "5 backends, 1,024 counts equal". */
export function summary(outcomes: readonly Outcome[]): { readonly text: string; readonly isGood: boolean } {
  const reference = referenceOf(outcomes);
  const results = outcomes.map(({ result }) => result).filter(isCounted);
  const backends = `${results.length} backend${results.length === 1 ? "" : "s"}`;
  if (reference === null)
    return { text: `${backends}, not compared: the reference is missing`, isGood: false };
  const others = results.filter((result) => result !== reference);
  const wrong = others.filter((result) => differences(result, reference) > 0);
  const counts = sizeOfCounts(reference).toLocaleString("en");
  if (wrong.length > 0) {
    const names = wrong.map(({ backend }) => backend).join(", ");
    return {
      text: `${backends}, ${wrong.length} with other counts than the reference: ${names}`,
      isGood: false,
    };
  }
  return {
    text: others.length === 0 ? `${backends}, ${counts} counts` : `${backends}, ${counts} counts equal`,
    isGood: true,
  };
}
