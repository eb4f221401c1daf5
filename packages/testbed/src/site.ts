import { launchChromium } from "./chromium.ts";
import { type OpenPage, openPage } from "./page.ts";
import { type SiteFiles, serve } from "./server.ts";

/** The page of a site, and the browser's version. */
export interface OpenSite extends OpenPage {
  readonly version: string;
}

/** How to open a site. */
interface Visit {
  /** A script that runs in the page before its own scripts. */
  readonly before?: string;
  /** Query string of the address, such as "?x". */
  readonly search?: string;
}

/** Serves a site and opens its "/" in a new browser, or returns the reason why no browser is available here. */
export async function openSite(
  files: SiteFiles,
  { before = "", search = "" }: Visit = {},
): Promise<OpenSite | string> {
  const browser = await launchChromium();
  if (typeof browser === "string") return browser;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => browser.close());
  const { origin } = opened.use(await serve(files));
  const { page, problems } = opened.use(
    await openPage(browser, `${origin}/${search}`, { before, voices: ["error"] }),
  );
  const disposables = opened.move();
  return {
    page,
    version: browser.version(),
    problems,
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

/** Returns a page that only runs a module. The empty icon prevents a request for one. */
export function moduleSite(code: string): SiteFiles {
  const html = `<!doctype html><title>polybin</title><link rel="icon" href="data:,">
<script type="module" src="/page.js"></script>`;
  return {
    "/": { type: "text/html", body: html },
    "/page.js": { type: "text/javascript", body: code },
  };
}
