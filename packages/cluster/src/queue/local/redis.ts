import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PolybinError } from "@polybin/core";
import { addressOf, connect } from "../connect.ts";

const PROGRAM = "redis-server";
/** Longest path of a socket that every system accepts. */
const SOCKET_PATH = 100;
/** Milliseconds in which the server must start. */
const START_MS = 10_000;
const RETRY_MS = 25;

/**
 * The shell that ends the server and removes its folder when its input ends, which it also does when the command is
 * killed. The signals of Ctrl+C do not reach it.
 */
const KEEPER = `"$1" "$2" & server=$!; cat > /dev/null; kill "$server"; wait "$server"; rm -rf "$3"`;

/** A Redis of a command's own. */
export interface OwnRedis {
  readonly url: string;
  readonly password: string;
  /** Ends the server and removes its files. */
  close(): Promise<void>;
}

/**
 * Starts a Redis that nobody else can reach: its socket and its files are in a new folder of this user, and a random password.
 * It has an append-only file, as a real one should.
 * @throws ERR_UNAVAILABLE if there is no redis-server on the path, or it does not start.
 */
export async function ownRedis(): Promise<OwnRedis> {
  const program = onPath(PROGRAM);
  const folder = await mkdtemp(
    join(tmpdir().length < SOCKET_PATH / 2 ? tmpdir() : "/tmp", "polybin-own-redis-"),
  );
  const password = randomBytes(24).toString("hex");
  const socket = join(folder, "redis.sock");
  const configuration = join(folder, "redis.conf");
  const lines = [
    "port 0",
    `unixsocket ${socket}`,
    "unixsocketperm 700",
    `requirepass ${password}`,
    `dir ${folder}`,
    "appendonly yes",
    'save ""',
    "maxmemory-policy noeviction",
    `logfile ${join(folder, "redis.log")}`,
  ];
  await writeFile(configuration, `${lines.join("\n")}\n`, { mode: 0o600 });
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "polybin", program, configuration, folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const ended = once(keeper, "exit");
  const close = async () => {
    keeper.stdin.end();
    await ended;
  };
  const url = `unix:${socket}`;
  try {
    await reachable(url, password);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, password, close };
}

async function reachable(url: string, password: string): Promise<void> {
  const address = addressOf(url, { POLYBIN_REDIS_PASSWORD: password });
  const until = performance.now() + START_MS;
  for (;;) {
    try {
      const redis = await connect(address);
      redis.disconnect();
      return;
    } catch (cause) {
      if (performance.now() < until) {
        await sleep(RETRY_MS);
        continue;
      }
      throw new PolybinError("ERR_UNAVAILABLE", `${PROGRAM} did not start within ${START_MS / 1000} s`, {
        cause,
      });
    }
  }
}

function onPath(program: string): string {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The next folder may have it.
    }
  }
  throw new PolybinError(
    "ERR_UNAVAILABLE",
    `expected ${program} on the path for a Redis of its own but found none; install it (apt-get install redis-server, ` +
      "brew install redis), or name a running one with --redis URL",
  );
}
