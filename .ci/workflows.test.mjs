// The checks of .ci/workflows.mjs find what they are there for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { missingCommands, unpinned } from "./workflows.mjs";

const COMMIT = "3d3c42e5aac5ba805825da76410c181273ba90b1";

test("an action is pinned to a commit, with its version as a comment", () => {
  const text = [
    `  - uses: actions/checkout@${COMMIT} # v7.0.1`,
    "  - uses: ./.github/actions/setup",
    "    uses: ./.github/workflows/gpu.yml",
  ].join("\n");
  assert.deepEqual(unpinned(text), []);
});

test("a tag, a commit without its version, half a commit and a missing version are found, each on its line", () => {
  const text = [
    "  - uses: actions/checkout@v7",
    `  - uses: actions/checkout@${COMMIT}`,
    `  - uses: actions/checkout@${COMMIT.slice(0, 20)} # v7.0.1`,
    "    uses: actions/checkout",
  ].join("\n");
  assert.deepEqual(
    unpinned(text).map(({ line }) => line),
    [1, 2, 3, 4],
  );
});

test("scripts of npm and files that do not exist are found", () => {
  const text = [
    "  - run: npm run setup",
    "  - run: npm run --silent nothing",
    "  - run: npm start --silent -- bench",
    "  - run: .ci/run",
    "  - run: node .ci/nothing.mjs",
    "  - run: .ci/nothing --all",
  ].join("\n");
  const missing = missingCommands(text, { setup: "", start: "" }, (path) => path === ".ci/run");
  assert.deepEqual(
    missing.map(({ message }) => message),
    ["nothing does not exist", ".ci/nothing.mjs does not exist", ".ci/nothing does not exist"],
  );
});
