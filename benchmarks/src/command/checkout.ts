import { existsSync } from "node:fs";

/** A page of a headless Chromium, opened by the test bed. */
interface Page extends AsyncDisposable {
  readonly page: { evaluate(expression: string): Promise<unknown> };
  readonly version: string;
}

/** The parts of @polybin/testbed that benchmarks use. It exists in a checkout only and is never published. */
interface TestBed {
  "swiftshader.ts": { swiftshaderEnv(): Promise<Record<string, string> | string> };
  "bundle.ts": { bundleForBrowser(module: URL): Promise<{ readonly code: string }> };
  "site.ts": {
    moduleSite(code: string): Readonly<Record<string, unknown>>;
    openSite(files: Readonly<Record<string, unknown>>): Promise<Page | string>;
  };
}

const FOLDER = new URL("../../../packages/testbed/src/", import.meta.url);

/** Imports one of its modules. Returns null without a checkout, as in the archive for GPU machines, or if Node cannot run TypeScript. */
export async function testBed<Path extends keyof TestBed>(path: Path): Promise<TestBed[Path] | null> {
  const url = new URL(path, FOLDER);
  return existsSync(url) && process.features.typescript ? ((await import(url.href)) as TestBed[Path]) : null;
}
