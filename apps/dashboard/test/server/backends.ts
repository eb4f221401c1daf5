import type { Backend } from "@polybin/core";
import { multithreaded } from "@polybin/core/multithreaded";
import { cuda } from "@polybin/cuda";
import { piscina } from "@polybin/piscina";
import { webgpu } from "@polybin/webgpu";
import { pageAssets } from "../../server/assets.ts";
import type { Backends, ListedBackend } from "../../server/backends.ts";
import type { Limits } from "../../server/limits.ts";
import { type Dashboard, serve } from "../../server/server.ts";

const MAKERS: Readonly<Record<string, () => Backend>> = { cpu: () => multithreaded(), piscina, webgpu, cuda };

async function listed(id: string): Promise<ListedBackend> {
  const backend = MAKERS[id]!();
  const probe = await backend.probe();
  return {
    id,
    available: probe.available,
    reason: probe.available ? null : probe.reason,
    device: probe.available ? probe.device : null,
    algorithms: backend.algorithms.map(({ slug }) => slug),
  };
}

/** Those of the command. */
const backends: Backends = {
  ids: Object.keys(MAKERS),
  load: async (id) => MAKERS[id]!(),
  list: () => Promise.all(Object.keys(MAKERS).map(listed)),
};

/** The built page, served by the server's sources. */
export const servePage = (port = 0): Promise<Dashboard> =>
  serve(pageAssets(new URL("../../dist/page/", import.meta.url)), { backends, port });

/** A server without a page, with limits of its own. */
export const serveStrictly = (limits: Partial<Limits>): Promise<Dashboard> =>
  serve(new Map(), { backends, port: 0 }, limits);
