import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { PolybinError } from "@polybin/core";
import { refuse } from "./answers.ts";
import type { Assets } from "./assets.ts";
import { refusalOf, sayAndEnd } from "./last-words.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { Refusal } from "./refusal.ts";
import { Site } from "./site.ts";

const MOST_CONNECTIONS = 256;

export interface Dashboard extends AsyncDisposable {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
}

/**
 * Serves the page and counts for it, on the loopback interface alone.
 * @param port 0 takes any that is free.
 * @param limits what differs from the usual ones.
 * @throws ERR_INPUT when the port is taken.
 */
export async function serveDashboard(
  assets: Assets,
  port: number,
  limits: Partial<Limits> = {},
): Promise<Dashboard> {
  const all: Limits = { ...LIMITS, ...limits };
  const site = new Site(assets, all);
  const server = createServer(
    {
      headersTimeout: all.headersMs,
      // What is left of a body that nothing here reads may not drip for ever, either.
      requestTimeout: all.headersMs + all.bodyMs,
      connectionsCheckingInterval: all.headersMs,
      keepAliveTimeout: 5000,
      // It is checked here, and refused in words.
      requireHostHeader: false,
    },
    (request, response) => void site.answer(request, response, (server.address() as AddressInfo).port),
  );
  server.maxConnections = MOST_CONNECTIONS;
  const end = (socket: Socket, refusal: Refusal) => {
    // In the middle of an answer these words would be taken for a part of it.
    if (site.isAnswering(socket)) socket.destroy();
    else sayAndEnd(socket, refusal);
  };
  server.on("checkExpectation", (request, response) => {
    refuse(
      request,
      response,
      new Refusal(417, "ERR_EXPECTATION", "expected nothing but 100-continue for Expect"),
    );
  });
  server.on("connect", (_request, socket: Socket) => {
    // Node hands the connection over; a client that goes is no failure.
    socket.on("error", () => {});
    end(socket, new Refusal(405, "ERR_METHOD", "expected no CONNECT: this is no proxy"));
  });
  server.on("clientError", (error, socket: Socket) => end(socket, refusalOf(error)));
  await listening(server, port);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "it is taken" : error.message;
      reject(new PolybinError("ERR_INPUT", `expected a free port for --port but received ${port}: ${why}`));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}
