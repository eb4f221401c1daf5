import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vitepress";
import { faultsOf } from "./faults.ts";
import { REFERENCE, ROOT, SITE } from "./paths.ts";

/** The playground that the dashboard's build makes, and its folder in the site. */
const PLAYGROUND = join(ROOT, "apps/dashboard/dist/playground");

/** The dashboard with every committed result, and its folder in the site. */
const DASHBOARD = join(ROOT, "apps/dashboard/dist/page");

/** What to build, and where to. */
interface BuildOptions {
  /** Whether the reference of the interfaces is part of the site. */
  readonly reference: boolean;
  /** The folder of the site. Its content is replaced. */
  readonly to: string;
}

/** Builds the site. @throws if a part of it is missing, or if a link leads nowhere */
export async function buildSite({ reference, to }: BuildOptions): Promise<void> {
  for (const [name, file] of [
    ["playground", join(PLAYGROUND, "playground.js")],
    ["dashboard", join(DASHBOARD, "index.html")],
  ] as const)
    if (!existsSync(file))
      throw new Error(`expected the ${name} at ${file} but found none: "npm run setup" builds it`);
  if (reference) {
    rmSync(join(ROOT, REFERENCE), { recursive: true, force: true });
    const { writeReference } = await import("./reference.ts");
    await writeReference();
  } else {
    process.env.POLYBIN_SITE_REFERENCE = "none";
  }
  await build(join(ROOT, SITE), { outDir: to });
  cpSync(DASHBOARD, join(to, "dashboard"), { recursive: true });
  cpSync(PLAYGROUND, join(to, "playground"), { recursive: true });
  // A service worker serves the pages of its folder and below, so the site needs one of its own.
  const script = 'self.BASE = "playground/";\nimportScripts("playground/offline.js");\n';
  writeFileSync(join(to, "offline.js"), script);
  const faults = faultsOf(to, process.env.POLYBIN_SITE_BASE || "/");
  if (faults.length > 0) throw new Error(`the site has ${faults.length} faults:\n${faults.join("\n")}`);
}
