import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Listed, listBackends } from "../listed.ts";
import { json, refuse } from "./answers.ts";
import type { Assets } from "./assets.ts";
import { bench, benchRequest } from "./bench-job.ts";
import { exactBody, expectLength, jsonBody } from "./body.ts";
import { checkCaller } from "./guard.ts";
import { Held } from "./held.ts";
import type { Limits } from "./limits.ts";
import { answerInLines } from "./lines.ts";
import { countPicture, pictureRequest } from "./picture-job.ts";
import { SAFE_HEADERS } from "./policy.ts";
import { Queue } from "./queue.ts";
import { Refusal } from "./refusal.ts";

const MOST_JSON_BYTES = 16 * 1024;

type Work = (
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  query: URLSearchParams,
) => Promise<void>;

/** What is behind the addresses. */
export class Site {
  readonly #assets: Assets;
  readonly #limits: Limits;
  readonly #held: Held;
  readonly #queue = new Queue();
  /** Answers that have not gone out. */
  readonly #open = new Set<ServerResponse>();
  #backends: Promise<Listed[]> | null = null;
  readonly #routes: ReadonlyMap<string, Work> = new Map<string, Work>([
    ["GET /api/status", (_request, response) => this.#status(response)],
    ["POST /api/histogram", (...call) => this.#histogram(...call)],
    ["POST /api/bench", (request, response, signal) => this.#bench(request, response, signal)],
  ]);

  constructor(assets: Assets, limits: Limits) {
    this.#assets = assets;
    this.#limits = limits;
    this.#held = new Held(limits.heldBytes);
  }

  /** Answers whatever comes: never throws, never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
    const gone = new AbortController();
    this.#open.add(response);
    response.on("close", () => {
      this.#open.delete(response);
      gone.abort();
    });
    try {
      checkCaller(request, port);
      const { path, query } = addressOf(request.url ?? "");
      const work = this.#routes.get(`${request.method} ${path}`);
      if (work === undefined) this.#asset(request, response, path);
      else await work(request, response, gone.signal, query);
    } catch (error) {
      refuse(request, response, error);
    }
  }

  /** Whether a connection is in the middle of an answer. */
  isAnswering(socket: Socket): boolean {
    return [...this.#open].some(
      ({ req, headersSent, writableEnded }) => req.socket === socket && headersSent && !writableEnded,
    );
  }

  #asset({ method }: IncomingMessage, response: ServerResponse, path: string): void {
    const asset = this.#assets.get(path);
    if (asset === undefined) throw new Refusal(404, "ERR_NOT_FOUND", "there is nothing at this address");
    if (method !== "GET" && method !== "HEAD") throw new Refusal(405, "ERR_METHOD", "expected GET or HEAD");
    const { type, body } = asset;
    response.writeHead(200, { ...SAFE_HEADERS, "content-type": type, "content-length": body.length });
    response.end(method === "HEAD" ? undefined : body);
  }

  /** Which backends work here; a GPU is asked once. */
  async #status(response: ServerResponse): Promise<void> {
    this.#backends ??= listBackends().catch((error) => {
      this.#backends = null;
      throw error;
    });
    const backends = await this.#backends;
    json(response, 200, { backends, busy: this.#queue.busy, waiting: this.#queue.length });
  }

  /**
   * Takes the pixels before it waits for its turn: Node notices that a client has gone only where it reads, and who
   * sends slowly holds up nobody.
   */
  async #histogram(
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
    query: URLSearchParams,
  ): Promise<void> {
    expectType(request, "application/octet-stream");
    const wanted = pictureRequest(query);
    expectLength(request, wanted.bytes);
    this.#queue.expectRoom();
    await this.#held.during(wanted.bytes, async () => {
      const pixels = await exactBody(request, wanted.bytes, this.#limits);
      await this.#queue.run(signal, () =>
        answerInLines(response, (tell) => countPicture(wanted, pixels, signal, tell)),
      );
    });
  }

  async #bench(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    expectType(request, "application/json");
    const wanted = benchRequest(await jsonBody(request, MOST_JSON_BYTES, this.#limits));
    // While a status can still say so.
    this.#queue.expectRoom();
    await answerInLines(response, async (tell) => {
      if (this.#queue.busy) tell({ event: "queued", before: this.#queue.length + 1 });
      await this.#queue.run(signal, () => bench(wanted, signal, tell));
    });
  }
}

/** Path and query as they were sent; nothing is resolved. */
function addressOf(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path, query: new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1)) };
}

/** Of the types that a form of another site can send without asking first, none is taken. */
function expectType({ headers }: IncomingMessage, type: string): void {
  if (headers["content-type"] !== type)
    throw new Refusal(415, "ERR_TYPE", `expected ${type} for Content-Type`);
}
