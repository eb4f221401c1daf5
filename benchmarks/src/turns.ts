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

/**
 * All take turns in every round, so that a noisy machine is so to all. A first run of each warms up, and is compared.
 * Who has worked for so many seconds stops after its least rounds.
 */
export async function takeTurns(
  contestants: readonly Contestant[],
  rounds: number,
  seconds: number = Infinity,
): Promise<{ readonly ms: readonly number[]; readonly exact: boolean }[]> {
  const times = contestants.map((): number[] => []);
  const exact: boolean[] = [];
  for (const contestant of contestants) {
    await contestant.run();
    exact.push(await contestant.isRight());
  }
  const spent = contestants.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (const [i, contestant] of contestants.entries()) {
      if (round >= rounds * contestant.share) continue;
      if (round >= LEAST_ROUNDS && spent[i]! >= seconds * 1000) continue;
      const ms = await contestant.run();
      times[i]!.push(ms);
      spent[i]! += ms;
    }
  }
  return times.map((ms, i) => ({ ms, exact: exact[i]! }));
}
