// Reads the built pages as a browser does, and finds links and files that do not exist.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Parser } from "htmlparser2";

/** The address that stands for any host. */
const HOST = "http://site.invalid";

/** A page's anchors, and the addresses that it leads to or loads. */
interface Page {
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
  readonly loads: readonly string[];
}

/** Relations of a `link` that make a browser load nothing. */
const NOT_LOADED = ["canonical", "alternate"];

function read(html: string): Page {
  const anchors = new Set<string>();
  const links: string[] = [];
  const loads: string[] = [];
  const parser = new Parser({
    onopentag(name, { id, href, src, rel = "" }) {
      if (id !== undefined) anchors.add(id);
      if (src !== undefined) loads.push(src);
      if (href === undefined) return;
      (name === "a" || NOT_LOADED.includes(rel) ? links : loads).push(href);
    },
  });
  parser.end(html);
  return { anchors, links, loads };
}

/** Returns a sentence for each link that leads nowhere, and for each file of another host that a page loads. */
export function faultsOf(dist: string, base: string): string[] {
  const pages = new Map(
    globSync("**/*.html", { cwd: dist })
      .sort()
      .map((path) => [path, read(readFileSync(join(dist, path), "utf8"))]),
  );
  /** The file that a host serves for a path below the base. Null: there is none. */
  const fileOf = (pathname: string): string | null => {
    if (!pathname.startsWith(base)) return null;
    const path = decodeURIComponent(pathname.slice(base.length)) || "index.html";
    const file = path.endsWith("/") ? `${path}index.html` : path;
    const found = join(dist, file);
    return existsSync(found) && statSync(found).isFile() ? file : null;
  };
  const faults: string[] = [];
  for (const [path, { links, loads }] of pages) {
    const address = `${HOST}${base}${path}`;
    for (const [isLoad, urls] of [
      [false, links],
      [true, loads],
    ] as const) {
      for (const url of new Set(urls)) {
        const { protocol, origin, pathname, hash } = new URL(url, address);
        if (protocol === "data:" || protocol === "mailto:") continue;
        if (origin !== HOST) {
          if (isLoad) faults.push(`${path} loads ${url} from another host`);
          continue;
        }
        const file = fileOf(pathname);
        if (file === null) faults.push(`${path} leads to ${url}, which does not exist`);
        else if (hash !== "" && !pages.get(file)?.anchors.has(decodeURIComponent(hash.slice(1)))) {
          faults.push(`${path} leads to ${url}, and ${file} has no such anchor`);
        }
      }
    }
  }
  return faults;
}
