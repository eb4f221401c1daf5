// Serves docs/examples/picture for viewing: `pnpm --filter @polybin/webgpu run example`, after a build.

import { serve } from "@polybin/testbed/server";
import { exampleSite } from "./example-site.ts";

const { origin } = await serve(await exampleSite(), Number(process.env.PORT ?? 8080));
console.log(`${origin} (Ctrl+C ends it)`);
