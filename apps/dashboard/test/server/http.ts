import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";

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

/** A connection for bytes that may be no HTTP. */
export class Wire {
  readonly socket: Socket;
  /** All that came back once the server has closed. */
  readonly closed: Promise<string>;

  constructor(origin: string, bytes: string | Uint8Array) {
    const { hostname, port } = new URL(origin);
    let text = "";
    this.socket = connect(Number(port), hostname, () => this.socket.write(bytes));
    this.socket.on("data", (part) => {
      text += part.toString("latin1");
    });
    // A server that has refused a body closes the connection, whoever still writes.
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.on("close", () => resolve(text)));
  }
}

/** Sends bytes that may be no HTTP, and returns what comes back until the server closes. */
export async function raw(origin: string, bytes: string): Promise<Answer> {
  return parsed(await new Wire(origin, bytes).closed);
}

/** One whole answer. */
export function parsed(bytes: string): Answer {
  const [head, ...rest] = bytes.split("\r\n\r\n");
  const [first, ...lines] = head!.split("\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first!)?.[1]),
    headers: Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 2),
      ]),
    ),
    text: rest.join("\r\n\r\n"),
  };
}
