import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const found = (process.env.PATH ?? "")
  .split(delimiter)
  .some((folder) => existsSync(join(folder, "redis-server")));

/** Why tests with a real Redis cannot run here. Null if they can. */
export const noRedis: string | null = found
  ? null
  : "needs redis-server on the path: apt-get install redis-server";

/** A redis-server of a test: on a unix socket, with a password and an append-only file, so that it can be restarted. */
export class TestRedis implements AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  readonly password: string = randomBytes(12).toString("hex");
  #server: ChildProcess | null = null;

  private constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "polybin-redis-"));
    const socket = join(this.folder, "redis.sock");
    this.url = `unix://:${this.password}@${socket}`.replace("@/", "@localhost/");
    writeFileSync(
      join(this.folder, "redis.conf"),
      `port 0\nunixsocket ${socket}\nunixsocketperm 700\nrequirepass ${this.password}\ndir ${this.folder}\n` +
        'appendonly yes\nsave ""\nloglevel warning\n',
    );
  }

  /** Starts a server. @param more lines for its configuration */
  static async start(more: (folder: string) => readonly string[] = () => []): Promise<TestRedis> {
    const redis = new TestRedis();
    appendFileSync(join(redis.folder, "redis.conf"), `${more(redis.folder).join("\n")}\n`);
    await redis.up();
    return redis;
  }

  async up(): Promise<void> {
    this.#server = spawn("redis-server", [join(this.folder, "redis.conf")], { stdio: "ignore" });
    for (let tries = 0; tries < 200; tries++) {
      try {
        if (this.cli("ping") === "PONG") return;
      } catch {
        // Not yet.
      }
      await sleep(25);
    }
    throw new Error("redis-server did not start");
  }

  /** Runs redis-cli. */
  cli(...args: string[]): string {
    return execFileSync("redis-cli", ["-s", join(this.folder, "redis.sock"), ...args], {
      env: { ...process.env, REDISCLI_AUTH: this.password },
      stdio: ["ignore", "pipe", "ignore"],
    })
      .toString()
      .trim();
  }

  /** Ends the server as a power cut would end its process, or by a signal that it handles. */
  async down(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
