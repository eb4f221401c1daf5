import { readFile } from "node:fs/promises";
import multipart from "@fastify/multipart";
import { isPolybinError } from "@polybin/core";
import fastify from "fastify";
import PQueue from "p-queue";

/**
 * The limits of a server. Together they bound its memory: `uploads` + `counting` bodies of `maxBytes`, and `counting`
 * times the decoded samples of `maxPixels` or `maxRows`.
 */
export const LIMITS = {
  /** Bytes of an upload. */
  maxBytes: 8 * 2 ** 20,
  /** Pixels of a picture, by its header. */
  maxPixels: 24_000_000,
  /** Rows of a table. */
  maxRows: 4_000_000,
  /** Uploads that are received or wait at a time. The server refuses further ones with 503. */
  uploads: 16,
  /** Uploads that are decoded and counted at a time. */
  counting: 2,
  /** Milliseconds in which a request must arrive. */
  receiveMs: 10_000,
  /** Milliseconds from then to the answer. */
  answerMs: 30_000,
};

const STATUS = {
  ERR_INPUT: 422,
  ERR_AXIS: 422,
  ERR_UNSUPPORTED: 415,
  ERR_LIMIT: 413,
  ERR_OUT_OF_MEMORY: 503,
};
const BUSY = 503;
const UNSUPPORTED = 415;
/** The types of uploads. The answer to another one names them in its header Accept (RFC 9110, 15.5.16) and in its body. */
export const ACCEPTED = [
  ...["image/png", "image/jpeg", "image/tiff", "image/webp", "image/gif", "image/avif"],
  ...["text/csv", "application/jsonl", "application/x-ndjson"],
  ...["application/vnd.apache.parquet", "application/vnd.apache.arrow.file", "application/x-npy"],
  "multipart/form-data",
];
const RETRY_AFTER_SECONDS = 1;

const QUERY = {
  type: "object",
  additionalProperties: false,
  properties: {
    bins: { type: "integer", minimum: 1, maximum: 65_536 },
    column: { type: "string", maxLength: 200 },
  },
};

/** Text has no first bytes of its own, so the stated type decides between these. */
const TEXT = { "text/csv": "csv", "application/jsonl": "jsonl", "application/x-ndjson": "jsonl" };

/**
 * A server with one endpoint, POST /histogram. Its body is a picture or a table, plain or as the file of a form.
 * @param count gets the bytes, the query with the format of a text, and a signal, and returns the answer
 */
export function createServer(count, limits = LIMITS) {
  const app = fastify({
    bodyLimit: limits.maxBytes,
    requestTimeout: limits.receiveMs,
    // Node looks for requests that are too slow every 30 seconds unless it is told otherwise.
    http: {
      headersTimeout: limits.receiveMs,
      connectionsCheckingInterval: Math.min(1000, limits.receiveMs / 4),
    },
    forceCloseConnections: "idle",
    ajv: { customOptions: { removeAdditional: false } },
  });
  const queue = new PQueue({ concurrency: limits.counting });
  let uploads = 0;

  // The first bytes of an upload decide what it is, not the type that the client states.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (_request, body) => body);
  app.register(multipart, {
    limits: { fileSize: limits.maxBytes, files: 1, fields: 0, parts: 1, headerPairs: 20 },
  });

  /** Admits an upload before its body is read, so that refused bodies take no memory. */
  async function admit(request, reply) {
    if (uploads >= limits.uploads) {
      throw app.httpError(BUSY, `${uploads} uploads are being served; try again in a moment`);
    }
    uploads += 1;
    const gone = new AbortController();
    // Both an answer that was sent and a connection that broke close the response.
    reply.raw.once("close", () => {
      uploads -= 1;
      gone.abort();
    });
    // Fastify's own request.signal also aborts when a body has arrived.
    request.stop = AbortSignal.any([gone.signal, AbortSignal.timeout(limits.receiveMs + limits.answerMs)]);
  }

  app.decorateRequest("stop");
  app.decorate("httpError", (statusCode, message) => Object.assign(new Error(message), { statusCode }));

  app.post("/histogram", { schema: { querystring: QUERY }, onRequest: admit }, async (request) => {
    const { stop: signal } = request;
    const { bytes, type } = request.isMultipart() ? await fileOf(request) : bodyOf(request);
    if (!bytes?.length) throw app.httpError(422, "expected a picture or a table but the body is empty");
    const wanted = { ...request.query, format: TEXT[type] };
    return queue.add(() => count(bytes, wanted, signal), { signal });
  });

  const bodyOf = ({ body, headers }) => ({
    bytes: body,
    type: headers["content-type"]?.split(";", 1)[0].toLowerCase(),
  });

  async function fileOf(request) {
    try {
      const file = await request.file();
      if (file === undefined) throw app.httpError(422, "expected a file in the form but found none");
      return { bytes: await file.toBuffer(), type: file.mimetype };
    } catch (error) {
      if (error.statusCode !== undefined || error.name === "AbortError") throw error;
      throw app.httpError(400, `expected a form with a file but it is malformed: ${error.message}`);
    }
  }

  app.get("/", async (_request, reply) => {
    reply.type("text/html");
    return readFile(new URL("index.html", import.meta.url));
  });
  app.get("/load", async () => ({ uploads, waiting: queue.size, counting: queue.pending }));

  // A connection that was kept after its last answer would hold up the end of the server.
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });

  app.setErrorHandler((error, _request, reply) => {
    const { status, code } = verdict(error);
    if (status === 500) console.error(error);
    if (status === BUSY) reply.header("retry-after", RETRY_AFTER_SECONDS);
    if (status === UNSUPPORTED) {
      // The library's advice is for programs, which can pass the name of a format.
      const [why] = error.message.replace(/^bytes: /, "").split("; pass format:");
      reply.header("accept", ACCEPTED.join(", "));
      return reply.code(status).send({ error: code, message: why, accepted: ACCEPTED });
    }
    return reply
      .code(status)
      .send({ error: code, message: status === 500 ? "the server failed" : error.message });
  });
  return app;
}

/** The status code of an error, and the code that the answer names. */
function verdict(error) {
  if (isPolybinError(error)) return { status: STATUS[error.code] ?? 500, code: error.code };
  // The client is gone or the time is up.
  if (error.name === "AbortError" || error.name === "TimeoutError")
    return { status: BUSY, code: "ERR_ABORTED" };
  return { status: error.statusCode ?? 500, code: typeof error.code === "string" ? error.code : "ERR_HTTP" };
}
