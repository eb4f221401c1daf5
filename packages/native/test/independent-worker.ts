import * as core from "@polybin/core";
import { native } from "@polybin/native";
import { type Polybin, serve } from "../../core/test/independent/index.ts";

const polybin = core as unknown as Polybin;
serve(polybin, () => polybin.openEngine({ backend: native({ threads: 2 }) } as never), 100);
