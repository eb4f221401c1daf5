// Writes the Parquet file of the page: invented taxi rides. Put your own file next to it, or pass `?file=` an address.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parquetWriteBuffer } from "hyparquet-writer";

const ROWS = 200_000;
const FILE = new URL("../generated/rides.parquet", import.meta.url);

let state = 0x9e3779b9;
/** xorshift32, from 0 to 1. */
function random() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
}

/** The hour of a ride, most of them before and after work. */
const pickup = () =>
  random() < 0.2 ? 24 * random() : (random() < 0.5 ? 5 : 14) + 7 * ((random() + random()) / 2);

const column = (value) => Array.from({ length: ROWS }, value);
const distance = column(() => -3 * Math.log(1 - random()) + 0.3);

mkdirSync(new URL(".", FILE), { recursive: true });
const bytes = parquetWriteBuffer({
  columnData: [
    { name: "pickup_hour", data: column(pickup), type: "DOUBLE" },
    { name: "distance", data: distance, type: "DOUBLE" },
    { name: "fare", data: distance.map((km) => 3 + 2.1 * km + 2 * random() * random()), type: "DOUBLE" },
    { name: "tip", data: column(() => (random() < 0.4 ? 0 : 4 * random() * random())), type: "DOUBLE" },
    { name: "passengers", data: column(() => 1 + Math.floor(5 * random() ** 3)), type: "INT32" },
  ],
});
writeFileSync(fileURLToPath(FILE), new Uint8Array(bytes));
