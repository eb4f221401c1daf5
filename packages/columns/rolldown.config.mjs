import { bundled } from "../../.config/rolldown.mjs";

const ENTRIES = [
  "detect",
  "index",
  "page",
  "plots/index",
  "profile/adder",
  "profile/index",
  "compare/index",
  "report/index",
  "worker",
];

export default bundled(ENTRIES, {
  codeSplitting: {
    includeDependenciesRecursively: false,
    // They name the files of threads, next to their folder.
    groups: [
      { name: "pool", test: /\/src\/pool\// },
      { name: "threads", test: /\/src\/profile\/threads\/column-threads/ },
    ],
  },
});
