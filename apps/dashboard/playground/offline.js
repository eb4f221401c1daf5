// A service worker that keeps the playground working without a network. The build writes FILES and VERSION in front of it:
// the files of the playground, and a name that changes with them. A site that has the playground in a folder sets BASE.
const CACHE = `polybin-playground-${VERSION}`;
const base = new URL(self.BASE ?? ".", self.location.href);

self.addEventListener("install", (event) => {
  const addresses = FILES.map((file) => new URL(file, base).href);
  event.waitUntil(keep(addresses).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(onlyThis().then(() => self.clients.claim()));
});

// A page names the files that it loaded before this worker ran.
self.addEventListener("message", (event) => {
  event.waitUntil(Promise.allSettled(event.data.keep.map((address) => keep([address]))));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOwn = new URL(request.url).origin === self.location.origin;
  if (isOwn && request.method === "GET" && !request.headers.has("range")) event.respondWith(answer(request));
});

async function keep(addresses) {
  const cache = await caches.open(CACHE);
  await cache.addAll(addresses);
}

/** Drops what earlier versions kept. */
async function onlyThis() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("polybin-playground-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The network's answer, or the last one if there is no network. */
async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept !== undefined) return kept;
    throw error;
  }
}
