// Shows docs/webgpu-example to a person: `pnpm --filter @polybin/webgpu run example`, once everything is built.
import { exampleSite } from "./example-site.ts";
import { serve } from "./server.ts";

const { origin } = await serve(await exampleSite(), Number(process.env.PORT ?? 8080));
console.log(`${origin} (Ctrl+C ends it)`);
