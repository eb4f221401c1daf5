export * from "@polybin/core";
export * from "@polybin/core/backend";
