import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { profileOf } from "./profile.ts";
import { indexed, summary } from "./summary.ts";

const RESULTS: URL = new URL("../../../benchmarks/results/", import.meta.url);
const PAPERS: URL = new URL("../../../benchmarks/papers/", import.meta.url);

/**
 * Puts benchmarks/results into the site, below `data/`. `index.json` lists the files. Each file is emitted twice: whole,
 * with its raw samples, and as `*.rows.json` without them, which most views read. Files with profiled kernels also have `*.profile.json`. Also emits the reports of the papers'
 * figures, as `machine/papers`.
 */
export function committedResults(): Plugin {
  return {
    name: "committed-results",
    generateBundle() {
      const emit = (fileName: string, source: string | Uint8Array) =>
        this.emitFile({ type: "asset", fileName, source });
      const index = [];
      for (const { path, text } of [...resultFiles(), ...reports()]) {
        const file = JSON.parse(text);
        const entry = indexed(path, file);
        index.push(entry);
        emit(`data/${path}.json`, text);
        if (entry.profiled) emit(`data/${path}.profile.json`, JSON.stringify(profileOf(file.notes)));
        if (entry.kind === "rows") emit(`data/${path}.rows.json`, JSON.stringify(summary(file)));
      }
      emit("data/index.json", JSON.stringify({ files: index }));
    },
  };
}

/** Returns every result file as `machine/name`, sorted by name. */
function resultFiles(): { path: string; text: string }[] {
  const folders = readdirSync(RESULTS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .flatMap(({ name: machine }) =>
      readdirSync(new URL(`${machine}/`, RESULTS))
        .filter((name) => name.endsWith(".json"))
        .map((name) => `${machine}/${name.slice(0, -".json".length)}`),
    )
    .sort()
    .map((path) => ({ path, text: readFileSync(new URL(`${path}.json`, RESULTS), "utf8") }));
}

/** Returns every committed report of benchmarks/papers: `report-<machine>/report.json`. */
function reports(): { path: string; text: string }[] {
  if (!existsSync(PAPERS)) return [];
  return readdirSync(PAPERS)
    .flatMap((folder) => {
      const machine = /^report-(.+)$/.exec(folder)?.[1];
      const file = new URL(`${folder}/report.json`, PAPERS);
      if (machine === undefined || !existsSync(file)) return [];
      return [{ path: `${machine}/papers`, text: readFileSync(file, "utf8") }];
    })
    .sort((a, b) => a.path.localeCompare(b.path));
}
