import { GUESS, NO_CAUSE } from "../evaluate.ts";
import { type Compared, LABELS } from "../sides.ts";

/** A cause of verdicts, said once, with the statements that it explains. For some it may only be a guess. */
export interface Cause {
  readonly number: number;
  readonly text: string;
  readonly of: readonly Explained[];
}

interface Explained {
  readonly statement: string;
  readonly column: string;
  readonly isGuess: boolean;
}

const textOf = (cause: string): string => (cause.startsWith(GUESS) ? cause.slice(GUESS.length) : cause);

/** Finds the number of a verdict's cause; undefined if it has none. */
export function numberOf(causes: readonly Cause[], cause: string | null): number | undefined {
  return cause === null ? undefined : causes.find(({ text }) => text === textOf(cause))?.number;
}

/** Numbers the causes of all verdicts that do not agree, in the order of the report. */
export function causesOf(figures: readonly Compared[]): Cause[] {
  const found = new Map<string, Explained[]>();
  for (const { sides } of figures) {
    for (const { id, of } of sides) {
      for (const { id: statement, cause } of of.findings) {
        if (cause === null || cause === NO_CAUSE) continue;
        const all = found.get(textOf(cause)) ?? [];
        all.push({ statement, column: LABELS[id], isGuess: cause.startsWith(GUESS) });
        found.set(textOf(cause), all);
      }
    }
  }
  return [...found].map(([text, of], i) => ({ number: i + 1, text, of }));
}
