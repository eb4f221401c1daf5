// Builds the site into docs/site/dist: `npm run docs`.
//
//   --no-reference   leaves out the reference of the interfaces, which takes most of the time
//   --dev            serves the pages while they are edited, with the reference of the last build
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, SITE } from "./paths.ts";

const { values } = parseArgs({
  options: { "no-reference": { type: "boolean", default: false }, dev: { type: "boolean", default: false } },
});
const root = join(ROOT, SITE);

if (values.dev) {
  const { REFERENCE } = await import("./paths.ts");
  if (!existsSync(join(ROOT, REFERENCE))) process.env.POLYBIN_SITE_REFERENCE = "none";
  const { createServer } = await import("vitepress");
  const server = await createServer(root);
  await server.listen();
  server.printUrls();
} else {
  const { buildSite } = await import("./site.ts");
  await buildSite({ reference: !values["no-reference"] });
}
