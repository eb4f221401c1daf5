// Builds the site into docs/site/dist, or with --dev serves the pages while they are edited. --no-reference leaves out the
// reference of the interfaces, which takes much of the time. --dev shows the reference of the last build.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createServer } from "vitepress";
import { DIST, REFERENCE, ROOT, SITE } from "./paths.ts";
import { buildSite } from "./site.ts";

const { values } = parseArgs({
  options: {
    "no-reference": { type: "boolean", default: false },
    dev: { type: "boolean", default: false },
  },
});

if (values.dev) {
  if (!existsSync(join(ROOT, REFERENCE))) process.env.POLYBIN_SITE_REFERENCE = "none";
  const server = await createServer(join(ROOT, SITE));
  await server.listen();
  server.printUrls();
} else {
  await buildSite({ reference: !values["no-reference"], to: DIST });
}
