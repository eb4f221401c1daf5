import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Writes the service worker next to the built page, with the names of all files in front of it. @param source its file */
export function offline(source: string): Plugin {
  let folder = "";
  return {
    name: "offline",
    configResolved(config) {
      folder = config.build.outDir;
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((path) => path.replaceAll("\\", "/"))
        .filter((path) => path !== "offline.js" && statSync(join(folder, path)).isFile())
        .sort();
      const hash = createHash("sha256");
      for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
      const version = hash.digest("hex").slice(0, 16);
      // Every host serves a folder's page at the address of the folder, and some at no other.
      const addresses = files.map((file) => file.replace(/(^|\/)index\.html$/, "$1"));
      const lists = `const FILES = ${JSON.stringify(addresses)};\nconst VERSION = "${version}";\n`;
      writeFileSync(join(folder, "offline.js"), lists + readFileSync(source, "utf8"));
    },
  };
}
