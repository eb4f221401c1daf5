// The measurement, in the page: every way gets its row. The figures are not compared with anything.
import { readFile } from "node:fs/promises";
import { bundleForBrowser } from "@polybin/testbed/bundle";
import { openSite } from "@polybin/testbed/site";
import { expect, test } from "vitest";

const EXAMPLE = new URL("../", import.meta.url);

test("the page measures each way and goes on", async (context) => {
  const { code } = await bundleForBrowser(new URL("page.js", EXAMPLE));
  const html = await readFile(new URL("index.html", EXAMPLE), "utf8");
  const opened = await openSite({
    "/": { type: "text/html", body: html },
    "/page.js": { type: "text/javascript", body: code },
  });
  if (typeof opened === "string") return context.skip(opened);
  await using site = opened;
  const { page } = site;
  await page.getByRole("button", { name: "Measure" }).click();
  await page.locator("#figures table").waitFor();
  const rows = await page.locator("#figures tr").allTextContents();
  console.log(rows.join("\n"));
  const ways = ["resident", "readback", "drawing", "getImageData"];
  const expected = ["640 × 480", "1280 × 720"].flatMap((size) => ways.map((way) => `${size}${way}`));
  expect(rows.slice(1).map((row) => /^\d+ × \d+[a-zA-Z]+/.exec(row)![0])).toEqual(expected);
  await page.locator("#rate", { hasText: /^frames per second: [1-9]/ }).waitFor();
  expect(site.problems).toEqual([]);
});
