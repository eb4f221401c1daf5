// `npm run sizes`: measures what pages load and writes the figures into docs/reference/packages.md.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureAll } from "./consumers.mjs";
import { writeSizes } from "./sizes.mjs";

const scratch = mkdtempSync(join(tmpdir(), "polybin-sizes-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const measured = await measureAll(join(scratch, "project"));
writeSizes(measured);
for (const { page, bundler, bytes } of measured) console.log(`${page}, ${bundler}: ${bytes} bytes`);
