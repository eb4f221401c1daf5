/** The numbers that a round is generated for. */
export interface Round {
  /** Features of a block, and units of a thread in a round. */
  readonly features: number;
  readonly units: number;
  /** Vectors of weights per unit. */
  readonly fours: number;
  readonly squares: boolean;
  /** Whether the documents are those of a list. */
  readonly listed: boolean;
}

/**
 * Generates the WGSL of `addRound`, which adds up a round of whole units (segment.wgsl). It loads everything before it
 * flushes tables and adds the first document. Each value has a name of its own. An array with a variable index would
 * lie in memory, which takes several times as long (docs/internals/notes/gpu-kernels.md).
 */
export function writtenRound({ features, units, fours, squares, listed }: Round): string {
  const each = <T>(count: number, make: (i: number) => T): T[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const vector = (unit: number, four: number) => `(at + ${unit}u * THREADS) * FOURS + ${four}u`;
  const value = (feature: number, unit: number) =>
    listed
      ? each(fours, (four) => `gathered(row${feature}, documents[${vector(unit, four)}], ${four}u)`).join(
          " | ",
        )
      : `data[row${feature} + at + ${unit}u * THREADS]`;
  const loads = each(units, (unit) => [
    ...each(fours, (four) => `let w${unit}_${four} = weights[${vector(unit, four)}];`),
    ...(squares ? each(fours, (four) => `let s${unit}_${four} = squares[${vector(unit, four)}];`) : []),
    ...each(features, (feature) => `let v${unit}_${feature} = ${value(feature, unit)};`),
  ]);
  const adds = each(units, (unit) =>
    each(fours, (four) =>
      each(features, (feature) =>
        ["x", "y", "z", "w"].map((part, i) => {
          const square = squares ? `s${unit}_${four}.${part}` : "0u";
          const bin = `valueAt(v${unit}_${feature}, ${4 * four + i}u)`;
          return `addValue(${feature}u, ${bin}, w${unit}_${four}.${part}, ${square});`;
        }),
      ),
    ),
  );
  return [
    "const WRITTEN_OUT = true;",
    `const IN_FLIGHT = ${units}u;`,
    "fn addRound(at: u32, thread: u32, isFull: bool) {",
    ...each(features, (feature) => `let row${feature} = rows[${feature}];`),
    ...loads.flat(),
    "flushIf(isFull, thread);",
    ...adds.flat(3),
    "}",
  ].join("\n");
}
