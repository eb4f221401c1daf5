import { bundled } from "../../.config/rolldown.mjs";

const ENTRIES = [
  "detect",
  "index",
  "page",
  "plots/index",
  "profile/index",
  "compare/index",
  "report/index",
  "worker",
];

export default bundled(ENTRIES, {
  codeSplitting: {
    includeDependenciesRecursively: false,
    // It names the file of the worker, next to its folder.
    groups: [{ name: "pool", test: /\/src\/pool\// }],
  },
});
