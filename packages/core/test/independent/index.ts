export { type Campaign, campaign, describeFindings, type Findings } from "./campaign.ts";
export type { Polybin } from "./perform.ts";
export { serve } from "./serve.ts";
