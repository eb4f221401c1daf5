// Files that were built from sources which have moved since would be packed, too.
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
