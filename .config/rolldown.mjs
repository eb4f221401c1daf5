// A program that imports a package opens few files, because the build makes one of many modules. What is loaded on first use
// has files of its own.

/**
 * The options of rolldown that bundle a package.
 * @param entries names of the files in src, without their ending
 */
export function bundled(entries, output = {}) {
  return {
    platform: "neutral",
    // Node 22 has no `using`.
    transform: { target: "es2024" },
    // Packages and Node's modules. What replaces `using` is bundled.
    external: /^(?!@oxc-project\/)[^./\0]/,
    input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    output: {
      dir: "dist",
      // The declarations are written afterwards.
      cleanDir: true,
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name].js",
      sourcemap: true,
      ...output,
    },
  };
}
