// The command is loaded in a few files: `start` has the options of all commands, and the rest is loaded when it runs.
import { defineConfig, rolldown } from "rolldown";
import { bundled } from "../../.config/rolldown.mjs";

const options = bundled(["main"], {
  sourcemap: false,
  // Modules find files of the package from where their sources lie.
  chunkFileNames: ({ name }) => (name === "start" ? "[name].js" : "chunks/[name].js"),
});

/** The modules that every command loads. */
async function startOf() {
  const later = { name: "later", resolveDynamicImport: (id) => ({ id, external: true }) };
  const build = await rolldown({ ...options, input: "src/run.ts", plugins: [later] });
  const { output } = await build.generate();
  await build.close();
  return new Set(output.flatMap((chunk) => Object.keys(chunk.modules)));
}

const start = await startOf();

export default defineConfig({
  ...options,
  preserveEntrySignatures: "allow-extension",
  // Modules that are imported on first use may lie in a file that is open already.
  checks: { ineffectiveDynamicImport: false },
  output: {
    ...options.output,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: "start", test: (id) => start.has(id) },
        // Most commands load all of these.
        { name: "base", test: /\/src\/(?:base|options|terminal|engine|input)\// },
        { name: "output", test: /\/src\/output\/(?!plots|stats|data|charts\/joint)/ },
        { name: "tables", test: /\/src\/(?:tables|values)\// },
      ],
    },
  },
});
