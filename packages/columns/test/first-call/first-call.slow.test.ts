import { describe } from "vitest";
import { itReadsRight } from "./runs.ts";

describe("the first call of each decoder in a process, on this Node", () =>
  itReadsRight(process.execPath, 3));
