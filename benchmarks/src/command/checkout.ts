import { existsSync } from "node:fs";

/** A headless Chromium's page, as packages/webgpu's tests open it. */
interface Page extends AsyncDisposable {
  readonly page: { evaluate(expression: string): Promise<unknown> };
  readonly version: string;
}

/** The parts of packages/webgpu's test bed that benchmarks use: it is of the checkout, and no package exports it. */
interface TestBed {
  "env/swiftshader.ts": { swiftshaderEnv(): Promise<Record<string, string> | string> };
  "browser/bundle.ts": { bundleForBrowser(module: URL): Promise<{ readonly code: string }> };
  "browser/site.ts": {
    moduleSite(code: string): Readonly<Record<string, unknown>>;
    openSite(files: Readonly<Record<string, unknown>>): Promise<Page | string>;
  };
}

const FOLDER = new URL("../../../packages/webgpu/test/", import.meta.url);

/** One of its modules; null where there is no checkout, as in the archive for GPU machines, or no Node that runs it. */
export async function testBed<Path extends keyof TestBed>(path: Path): Promise<TestBed[Path] | null> {
  const url = new URL(path, FOLDER);
  return existsSync(url) && process.features.typescript ? ((await import(url.href)) as TestBed[Path]) : null;
}
