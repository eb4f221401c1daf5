// A peer: Polars. node polars-table.mjs PEERS histogram|describe FILE
import { createRequire } from "node:module";
import { extname, join } from "node:path";

const [folder, what, file] = process.argv.slice(2);
const pl = createRequire(join(folder, "package.json"))("nodejs-polars");
const BINS = 256;
const SCANS = { ".csv": pl.scanCSV, ".parquet": pl.scanParquet, ".jsonl": pl.scanJson };
const table = SCANS[extname(file)](file);

if (what === "describe") process.stdout.write(`${(await table.collect()).describe()}\n`);
else {
  const fare = (await table.select(pl.col("fare")).collect()).getColumn("fare");
  const [lo, hi] = [fare.min(), fare.max()];
  const bins = pl.DataFrame({ fare }).select(
    pl
      .col("fare")
      .sub(pl.lit(lo))
      .mul(pl.lit(BINS / (hi - lo)))
      .floor()
      .clip(0, BINS - 1)
      .alias("bin"),
  );
  process.stdout.write(`${bins.groupBy("bin").len()}\n`);
}
