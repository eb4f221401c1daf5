// Bytes that a page loads for its first histogram: minified, gzipped, for each bundler. This file has the limits.
// docs/reference/packages.md has the figures, and `npm run sizes` writes them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./workspace.mjs";

/** Bytes, by page of .ci/consumer/app and bundler. */
export const LIMITS = {
  sync: { vite: 8000, webpack: 8000, esbuild: 8000 },
  core: { vite: 40_000, webpack: 39_500, esbuild: 46_300 },
  webgpu: { vite: 74_500, webpack: 68_500, esbuild: 93_000 },
};

const PAGES = {
  sync: "`histogramSync` of `polybin/sync`",
  core: "`openEngine()` and `histogram` of `@polybin/core`",
  webgpu: "the same with `webgpu()` of `@polybin/webgpu`",
};

/** Bytes by which a figure in the document may differ from what is measured: a change of a line need not change it. */
const TOLERANCE = 300;

const document = join(root, "docs/reference/packages.md");
const MARKED = /(<!-- sizes -->\n)[\s\S]*?(<!-- \/sizes -->)/;

/** Bytes of a page's scripts, gzipped. @param loaded their addresses */
export function loadedBytes(folder, page, loaded) {
  const names = new Set([`${page}.mjs`, ...loaded.map((address) => new URL(address).pathname.slice(1))]);
  const gzipped = (name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  return [...names].reduce((sum, name) => sum + gzipped(name), 0);
}

/** Null where a page loads no more than it may, and as much as the document says; else a sentence. */
export function sizeProblem(bundler, page, bytes) {
  const most = LIMITS[page][bundler];
  if (bytes > most) return `expected at most ${most} bytes, gzipped, but the page loads ${bytes}`;
  const told = toldBytes(bundler, page);
  if (Math.abs(told - bytes) <= TOLERANCE) return null;
  return `expected the ${bytes} bytes that the page loads in docs/reference/packages.md but it says ${told}: npm run sizes`;
}

const kilobytes = (bytes) => (bytes / 1000).toFixed(1);

function toldBytes(bundler, page) {
  const line = readFileSync(document, "utf8")
    .split("\n")
    .find((text) => text.includes(PAGES[page]) && text.includes(`| ${bundler} |`));
  return line === undefined ? 0 : Math.round(Number(line.split("|")[3].replace(" KB", "")) * 1000);
}

/** Writes the figures into the document. */
export function writeSizes(measured) {
  writeFileSync(document, readFileSync(document, "utf8").replace(MARKED, `$1${table(measured)}$2`));
}

function table(measured) {
  const rows = measured.map(({ page, bundler, bytes }) => {
    const most = kilobytes(LIMITS[page][bundler]);
    return `| ${PAGES[page]} | ${bundler} | ${kilobytes(bytes)} KB | ${most} KB |`;
  });
  return ["| a page that uses | bundler | loads | limit |", "|---|---|---|---|", ...rows, ""].join("\n");
}
