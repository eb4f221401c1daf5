/** A result, or a list with one for each column of weights. */
export type Result = One | readonly One[];

interface One {
  readonly masked: number;
  toJSON(): object;
}

/** What a result counted, without how: in UHI's schema, every cell and sum, and what a mask left out. */
export function plain(result: Result): unknown {
  if (!("toJSON" in result)) return result.map((one) => plain(one));
  const { axes, storage } = result.toJSON() as { readonly axes: unknown; readonly storage: unknown };
  const arrays = (_: string, value: unknown): unknown =>
    ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value;
  return JSON.parse(JSON.stringify({ axes, storage, masked: result.masked }, arrays));
}
