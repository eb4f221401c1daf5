import { failuresOf } from "@polybin/core/backend";

export const { coded } = failuresOf("native");
