// The program from its start to its end.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { expect, test } from "vitest";
import { started } from "./started.ts";

test("a signal ends the program after the upload that is under way has its answer", async () => {
  const png = await readFile(new URL("../../../../apps/cli/sample/evening.png", import.meta.url));
  const { child, url } = await started();
  const exit = once(child, "exit");
  try {
    expect(await (await fetch(url)).text()).toContain("<title>");
    const upload = request(`${url}/histogram`, { method: "POST", headers: { "content-length": png.length } });
    const answer = once(upload, "response");
    upload.write(png.subarray(0, 1000));
    while ((await (await fetch(`${url}/load`)).json()).uploads === 0);
    child.kill("SIGTERM");
    // Once it accepts no connection any more, the rest of the upload arrives.
    for (;;)
      if (
        (await fetch(url).then(
          () => "served",
          () => "closed",
        )) === "closed"
      )
        break;
    upload.end(png.subarray(1000));
    const [response] = await answer;
    expect(response.statusCode).toBe(200);
    const { channels } = JSON.parse(Buffer.concat(await Array.fromAsync(response)).toString());
    expect(channels[0].counts.reduce((sum: number, count: number) => sum + count)).toBe(640 * 480);
    expect(await exit).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
  }
});
