/**
 * Keeps the page working without a network, from the first visit on. A browser that refuses a service worker shows the same
 * page, and needs the network.
 * @param address the service worker, next to the page or above it
 */
export async function workOffline(address: string): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(address);
  const { active } = await navigator.serviceWorker.ready;
  // The page loaded these files before the service worker ran.
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const own = [location.href, ...loaded].filter((file) => new URL(file).origin === location.origin);
  active?.postMessage({ keep: [...new Set(own)] });
}
