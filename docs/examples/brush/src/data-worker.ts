// Stands for the source of your columns.
import { expose, transfer } from "comlink";
import { type Columns, generated } from "./columns.ts";

const columns = (rows: number): Columns => {
  const made = generated(rows);
  return transfer(made, [made.brushed.values.buffer, made.shown.values.buffer]);
};
expose({ columns });
export type Data = { readonly columns: typeof columns };
