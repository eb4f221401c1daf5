// Decodes pictures for a GPU machine, which has no decoder: writes the green or grey plane of each as a PGM file.
// usage: planes.mjs PICTURE|FOLDER… OUT      then, on the machine: run bench pictures --pictures OUT
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeAll } from "../papers/here/pictures.ts";
import { pgmOf } from "../src/suites/pictures.ts";

const [out, ...paths] = process.argv.slice(2).reverse();
if (out === undefined || paths.length === 0) {
  console.error("usage: planes.mjs PICTURE|FOLDER… OUT");
  process.exit(2);
}
mkdirSync(out, { recursive: true });
for (const path of paths.reverse()) {
  for (const plane of await decodeAll(path)) {
    const file = join(out, `${plane.name}.pgm`);
    writeFileSync(file, pgmOf(plane));
    console.log(`${file}: ${plane.width} x ${plane.height}`);
  }
}
