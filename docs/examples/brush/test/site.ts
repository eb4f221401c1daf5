import { fileURLToPath } from "node:url";
import { launchChromium } from "@polybin/testbed/chromium";
import type { Browser } from "playwright-core";
import { preview } from "vite";

export interface Site extends AsyncDisposable {
  readonly address: string;
  readonly browser: Browser;
}

/** Serves the built page and launches a browser, or returns the reason why none is available here. */
export async function openSite(): Promise<Site | string> {
  const browser = await launchChromium();
  if (typeof browser === "string") return browser;
  const root = fileURLToPath(new URL("..", import.meta.url));
  const server = await preview({ root, logLevel: "silent", preview: { host: "127.0.0.1", port: 0 } });
  return {
    address: server.resolvedUrls!.local[0]!,
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.close();
    },
  };
}
