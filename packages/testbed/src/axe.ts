import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** A rule of axe that a page breaks, and the first elements that break it. */
export type Finding = [rule: string, elements: string[]];

/** Runs all rules of axe in a page, or in a frame of a page. Returns the rules that it breaks. */
export async function findingsOf(page: Page | Frame): Promise<Finding[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
  return violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]);
}
