import { type Contest, Timed } from "./contest.ts";
import type { Report } from "./report.ts";
import type { Row } from "./row.ts";

/** A participant of the rounds. */
export interface Contestant {
  /** Name for messages. */
  readonly name: string;
  /** Whether it is another program. The run does not fail if a peer fails. */
  readonly isPeer?: boolean;
  /** Share of the rounds in which it takes part. Slow contestants have fewer. Default: 1. */
  readonly share?: number;
  open(): Contest | Promise<Contest>;
  /** Called with the reason when the contestant is excluded. */
  lost?(error: Error): void;
}

/** How long the rounds go on. */
export interface Rounds {
  readonly rounds: number;
  /** Seconds of work after which a contestant stops, once it has had its minimum of rounds. Default: no limit. */
  readonly seconds?: number;
}

/** The minimum number of rounds of a contestant. */
export const LEAST_ROUNDS = 5;

/** A faster contestant finds caches and threads as the previous one left them, which may cost half its time. */
const SHORT_MS = 20;

/** A contestant and its times. An error excludes it from further rounds. */
interface Turn {
  readonly of: Contestant;
  readonly timed: Timed<unknown>;
  readonly isShort: boolean;
  spent: number;
  error: Error | null;
}

/**
 * Measures contestants on the CPU. They alternate in every round, so that noise of the machine affects all alike. Each is
 * compared and warmed up first. Turns shorter than 20 ms begin with an unmeasured run. A contestant that fails is excluded
 * and reported; the others continue.
 * @returns a row for each contestant, null for an excluded one
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
