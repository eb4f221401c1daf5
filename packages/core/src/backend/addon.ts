import { failuresOf } from "./failures.ts";

/** The part of Node's `process` that names the platform. */
interface Host {
  readonly platform: string;
  readonly arch: string;
  readonly report?: { excludeNetwork?: boolean; getReport(): object };
}

/** The native half of a backend: an addon in a package per platform, which the backend's package names. */
export interface Addon {
  /** The backend, whose package is `@polybin/<backend>`. */
  readonly backend: string;
  /** The platforms that have a package, such as "linux-x64" and "linux-x64-musl". */
  readonly platforms: readonly string[];
  /** The programs that build the addon in a checkout. */
  readonly tools: string;
  readonly host: Host;
  /** Loads a module from the folder below the one that has a checkout's build. */
  readonly load: (module: string) => unknown;
  /** Whether the backend's package lies in a checkout. A published package has no sources of the addon. */
  readonly isCheckout: () => boolean;
}

const packageOf = ({ backend }: Addon, platform: string) => `@polybin/${backend}-${platform}`;

/**
 * The platforms whose addons may load here. An installation holds the one that fits, because package managers know the C
 * library. Loading another one fails without harm, so nothing asks for the library beforehand, which can be slow.
 */
function candidates({ platforms, host }: Addon): string[] {
  const platform = `${host.platform}-${host.arch}`;
  return platforms.filter((name) => name === platform || name === `${platform}-musl`);
}

/** The name of this platform, with the C library if it is musl. */
function platformOf({ host }: Addon): string {
  const platform = `${host.platform}-${host.arch}`;
  if (host.platform !== "linux" || host.report === undefined) return platform;
  // The network's part of a report may take seconds.
  const { excludeNetwork = false } = host.report;
  host.report.excludeNetwork = true;
  const { header } = host.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  host.report.excludeNetwork = excludeNetwork;
  return header?.glibcVersionRuntime === undefined ? `${platform}-musl` : platform;
}

/**
 * Loads an addon: a checkout's build, or the package of this platform.
 * @throws ERR_UNAVAILABLE with one sentence: the failure of each place, and the remedy.
 */
export function loadAddon(of: Addon): unknown {
  const failures: string[] = [];
  const places = candidates(of).map((platform) => packageOf(of, platform));
  for (const place of [`../polybin_${of.backend}.node`, ...places]) {
    try {
      return of.load(place);
    } catch (error) {
      const [first = "failed"] = (error as Error).message.split("\n");
      failures.push(`${place}: ${first}`);
    }
  }
  const remedy = addonRemedy(of, platformOf(of), of.isCheckout());
  const message = `the addon could not be loaded (${failures.join("; ")}); ${remedy}`;
  throw failuresOf(of.backend).failure("ERR_UNAVAILABLE", message);
}

/** Returns what the user can do on a platform. */
export function addonRemedy(of: Addon, platform: string, isCheckout: boolean): string {
  if (!of.platforms.includes(platform)) {
    return `there is no addon for ${platform}, only for ${of.platforms.join(", ")}: use another backend`;
  }
  if (isCheckout) return `\`npm run setup\` builds it with ${of.tools}`;
  return (
    `install ${packageOf(of, platform)} in the version of @polybin/${of.backend}: from the registry (npm omits it with ` +
    `--omit=optional), or from the archive that \`npm run pack\` builds in a checkout with ${of.tools}`
  );
}
