import { type Contest, Timed } from "./contest.ts";
import type { Report } from "./report.ts";
import type { Row } from "./row.ts";

/** Who takes part in the rounds. */
export interface Contestant {
  /** In words. */
  readonly name: string;
  /** Is it somebody else's? Then the run does not fail with it. */
  readonly isPeer?: boolean;
  /** Of all rounds, how many it takes part in: a slow one fewer. Default all. */
  readonly share?: number;
  open(): Contest | Promise<Contest>;
  /** Told why it is out. */
  lost?(error: Error): void;
}

/** How long it goes on. */
export interface Rounds {
  readonly rounds: number;
  /** Seconds of work after which a contestant stops, if it has had its least rounds; default none. */
  readonly seconds?: number;
}

/** Rounds that even a slow contestant goes through. */
export const LEAST_ROUNDS = 5;

/** Who is quicker finds its data, tables and threads as whoever came before left them, which may cost it half its time. */
const SHORT_MS = 20;

/** One that is in, for as long as it works. */
interface Turn {
  readonly of: Contestant;
  readonly timed: Timed<unknown>;
  readonly isShort: boolean;
  spent: number;
  error: Error | null;
}

/**
 * Measures contestants of the CPU: all take turns in every round, so that a noisy machine is so to all. Each is compared
 * and warmed up first; turns of less than 20 ms begin with a run that is not measured. Who fails is out, and told in the
 * report, and the others go on.
 * @returns a row for each contestant, null for one that is out
 */
export async function measureInTurns(
  report: Report,
  contestants: readonly Contestant[],
  { rounds, seconds = Number.POSITIVE_INFINITY }: Rounds,
): Promise<(Row | null)[]> {
  const out = (of: Contestant, error: Error): null => {
    if (of.isPeer) report.miss(`${of.name}: ${error.message}`);
    else report.lose(of.name, error);
    of.lost?.(error);
    return null;
  };
  const turns: (Turn | null)[] = [];
  for (const of of contestants) turns.push(await turnOf(of).catch((error: Error) => out(of, error)));
  for (let round = 0; round < rounds; round++) {
    for (const turn of turns) {
      if (turn === null || turn.error !== null || round >= rounds * (turn.of.share ?? 1)) continue;
      if (round >= LEAST_ROUNDS && turn.spent >= seconds * 1000) continue;
      try {
        if (turn.isShort) await turn.timed.warm();
        turn.spent += await turn.timed.run();
      } catch (error) {
        turn.error = error as Error;
        if (!turn.of.isPeer) process.exitCode = 1;
      }
    }
  }
  const rows: (Row | null)[] = [];
  for (const turn of turns) {
    if (turn === null) rows.push(null);
    else if (turn.error !== null) rows.push(out(turn.of, turn.error));
    else rows.push(await turn.timed.row().catch((error: Error) => out(turn.of, error)));
  }
  for (const row of rows) if (row !== null) report.add(row);
  return rows;
}

async function turnOf(of: Contestant): Promise<Turn> {
  const timed = await Timed.gated(await of.open());
  const isShort = (await timed.warm()) < SHORT_MS;
  return { of, timed, isShort, spent: 0, error: null };
}
