// What an archive must hold so that npm shows it well and a debugger finds its sources.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "./workspace.mjs";

const KEYWORDS_MIN = 3;
/** Characters. */
const README_MIN = 80;

/** What is wrong with a manifest, a sentence each. @param folder the package's, in the repository */
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

/** Files that no source stands behind: they only pass on what others export, or a bundler wrote them. */
const hasNoSource = (name, text) =>
  name.endsWith("/rolldown-runtime.js") ||
  text
    .split("\n")
    .every((line) => line === "" || /^(import|export) \{.*\} from ".*";$|^export \{.*\};$/.test(line));

/** A file of JavaScript names a source map, and the map has the text of each source. */
function mapProblems(folder, files) {
  // The dashboard's page is no module that a program imports.
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

/** Null, or what is wrong, a sentence a line. */
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
