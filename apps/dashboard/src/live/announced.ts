/** A screen reader reads every status aloud: of many rounds the first and each that completes a tenth are enough. */
export function isAnnounced({ round, total }: { readonly round: number; readonly total: number }): boolean {
  const tenths = (rounds: number) => Math.floor((10 * rounds) / total);
  return round === 1 || tenths(round) > tenths(round - 1);
}
