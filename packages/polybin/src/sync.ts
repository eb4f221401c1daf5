export * from "@polybin/core/sync";
