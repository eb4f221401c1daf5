import * as core from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { type Polybin, serve } from "../../core/test/independent/index.ts";

const polybin = core as unknown as Polybin;
serve(polybin, () => polybin.openEngine({ backend: piscina({ threads: 2 }) } as never), 100);
