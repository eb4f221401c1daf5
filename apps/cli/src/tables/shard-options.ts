/** The options of shards as they were typed. */
export interface ShardOptions {
  readonly shard?: string;
  readonly extent?: boolean;
  readonly extentFrom?: string;
  readonly out?: string;
}
