import type { Statement } from "../statement.ts";
import { claims } from "./claims.ts";
import { earlier } from "./earlier.ts";
import { table1 } from "./table-1.ts";
import { trish } from "./trish.ts";

export const brownSnoeyink: readonly Statement[] = [...earlier, ...trish, ...claims, ...table1];
