/** A screen reader reads every status aloud, so only the first round and each completed tenth are announced. */
export function isAnnounced({ round, total }: { readonly round: number; readonly total: number }): boolean {
  const tenths = (rounds: number) => Math.floor((10 * rounds) / total);
  return round === 1 || tenths(round) > tenths(round - 1);
}
