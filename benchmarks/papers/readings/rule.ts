import type { Reading, Rule } from "../model.ts";

/**
 * Makes a rule of a reading.
 * @param stated the paper's value, if it does not follow from its numbers
 * @param words the paper's own words, if it states no number
 */
export function rule<T>(
  panel: string,
  claim: string,
  where: string,
  reading: Reading<T>,
  stated?: NoInfer<T>,
  words?: string,
): Rule {
  return {
    panel,
    claim,
    where,
    how: reading.how,
    judge: (paper, ours) => {
      const theirs = stated ?? reading.read(paper);
      if (theirs === null)
        throw new Error(`${claim}: expected a value from the paper's numbers but they do not determine one`);
      const found = reading.read(ours);
      return {
        paper: words === undefined ? reading.text(theirs) : `${words} (${reading.text(theirs)})`,
        ours: found === null ? null : reading.text(found),
        verdict: found === null ? "not measured" : reading.compare(theirs, found, ours),
      };
    },
  };
}

/** Adds the measured cause of a verdict other than "agrees". It is shown only with such a verdict. */
export function because(of: Rule, cause: NonNullable<Rule["cause"]>): Rule {
  return { ...of, cause };
}
