// Checks that an archive holds everything that npm shows and that a debugger needs.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "./workspace.mjs";

const KEYWORDS_MIN = 3;
/** Characters. */
const README_MIN = 80;

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
  } = manifest;
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
  };
  return Object.entries(wanted).flatMap(([rule, holds]) => (holds ? [] : [`expected that ${rule}`]));
}

/** Whether a file has no source: it only exports from other files, or the bundler wrote it. */
const hasNoSource = (name, text) =>
  name.endsWith("/rolldown-runtime.js") ||
  text
    .split("\n")
    .every((line) => line === "" || /^(import|export) \{.*\} from ".*";$|^export \{.*\};$/.test(line));

/** Checks that each JavaScript file names a source map with the text of each source. */
function mapProblems(folder, files) {
  // Programs do not import the dashboard's page.
  const isScript = (name) => /\.m?js$/.test(name) && !name.startsWith("dist/page/");
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
    const problems = [
      ...manifestProblems(JSON.parse(read("package.json")), directory),
      ...(read("LICENSE").startsWith("MIT License") ? [] : ["expected a LICENSE"]),
      ...(read("README.md").length >= README_MIN ? [] : ["expected a README.md"]),
      ...mapProblems(folder, files),
    ];
    return problems.length === 0 ? null : problems.join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
