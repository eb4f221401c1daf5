import { PolybinError } from "@polybin/core";
import { expected } from "@polybin/core/backend";
import { Redis } from "ioredis";
import { CONNECT_MS, RECONNECTS } from "./limits.ts";

/** The environment variables that name a Redis and its password, so that neither appears in a list of processes. */
export const URL_VARIABLE = "POLYBIN_REDIS_URL";
export const PASSWORD_VARIABLE = "POLYBIN_REDIS_PASSWORD";

const FORMS = "redis://HOST:PORT, rediss://HOST:PORT (TLS) or unix:/PATH";

/** The options of a connection, as ioredis names them. */
interface Login {
  readonly host?: string;
  readonly port?: number;
  readonly path?: string;
  readonly db?: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly servername: string };
}

/** A login that waits for a lost Redis for ever. */
interface PatientLogin extends Login {
  readonly maxRetriesPerRequest: null;
  readonly retryStrategy: (times: number) => number;
}

/** The place of a Redis, and the login. */
export interface Address {
  readonly options: Login;
  /** The address without user and password, for messages. */
  readonly shown: string;
}

/**
 * Reads the address of a Redis. A password may be in the URL or in POLYBIN_REDIS_PASSWORD. TLS checks certificates as Node
 * does: NODE_EXTRA_CA_CERTS names the certificate of your own authority.
 * @throws ERR_INPUT if it is no such URL.
 */
export function addressOf(url: unknown, env: NodeJS.ProcessEnv = process.env): Address {
  const given = url ?? env[URL_VARIABLE];
  if (typeof given !== "string") {
    throw expected("ERR_INPUT", "redis", `${FORMS}, or ${URL_VARIABLE} in the environment`, given);
  }
  // The URL may hold a password, so no message repeats it.
  const wrong = () =>
    new PolybinError("ERR_INPUT", `expected ${FORMS} for redis but received a text of another form`);
  const parsed = URL.parse(given);
  if (parsed === null) throw wrong();
  const login = {
    ...(parsed.username && { username: decodeURIComponent(parsed.username) }),
    password: decodeURIComponent(parsed.password) || env[PASSWORD_VARIABLE] || "",
  };
  const account = login.password === "" ? {} : login;
  if (parsed.protocol === "unix:") {
    if (!parsed.pathname.startsWith("/")) throw wrong();
    const path = decodeURIComponent(parsed.pathname);
    return { options: { ...account, path }, shown: `unix:${path}` };
  }
  if (parsed.protocol !== "redis:" && parsed.protocol !== "rediss:") throw wrong();
  const db = parsed.pathname.slice(1);
  if (parsed.hostname === "" || !/^\d*$/.test(db)) throw wrong();
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  const port = Number(parsed.port || 6379);
  return {
    options: {
      ...account,
      host,
      port,
      ...(db !== "" && { db: Number(db) }),
      ...(parsed.protocol === "rediss:" && { tls: { servername: host } }),
    },
    shown: `${parsed.protocol}//${parsed.hostname}:${port}${db === "" ? "" : `/${db}`}`,
  };
}

/** The wait before the next attempt to reach a lost Redis, in milliseconds. */
const reconnectMs = (times: number): number => Math.min(times * 50, 1000);

/** Options of a connection that waits for a lost Redis for ever, as BullMQ needs them. */
export function patient({ options }: Address): PatientLogin {
  return { ...options, maxRetriesPerRequest: null, retryStrategy: reconnectMs };
}

/**
 * Connects. A connection that is lost later is made again, and commands wait for it for about a minute, or
 * for ever if `patient` is set.
 * @throws ERR_UNAVAILABLE if Redis cannot be reached or refuses the login.
 */
export async function connect(
  address: Address,
  { patient: forever = false }: { readonly patient?: boolean } = {},
): Promise<Redis> {
  const { options, shown } = address;
  let first = true;
  let last: Error | null = null;
  const redis = new Redis({
    ...options,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: forever ? null : RECONNECTS,
    retryStrategy: (times: number) => (first ? null : reconnectMs(times)),
  });
  // Without a listener, ioredis prints each error. A command that fails reports it.
  redis.on("error", (error: Error) => {
    last = error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    redis.disconnect();
    const why = (last ?? (cause as Error)).message;
    const helps = /NOAUTH|WRONGPASS|invalid password|no password is set/i.test(why)
      ? `; check the password in the URL or in ${PASSWORD_VARIABLE}`
      : "; start a redis-server there, or use --local N for one of its own";
    throw new PolybinError("ERR_UNAVAILABLE", `cannot use Redis at ${shown}: ${why}${helps}`, { cause });
  }
  first = false;
  return redis;
}
