// Puts the built page of apps/dashboard beside the built command, so that a published command has it, too.
import { cpSync, rmSync } from "node:fs";

const page = new URL("../dist/page/", import.meta.url);
rmSync(page, { recursive: true, force: true });
cpSync(new URL("../../dashboard/dist/", import.meta.url), page, { recursive: true });
