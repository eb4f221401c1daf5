import type { Engine } from "@polybin/core";
import { type ColumnTable, from } from "arquero";

/** Counts the delays of each carrier in bins of 4 minutes. It replaces Arquero's `bin`, `groupby` and `count`. */
export async function grouped(engine: Engine, table: ColumnTable): Promise<ColumnTable> {
  const { delay, carrier } = table.data() as { delay: Float64Array; carrier: Uint8Array };
  const h = await engine.histogram(delay, { bins: 40, range: [-20, 140], by: { codes: carrier, groups: 4 } });
  return from([...h].flatMap((one, carrier) => one.entries().map((bin) => ({ carrier, ...bin }))));
}
