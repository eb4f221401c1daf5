import type { Data } from "./samples.ts";
import type { CounterOf, TableOf } from "./step.ts";

/** Returns a text for everything that a counter is prepared with. */
export const counterKey = (of: CounterOf): string => JSON.stringify(of);

/** Returns a text for everything that decides a table. */
export const tableKey = (of: TableOf): string => JSON.stringify(of);

/** Returns a text for everything that decides samples on a device. */
export const dataKey = (of: Data): string => JSON.stringify(of);
