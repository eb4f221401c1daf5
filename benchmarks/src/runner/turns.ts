import { type Contest, Timed } from "./contest.ts";
import type { Report } from "./report.ts";
import type { Row } from "./row.ts";

/** A participant of the rounds. The run does not fail if a peer fails. */
export interface Contestant extends Contest {
  /** Name for messages. */
  readonly name: string;
  /** Share of the rounds in which it takes part. Slow contestants have fewer. Default: 1. */
  readonly share?: number;
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
  timed?: Timed;
  isShort?: boolean;
  spent: number;
  error?: Error;
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
  const turns = contestants.map((of): Turn => ({ of, spent: 0 }));
  const each = async (step: (turn: Turn, timed: Timed) => Promise<unknown>) => {
    for (const turn of turns) {
      if (turn.error !== undefined) continue;
      try {
        await step(turn, turn.timed!);
      } catch (error) {
        turn.error = error as Error;
      }
    }
  };
  await each(async (turn) => {
    turn.timed = await Timed.gated(turn.of);
    turn.isShort = (await turn.timed.warm()) < SHORT_MS;
  });
  for (let round = 0; round < rounds; round++) {
    await each(async (turn, timed) => {
      if (round >= rounds * (turn.of.share ?? 1)) return;
      if (round >= LEAST_ROUNDS && turn.spent >= seconds * 1000) return;
      if (turn.isShort) await timed.warm();
      turn.spent += await timed.run();
    });
  }
  const rows = new Map<Turn, Row>();
  await each(async (turn, timed) => rows.set(turn, await timed.row()));
  for (const { of, error, timed } of turns) {
    if (error === undefined) continue;
    if (timed !== undefined && !of.row.peer) process.exitCode = 1;
    report.lose(of.name, error, of.row.peer);
    of.lost?.(error);
  }
  for (const row of rows.values()) report.add(row);
  return turns.map((turn) => rows.get(turn) ?? null);
}
