import { expect, test } from "vitest";
import { checkAddress, checkCaller } from "../../server/guard.ts";
import type { Refusal } from "../../server/refusal.ts";

/** The status that a request with these headers is refused with, if it is. */
function refused(port: number, host: string, origin?: string): number | null {
  try {
    checkCaller(
      {
        method: origin === undefined ? "GET" : "POST",
        headers: { host, ...(origin === undefined ? {} : { origin }) },
        headersDistinct: { host: [host] },
      },
      port,
    );
    return null;
  } catch (error) {
    return (error as Refusal).status;
  }
}

test.each(["127.0.0.1", "localhost"])("on port 80 a browser leaves the port out: %s", (name) => {
  for (const host of [name, `${name}:80`]) {
    expect(refused(80, host)).toBeNull();
    for (const origin of [`http://${name}`, `http://${name}:80`])
      expect(refused(80, host, origin)).toBeNull();
    for (const origin of [`https://${name}`, `http://${name}:81`, "http://evil.example", "http://", "null"]) {
      expect(refused(80, host, origin)).toBe(403);
    }
  }
  for (const host of [`${name}:81`, `${name}:80:80`, `${name}:`, "evil.example", ":80", ""]) {
    expect(refused(80, host)).toBe(421);
  }
});

test("on every other port it is needed", () => {
  expect(refused(7177, "localhost:7177", "http://localhost:7177")).toBeNull();
  expect(refused(7177, "localhost")).toBe(421);
  expect(refused(7177, "localhost:80")).toBe(421);
  expect(refused(7177, "localhost:7177", "http://localhost")).toBe(403);
  expect(refused(7177, "localhost:7177", "http://127.0.0.1:7177")).toBe(403);
});

test("an address stands for itself, or for nothing", () => {
  for (const url of ["/", "/index.html", "/data/a/b.rows.json", "/api/status", "/api/x?width=%20&y=/../z"]) {
    expect(() => checkAddress(url)).not.toThrow();
  }
  for (const url of ["", "*", "x", "/../x", "/a/./b", "/a/..", "/%73", "/a\\b", "http://127.0.0.1/", "/ä"]) {
    expect(() => checkAddress(url), url).toThrow("expected the address of a file");
  }
});
