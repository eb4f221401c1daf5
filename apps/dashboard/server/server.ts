import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { PolybinError } from "@polybin/core";
import { checkNames } from "@polybin/core/backend";
import { type Assets, pageAssets } from "./assets.ts";
import type { Backends } from "./backends.ts";
import { checkAddress, checkCaller } from "./guard.ts";
import { refusalOf, sayAndEnd } from "./last-words.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { SAFE_HEADERS } from "./policy.ts";
import { Refusal } from "./refusal.ts";
import { refuse } from "./refuse.ts";
import { routes } from "./routes.ts";

const MOST_CONNECTIONS = 256;

/** A running server. Disposing of it ends the server and every connection. */
export interface Dashboard extends AsyncDisposable {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
}

export interface DashboardOptions {
  /** The backends that it counts on. */
  readonly backends: Backends;
  /** The port to listen on. 0 takes any free port. */
  readonly port: number;
}

/**
 * Serves the page and counts for it, on the loopback interface only.
 * @throws ERR_INPUT if the port is taken; ERR_UNAVAILABLE if the page was not built.
 */
export async function serveDashboard(options: DashboardOptions): Promise<Dashboard> {
  checkNames(options, ["backends", "port"] satisfies (keyof DashboardOptions)[]);
  return serve(pageAssets(), options);
}

/**
 * Serves any page.
 * @param limits limits that differ from the defaults
 * @throws ERR_INPUT if the port is taken.
 */
export async function serve(
  assets: Assets,
  { backends, port }: DashboardOptions,
  limits: Partial<Limits> = {},
): Promise<Dashboard> {
  const all: Limits = { ...LIMITS, ...limits };
  // This server ends unread bodies itself, and the platform's classes are not replaced.
  const answer = getRequestListener(routes(assets, backends, all).fetch, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
  });
  /** Responses that are not finished. */
  const open = new Set<ServerResponse>();
  const server = createServer(
    {
      headersTimeout: all.headersMs,
      // Also ends an unread body that arrives too slowly.
      requestTimeout: all.headersMs + all.bodyMs,
      connectionsCheckingInterval: all.headersMs,
      keepAliveTimeout: 5000,
      // checkCaller checks the header and sends an error with a message.
      requireHostHeader: false,
    },
    (request, response) => {
      open.add(response);
      response.on("close", () => open.delete(response));
      response.setHeaders(new Map(Object.entries(SAFE_HEADERS)));
      try {
        checkCaller(request, portOf(server));
        checkAddress(request.url);
      } catch (error) {
        refuse(request, response, error);
        return;
      }
      void answer(request, response);
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  /** Connections that are ending. Further data on them are ignored. */
  const ending = new WeakSet<Socket>();
  /** Refuses data on a connection that are no request. */
  const end = (socket: Socket, refusal: Refusal) => {
    if (ending.has(socket)) return;
    ending.add(socket);
    const last = [...open].findLast(({ req, writableEnded }) => req.socket === socket && !writableEnded);
    // In the middle of a response, an error would look like a part of it.
    if (last?.headersSent) socket.destroy();
    // A complete request still gets its response first. Otherwise that request is the one that cannot be read.
    else if (last?.req.complete) last.once("close", () => sayAndEnd(socket, refusal));
    else sayAndEnd(socket, refusal);
  };
  server.on("checkExpectation", (request, response) => {
    response.setHeaders(new Map(Object.entries(SAFE_HEADERS)));
    refuse(
      request,
      response,
      new Refusal(417, "ERR_EXPECTATION", "expected nothing but 100-continue for Expect"),
    );
  });
  server.on("connect", (_request, socket: Socket) => {
    // Node hands the connection over. A client that leaves is no failure.
    socket.on("error", () => {});
    end(
      socket,
      new Refusal(405, "ERR_METHOD", "expected another method than CONNECT, since this server is no proxy"),
    );
  });
  server.on("clientError", (error, socket: Socket) => end(socket, refusalOf(error)));
  await listening(server, port);
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "it is taken" : error.message;
      reject(new PolybinError("ERR_INPUT", `expected a free port for --port but received ${port}: ${why}`));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}
