import { mountPlayground } from "../src/try/playground.ts";

void mountPlayground(document.getElementById("playground")!);
