import { existsSync } from "node:fs";

/** A headless Chromium's page, as the test bed opens it. */
interface Page extends AsyncDisposable {
  readonly page: { evaluate(expression: string): Promise<unknown> };
  readonly version: string;
}

/** The parts of @polybin/testbed that benchmarks use: it is of the checkout, and never published. */
interface TestBed {
  "swiftshader.ts": { swiftshaderEnv(): Promise<Record<string, string> | string> };
  "bundle.ts": { bundleForBrowser(module: URL): Promise<{ readonly code: string }> };
  "site.ts": {
    moduleSite(code: string): Readonly<Record<string, unknown>>;
    openSite(files: Readonly<Record<string, unknown>>): Promise<Page | string>;
  };
}

const FOLDER = new URL("../../../packages/testbed/src/", import.meta.url);

/** One of its modules; null where there is no checkout, as in the archive for GPU machines, or no Node that runs it. */
export async function testBed<Path extends keyof TestBed>(path: Path): Promise<TestBed[Path] | null> {
  const url = new URL(path, FOLDER);
  return existsSync(url) && process.features.typescript ? ((await import(url.href)) as TestBed[Path]) : null;
}
