import { readFile } from "node:fs/promises";
import { bundleForBrowser } from "@polybin/testbed/bundle";
import type { SiteFiles } from "@polybin/testbed/server";

/** The published page. */
export const EXAMPLE: URL = new URL("../../../../docs/examples/picture/", import.meta.url);

/** The committed sample picture: 640 x 480, RGB, 8 bits, no colour profile. */
export const SAMPLE: URL = new URL("../../../../apps/cli/sample/evening.png", import.meta.url);

/** Serves the example page with the packages' browser builds at the paths of its import map. */
export async function exampleSite(): Promise<SiteFiles> {
  const [html, script, core, webgpu, sample] = await Promise.all([
    readFile(new URL("index.html", EXAMPLE), "utf8"),
    readFile(new URL("example.js", EXAMPLE), "utf8"),
    bundleForBrowser(new URL("page/core.ts", import.meta.url)),
    bundleForBrowser(new URL("page/webgpu.ts", import.meta.url), ["@polybin/core", "@polybin/core/backend"]),
    readFile(SAMPLE),
  ]);
  return {
    "/": { type: "text/html", body: html },
    "/example.js": { type: "text/javascript", body: script },
    "/polybin/core.js": { type: "text/javascript", body: core.code },
    "/polybin/webgpu.js": { type: "text/javascript", body: webgpu.code },
    "/evening.png": { type: "image/png", body: sample },
  };
}
