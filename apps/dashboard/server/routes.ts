import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { Assets } from "./assets.ts";
import type { Backends, ListedBackend } from "./backends.ts";
import { bench, benchRequest } from "./bench-job.ts";
import { exactBody, expectLength, jsonBody } from "./body.ts";
import { Held } from "./held.ts";
import type { Limits } from "./limits.ts";
import { inLines } from "./lines.ts";
import { machine } from "./machine.ts";
import { countPicture, pictureRequest } from "./picture-job.ts";
import { Queue } from "./queue.ts";
import { Refusal } from "./refusal.ts";
import { refuse } from "./refuse.ts";

const MOST_JSON_BYTES = 16 * 1024;

/** Gives access to Node's request and response. */
type Env = { readonly Bindings: HttpBindings };

/** Makes the handlers of all addresses. The guard checks every request first. */
export function routes(assets: Assets, backends: Backends, limits: Limits): Hono<Env> {
  const held = new Held(limits.heldBytes);
  const queue = new Queue();
  const app = new Hono<Env>();
  let listed: Promise<readonly ListedBackend[]> | null = null;

  app.get("/api/status", async (c) => {
    listed ??= backends.list().catch((error) => {
      listed = null;
      throw error;
    });
    return c.json({ backends: await listed, busy: queue.busy, waiting: queue.length, machine: machine() });
  });

  // Reads the pixels before the job waits for its turn. Node notices that a client has left only while it reads, and a
  // slow sender then delays nobody.
  app.post("/api/histogram", (c) =>
    inLines(c, (begin) => {
      const { incoming } = c.env;
      const { signal } = c.req.raw;
      expectType(c, "application/octet-stream");
      const wanted = pictureRequest(c.req.query(), backends.ids);
      expectLength(incoming, wanted.bytes);
      queue.expectRoom();
      return held.during(wanted.bytes, async () => {
        const pixels = await exactBody(incoming, wanted.bytes, limits);
        await queue.run(signal, () => countPicture(wanted, pixels, backends, signal, begin()));
      });
    }),
  );

  app.post("/api/bench", (c) =>
    inLines(c, async (begin) => {
      const { signal } = c.req.raw;
      expectType(c, "application/json");
      const wanted = benchRequest(await jsonBody(c.env.incoming, MOST_JSON_BYTES, limits), backends.ids);
      // Checked here, while the status can still be set.
      queue.expectRoom();
      const tell = begin();
      if (queue.busy) tell({ event: "queued", before: queue.length + 1 });
      await queue.run(signal, () => bench(wanted, backends, signal, tell));
    }),
  );

  app.all("*", (c) => {
    const asset = assets.get(c.req.path);
    if (asset === undefined)
      throw new Refusal(
        404,
        "ERR_NOT_FOUND",
        "expected the address of a file or of the interface but received another one",
      );
    if (!["GET", "HEAD"].includes(c.req.method)) {
      throw new Refusal(405, "ERR_METHOD", "expected GET or HEAD");
    }
    const { type, body } = asset;
    return c.body(body, 200, { "content-type": type, "content-length": String(body.length) });
  });

  app.onError((error, c) => {
    refuse(c.env.incoming, c.env.outgoing, error);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

/** Requires a content type that a form of another site cannot send without asking first. */
function expectType(c: Context<Env>, type: string): void {
  if (c.req.header("content-type") !== type)
    throw new Refusal(415, "ERR_TYPE", `expected ${type} for Content-Type`);
}
