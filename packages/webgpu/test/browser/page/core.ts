export * from "@polybin/core";
