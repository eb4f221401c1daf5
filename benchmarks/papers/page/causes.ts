import { NO_CAUSE } from "../evaluate.ts";
import { type Compared, LABELS } from "../sides.ts";

/** A cause of verdicts, said once, with the statements that it explains. */
export interface Cause {
  readonly number: number;
  readonly text: string;
  readonly of: readonly { readonly statement: string; readonly column: string }[];
}

/** Numbers the causes of all verdicts that do not agree, in the order of the report. */
export function causesOf(figures: readonly Compared[]): Cause[] {
  const found = new Map<string, { statement: string; column: string }[]>();
  for (const { sides } of figures) {
    for (const { id, of } of sides) {
      for (const { id: statement, cause } of of.findings) {
        if (cause === null || cause === NO_CAUSE) continue;
        const all = found.get(cause) ?? [];
        all.push({ statement, column: LABELS[id] });
        found.set(cause, all);
      }
    }
  }
  return [...found].map(([text, of], i) => ({ number: i + 1, text, of }));
}
