export { campaign, describeFindings } from "./campaign.ts";
export type { Polybin } from "./perform.ts";
export { serve } from "./serve.ts";
