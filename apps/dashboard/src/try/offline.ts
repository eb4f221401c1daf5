/**
 * Keeps the page working without a network, from the first visit on. A browser that refuses a service worker shows the same
 * page, and needs the network.
 * @param address the service worker, next to the page or above it
 */
export async function workOffline(address: string): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registered = await navigator.serviceWorker.register(address).catch(() => null);
  if (registered === null) return;
  const { active } = await navigator.serviceWorker.ready;
  // The page loaded these files before the service worker ran.
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const files = [location.href, ...(await filesOf(location.href)), ...loaded];
  const own = files.filter((file) => new URL(file).origin === location.origin);
  active?.postMessage({ keep: [...new Set(own)] });
}

/** The scripts and style sheets that a page names. One that was reached by a link of the site may not have loaded them. */
async function filesOf(page: string): Promise<string[]> {
  const text = await (await fetch(page)).text();
  const named = new DOMParser()
    .parseFromString(text, "text/html")
    .querySelectorAll("script[src], link[href]");
  return [...named].map((one) => new URL((one.getAttribute("src") ?? one.getAttribute("href"))!, page).href);
}
