// Checks that an archive holds everything that npm shows and that a debugger needs, and nothing that only a checkout uses.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "./workspace.mjs";

const KEYWORDS_MIN = 3;
/** Characters. */
const README_MIN = 80;
/** Dependencies whose inner files we import. These may change with any version. */
const EXACT = ["hyparquet"];
const isOwn = (name) => name === "polybin" || name.startsWith("@polybin/");

/** Returns one sentence for each fault of a manifest. @param folder the package's folder in the repository */
function manifestProblems(manifest, folder) {
  const {
    repository,
    homepage,
    bugs,
    keywords = [],
    license,
    publishConfig,
    sideEffects,
    exports,
    bin,
    main,
    dependencies,
    optionalDependencies,
  } = manifest;
  const exact = Object.entries({ ...dependencies, ...optionalDependencies })
    .filter(([name, version]) => !isOwn(name) && !EXACT.includes(name) && /^\d/.test(version))
    .map(([name]) => name);
  const isWeb = (address) => typeof address === "string" && address.startsWith("https://");
  const wanted = {
    [`repository names the folder ${folder}`]:
      isWeb(repository?.url?.replace(/^git\+/, "")) && repository.directory === folder,
    "homepage is an address": isWeb(homepage),
    "bugs is an address": isWeb(bugs?.url ?? bugs),
    [`keywords are at least ${KEYWORDS_MIN}`]: keywords.length >= KEYWORDS_MIN,
    "license is MIT": license === "MIT",
    "publishConfig asks for public access and provenance":
      publishConfig?.access === "public" && publishConfig.provenance === true,
    "it has exports, a bin or an addon":
      exports !== undefined || bin !== undefined || main?.endsWith(".node"),
    "sideEffects is false": exports === undefined || sideEffects === false,
    "it has no devDependencies": manifest.devDependencies === undefined,
    "it has no scripts": manifest.scripts === undefined,
    [`its dependencies are ranges (not ${exact.join(", ")})`]: exact.length === 0,
  };
  return Object.entries(wanted).flatMap(([rule, holds]) => (holds ? [] : [`expected that ${rule}`]));
}

/** Whether a file has no source: it only exports from other files, or the bundler wrote it. */
const hasNoSource = (name, text) =>
  name.endsWith("/rolldown-runtime.js") ||
  text
    .split("\n")
    .every((line) => line === "" || /^(import|export) \{.*\} from ".*";$|^export \{.*\};$/.test(line));

/**
 * Checks that each JavaScript file names a source map with the text of each source. The files of a package that nobody
 * imports have none, because nobody steps through them.
 */
function mapProblems(folder, files, { exports }) {
  if (exports === undefined)
    return files
      .filter((name) => name.endsWith(".map"))
      .map((name) => `expected no source map but found ${name}`);
  // Programs do not import the dashboard's page. A file outside of dist is its own source.
  const isScript = (name) => /\.m?js$/.test(name) && /^dist\/(?!page\/)/.test(name);
  return files.filter(isScript).flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const map = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text)?.[1];
    if (map === undefined && hasNoSource(name, text)) return [];
    if (map === undefined) return [`expected that ${name} names a source map`];
    const file = join(dirname(name), map);
    if (!files.includes(file)) return [`expected ${file}, which ${name} names`];
    const { sources, sourcesContent = [] } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const isWhole = sources.every((_, i) => typeof sourcesContent[i] === "string");
    return isWhole ? [] : [`expected that ${file} has the text of its sources`];
  });
}

/** Resolves to null, or to one sentence per line for each fault. */
export async function contentProblems({ archive, folder: directory }) {
  const folder = mkdtempSync(join(tmpdir(), "polybin-archive-"));
  try {
    const { code, output } = await run("tar", ["-xzf", archive, "-C", folder, "--strip-components=1"]);
    if (code !== 0) return output;
    const files = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
    const read = (name) => (files.includes(name) ? readFileSync(join(folder, name), "utf8") : "");
    const manifest = JSON.parse(read("package.json"));
    const problems = [
      ...manifestProblems(manifest, directory),
      ...(read("LICENSE").startsWith("MIT License") ? [] : ["expected a LICENSE"]),
      ...(read("README.md").length >= README_MIN ? [] : ["expected a README.md"]),
      ...mapProblems(folder, files, manifest),
    ];
    return problems.length === 0 ? null : problems.join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
