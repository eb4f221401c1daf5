import { fileURLToPath } from "node:url";
import { type OutputChunk, rolldown } from "rolldown";

/** A module that a page can load. */
export interface Bundle {
  readonly code: string;
  /** Modules that it still imports, statically or dynamically. Only external ones may remain in code for a page. */
  readonly imports: readonly string[];
}

/**
 * Bundles a module for browsers, as an application would. @param external modules that the page's import map provides
 */
export async function bundleForBrowser(module: URL, external: readonly string[] = []): Promise<Bundle> {
  const input = fileURLToPath(module);
  const build = await rolldown({ input, platform: "browser", external: [...external] });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  await build.close();
  const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");
  const chunk = chunks.find(({ isEntry }) => isEntry);
  // A chunk of unused code may remain. Nothing loads it.
  const isWhole = chunks.every(
    ({ fileName }) => fileName === chunk?.fileName || !chunk?.code.includes(fileName),
  );
  if (chunk === undefined || !isWhole) throw new Error(`${input} did not become one chunk`);
  return { code: chunk.code, imports: [...chunk.imports, ...chunk.dynamicImports] };
}
