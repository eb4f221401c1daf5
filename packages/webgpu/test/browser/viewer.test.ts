import { bundleForBrowser } from "@polybin/testbed/bundle";
import { moduleSite, openSite } from "@polybin/testbed/site";
import { expect, it } from "vitest";

interface Outcome {
  /** For each frame and channel: the values that occur and their counts. */
  readonly frames: readonly (readonly (readonly number[])[])[];
  readonly errors: readonly string[];
  readonly texels: number;
}

it("a page counts its canvas texture frame by frame and draws from the counts", async (ctx) => {
  const { code } = await bundleForBrowser(new URL("page/viewer.ts", import.meta.url));
  const opened = await openSite(moduleSite(code));
  if (typeof opened === "string") return ctx.skip(opened);
  await using site = opened;
  const { frames, errors, texels } = await site.page.evaluate<Outcome>("outcome");
  expect(errors).toEqual([]);
  expect(frames).toHaveLength(5);
  for (const [i, channels] of frames.entries()) {
    expect(channels, `frame ${i}`).toEqual([i, 100 + i, 255, 255].map((value) => [value, texels]));
  }
  expect(site.problems).toEqual([]);
});
