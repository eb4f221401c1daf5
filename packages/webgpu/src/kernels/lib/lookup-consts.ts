/** Returns the copies of starts that go with copies of a lookup in workgroup memory. */
export function startCopies(replicas: number): number {
  return Math.max(1, Math.floor(replicas / 2));
}

/** Returns the lengths that the texts of lookups in workgroup memory need. Without copies there are none. */
export function lookupConsts(replicas: number): Readonly<Record<string, number>> {
  return replicas === 0 ? {} : { LOOKUP_REPLICAS: replicas, START_COPIES: startCopies(replicas) };
}
