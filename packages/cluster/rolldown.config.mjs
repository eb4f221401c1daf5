import { bundled } from "../../.config/rolldown.mjs";

export default bundled(["index", "shards/index"]);
