/** Who takes part in a round: does its work once and says how long it took. */
export interface Contestant {
  /** Of all rounds, how many it takes part in: a slow one fewer. */
  readonly share: number;
  /** Milliseconds. */
  run(): Promise<number>;
  /** Is what the last run found right? */
  isRight(): Promise<boolean>;
}

/** Rounds that even a slow contestant goes through. */
export const LEAST_ROUNDS = 5;

/** Who is quicker finds its data, tables and threads as whoever came before left them, which may cost it half its time. */
const SHORT_MS = 20;

/**
 * All take turns in every round, so that a noisy machine is so to all. A first run of each warms up, and is compared;
 * turns of less than 20 ms begin with one that is not measured.
 * Who has worked for so many seconds stops after its least rounds.
 */
export async function takeTurns(
  contestants: readonly Contestant[],
  rounds: number,
  seconds: number = Infinity,
): Promise<{ readonly ms: readonly number[]; readonly exact: boolean }[]> {
  const times = contestants.map((): number[] => []);
  const exact: boolean[] = [];
  const isShort: boolean[] = [];
  for (const contestant of contestants) {
    isShort.push((await contestant.run()) < SHORT_MS);
    exact.push(await contestant.isRight());
  }
  const spent = contestants.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (const [i, contestant] of contestants.entries()) {
      if (round >= rounds * contestant.share) continue;
      if (round >= LEAST_ROUNDS && spent[i]! >= seconds * 1000) continue;
      if (isShort[i]) await contestant.run();
      const ms = await contestant.run();
      times[i]!.push(ms);
      spent[i]! += ms;
    }
  }
  return times.map((ms, i) => ({ ms, exact: exact[i]! }));
}
