import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** Send the body but leave it open: what the server says to it must not depend on its end. */
  readonly unfinished?: boolean;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a request as it is: no path is tidied, no header made up but what HTTP wants. */
export function ask(
  origin: string,
  { method = "GET", path, headers = {}, body, unfinished = false }: Asked,
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let answered = false;
    const sent = request(
      { agent, hostname, port, method, path, headers, insecureHTTPParser: false },
      (response) => {
        answered = true;
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        const done = () => {
          if (unfinished) sent.destroy();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          });
        };
        response.on("end", done);
        response.on("error", done);
      },
    );
    // A server that has refused a body closes the connection, whoever still writes.
    sent.on("error", (error) => answered || reject(error));
    if (body !== undefined) sent.write(body);
    if (!unfinished) sent.end();
  });
}

/** Sends bytes that may be no HTTP, and returns the first line of what comes back. */
export function raw(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (part) => {
      text += part.toString("latin1");
    });
    socket.on("close", () => resolve(text.split("\r\n")[0]!));
    socket.on("error", (error) => (text === "" ? reject(error) : resolve(text.split("\r\n")[0]!)));
  });
}
