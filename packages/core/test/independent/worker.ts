import * as polybin from "@polybin/core";
import type { Polybin } from "./perform.ts";
import { serve } from "./serve.ts";

const own = polybin as unknown as Polybin;
serve(own, () => own.openEngine());
