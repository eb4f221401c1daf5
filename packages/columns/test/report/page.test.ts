import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openPage } from "@polybin/testbed/page";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { HOSTILE, hostile } from "./hostile.ts";
import { type Desk, LAY_OUT, names, OPEN_ALL, openDesk, opened, PATIENCE, WIDTH } from "./opened.ts";
import { columnOf, profileOf, trips } from "./sample.ts";

vi.setConfig({ testTimeout: PATIENCE, hookTimeout: PATIENCE });

let desk: Desk;
let taxi: string;

beforeAll(async () => {
  desk = await openDesk();
  taxi = await desk.written(trips(2000));
});
afterAll(() => desk[Symbol.asyncDispose]());

// A phone, and a window of 1280 pixels at a zoom of 200%.
test.for([390, 640])("the page opens from disk, asks for nothing, and fits %i pixels", async (width, ctx) => {
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  await using visit = await opened(desk.chromium, taxi, { width });
  const { page, problems, requests } = visit;
  expect(requests.filter((url) => url !== taxi && !url.startsWith("data:"))).toEqual([]);
  expect(await page.evaluate(WIDTH)).toBe(width);
  await page.evaluate(LAY_OUT);
  await page.evaluate(OPEN_ALL);
  expect(await page.evaluate(WIDTH)).toBe(width);
  expect(await page.locator(".bins table").count()).toBeGreaterThan(8);
  expect(await page.locator("svg.plot").count()).toBeGreaterThan(12);
  expect(problems).toEqual([]);
});

test("the list is sorted by its headings, also from the keyboard", async (ctx) => {
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  await using visit = await opened(desk.chromium, taxi);
  const { page, problems } = visit;
  const original = await names(page);
  const sort = (name: string) => page.getByRole("button", { name, exact: true });
  await sort("Column").click();
  expect(await names(page)).toEqual(
    [...original].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })),
  );
  const heading = page.getByRole("columnheader", { name: "Nulls" });
  await sort("Nulls").focus();
  await page.keyboard.press("Enter");
  expect(await heading.getAttribute("aria-sort")).toBe("ascending");
  await page.keyboard.press("Enter");
  expect(await heading.getAttribute("aria-sort")).toBe("descending");
  expect((await names(page)).slice(0, 2)).toEqual(["note", "airport_fee"]);
  await sort("#").click();
  expect(await names(page)).toEqual(original);
  expect(problems).toEqual([]);
});

test("the search leaves what fits, in the list and below it, and a link shows what it hid", async (ctx) => {
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  await using visit = await opened(desk.chromium, taxi);
  const { page, problems } = visit;
  const all = (await names(page)).length;
  const search = page.getByLabel("Search names, types and notes");
  await search.fill("PICK");
  expect(await names(page)).toEqual(["pickup", "pickup_time"]);
  expect(await page.getByRole("status").textContent()).toBe(`2 of ${all} columns`);
  expect(await page.locator("article[id]:visible").count()).toBe(2);
  await search.fill("infinit");
  expect(await names(page)).toEqual(["speed"]);
  await search.fill("");
  await page.getByLabel("Show").selectOption("boolean");
  expect(await names(page)).toEqual(["stored"]);
  await page.getByLabel("Show").selectOption("warned");
  expect(await names(page)).toEqual(["tip", "tax", "airport_fee", "speed", "note"]);
  await page.locator(".found").getByRole("link", { name: "distance" }).click();
  await page.locator("#c4:target").waitFor({ state: "visible" });
  expect((await names(page)).length).toBe(all);
  expect(problems).toEqual([]);
});

test("the counts of the bins are a table", async (ctx) => {
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  const counts = [3, 0, 1_234_567];
  const column = { ...columnOf("a", "i32", { kind: "number", type: "i32" }, [0, 3]), top: [] };
  const histogram = { type: "regular", edges: [0, 1, 2, 3], counts, underflow: 0, overflow: 0, nan: 0 };
  await using visit = await opened(desk.chromium, await desk.written(profileOf([{ ...column, histogram }])));
  await visit.page.getByText("Counts of the bins").click();
  const cells = await visit.page
    .locator(".bins tr")
    .evaluateAll((rows) =>
      (rows as unknown as { cells: Iterable<{ textContent: string }> }[]).map(({ cells }) =>
        [...cells].map(({ textContent }) => textContent),
      ),
    );
  expect(cells).toEqual([
    ["From", "To below", "Rows"],
    ["0", "1", "3"],
    ["1", "2", "0"],
    ["2", "3", "1,234,567"],
  ]);
});

test("hostile names and values are text, and nothing else", async (ctx) => {
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  await using visit = await opened(desk.chromium, await desk.written(hostile()), { width: 390 });
  const { page, problems } = visit;
  await page.evaluate(LAY_OUT);
  expect(
    await page
      .locator("img, iframe, script:not(:last-child), style ~ style, [onerror], [onmouseover]")
      .count(),
  ).toBe(0);
  expect(await page.locator("script").count()).toBe(1);
  expect(await page.title()).toBe(`${HOSTILE.length} files: profile`);
  expect(await page.locator("article[id]").count()).toBe(3 * HOSTILE.length);
  expect(await page.locator("#n0").textContent()).toBe(HOSTILE[0]);
  expect(await page.evaluate(WIDTH)).toBe(390);
  await page.getByLabel("Search names, types and notes").fill(HOSTILE[3]!);
  expect((await names(page)).length).toBe(3);
  expect(problems).toEqual([]);
});

test("the policy refuses a script and a request that somebody adds", async (ctx) => {
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  const added = `<script>document.title = "taken"</script><img src="http://127.0.0.1:${port}/">`;
  const address = await desk.written(profileOf([]), (report) => report.replace("</main>", `${added}</main>`));
  await using visit = await openPage(desk.chromium, address);
  expect(await visit.page.title()).toBe("trips.csv: profile");
  expect(visit.problems.filter((problem) => problem.includes("Content Security Policy")).length).toBe(2);
  server.close();
  expect(asked).toBe(0);
});
