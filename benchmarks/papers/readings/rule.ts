import type { Reading, Rule } from "../model.ts";

/** A reading as a rule; what the paper states instead of numbers is given, and its words where it has no number itself. */
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
      if (theirs === null) throw new Error(`${claim}: the paper's numbers do not tell`);
      const found = reading.read(ours);
      return {
        paper: words === undefined ? reading.text(theirs) : `${words} (${reading.text(theirs)})`,
        ours: found === null ? null : reading.text(found),
        verdict: found === null ? "not measured" : reading.compare(theirs, found, ours),
      };
    },
  };
}
