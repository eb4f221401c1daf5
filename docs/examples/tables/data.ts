import { fileURLToPath } from "node:url";
import { type ColumnTable, table } from "arquero";

/** A picture with dark channels. */
export const PICTURE: string = fileURLToPath(
  new URL("../../../apps/cli/sample/evening.png", import.meta.url),
);

/** Generated flights: the delay in minutes, from -20 to 140, and the code of one of four carriers. */
export function flights(rows: number): ColumnTable {
  const delay = new Float64Array(rows);
  const carrier = new Uint8Array(rows);
  let state = 0x9e3779b9;
  const random = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let row = 0; row < rows; row++) {
    carrier[row] = Math.floor(4 * random() ** 1.5);
    const late = -(8 + 6 * carrier[row]!) * Math.log(1 - 0.99 * random());
    delay[row] = -20 + 15 * (random() + random()) + late;
  }
  return table({ delay, carrier });
}
