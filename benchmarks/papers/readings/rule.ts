import type { Reading, Rule } from "../model.ts";

/** The paper's value, if it does not follow from its numbers, and the paper's own words, if it states no number. */
interface Stated<T> {
  readonly stated?: T | undefined;
  readonly words?: string | undefined;
}

/** Makes a rule of a reading. */
export function rule<T>(
  statement: Pick<Rule, "id" | "panel" | "claim" | "where" | "cause" | "because">,
  reading: Reading<T>,
  { stated, words }: Stated<NoInfer<T>> = {},
): Rule {
  return {
    ...statement,
    how: reading.how,
    judge: (paper, ours, missing = []) => {
      const theirs = stated ?? reading.read(paper);
      if (theirs === null)
        throw new Error(
          `${statement.claim}: expected a value from the paper's numbers but they do not determine one`,
        );
      const lacks = missing.some((place) => reading.needs?.(place) ?? false);
      const found = lacks ? null : reading.read(ours);
      return {
        paper: words === undefined ? reading.text(theirs) : `${words} (${reading.text(theirs)})`,
        ours: found === null ? null : reading.text(found),
        verdict: found === null ? "not measured" : reading.compare(theirs, found, ours),
      };
    },
  };
}
