/**
 * The steps that Redis does as a whole, in its own language. Each is one command, which ioredis sends again if Redis was
 * away, and each is repeatable: a worker that is paused or cut off, and then repeats a step, changes nothing.
 */
export const SCRIPTS = {
  /**
   * Starts a run of a job, unless it is done or runs already. `new` is the id of the run, `stale` that of a run whose shards
   * are lost, which a new run replaces. Keys: record, jobs, names. Returns the state and the id of the run.
   */
  polybinBegin: {
    numberOfKeys: 3,
    lua: `
local id, name, task, shards, width, now, keep, stale, new, digest = unpack(ARGV)
local owner = redis.call("HGET", KEYS[3], name)
if owner and owner ~= id and redis.call("EXISTS", "polybin:job:" .. owner) == 1 then
  return {"taken", 0}
end
redis.call("HSET", KEYS[3], name, id)
redis.call("ZADD", KEYS[2], now, id)
redis.call("EXPIRE", KEYS[1], keep)
local state = redis.call("HGET", KEYS[1], "state")
local run = redis.call("HGET", KEYS[1], "run") or "0"
if state == "done" and stale ~= run then return {state, run} end
if state == "running" and stale ~= run then return {state, run} end
redis.call("HSET", KEYS[1], "version", 1, "name", name, "task", task, "digest", digest, "shards", shards, "width", width,
  "state", "running", "run", new, "keep", keep, "started", now, "changed", now)
redis.call("HSETNX", KEYS[1], "created", now)
redis.call("HINCRBY", KEYS[1], "runs", 1)
redis.call("HDEL", KEYS[1], "ended")
redis.call("EXPIRE", KEYS[1], keep)
return {"begun", new}`,
  },
  /**
   * Keeps the result of a node and drops those of its children. Keys: record, counted shards, the result, its ancestors'
   * results, its children's results. Returns 0, and keeps nothing, if the job is gone or an ancestor has the result.
   */
  polybinKeep: {
    lua: `
local bytes, ancestors, shard, now, ended = unpack(ARGV)
local keep = redis.call("HGET", KEYS[1], "keep")
if not keep then return 0 end
for i = 4, 3 + tonumber(ancestors) do
  if redis.call("EXISTS", KEYS[i]) == 1 then return 0 end
end
redis.call("SET", KEYS[3], bytes, "EX", keep)
for i = 4 + tonumber(ancestors), #KEYS do redis.call("UNLINK", KEYS[i]) end
if tonumber(shard) >= 0 then redis.call("SETBIT", KEYS[2], shard, 1) end
redis.call("HSET", KEYS[1], "changed", now)
if ended == "1" then redis.call("HSET", KEYS[1], "state", "done", "ended", now) end
redis.call("EXPIRE", KEYS[1], keep)
redis.call("EXPIRE", KEYS[2], keep)
return 1`,
  },
  /** Reads the state, the run, the digest of the task and the number of counted shards. Keys: record, counted shards. */
  polybinStanding: {
    numberOfKeys: 2,
    lua: `
local job = redis.call("HMGET", KEYS[1], "state", "run", "digest")
return {job[1], job[2], job[3], redis.call("BITCOUNT", KEYS[2])}`,
  },
  /** Finds which results are kept, as a list of 0 and 1. Keys: the results. */
  polybinKept: {
    lua: `
local kept = {}
for i = 1, #KEYS do kept[i] = redis.call("EXISTS", KEYS[i]) end
return kept`,
  },
  /** Finds the active entries of the queue whose lock is a token. Keys: the list of active entries. */
  polybinHeld: {
    numberOfKeys: 1,
    lua: `
local token, prefix = unpack(ARGV)
local held = {}
for _, id in ipairs(redis.call("LRANGE", KEYS[1], 0, -1)) do
  local lock = redis.pcall("GET", prefix .. id .. ":lock")
  if lock == token then table.insert(held, id) end
end
return held`,
  },
  /** Removes an entry from the queue. Keys: the list of active entries, the entry, its other keys. */
  polybinDrop: {
    lua: `
redis.call("LREM", KEYS[1], 0, ARGV[1])
return redis.call("UNLINK", unpack(KEYS, 2))`,
  },
  /** Ends a run: it failed or was cancelled. Keys: record, failures. Returns 0 if it is not this run that goes on. */
  polybinEnd: {
    numberOfKeys: 2,
    lua: `
local state, run, node, message, now = unpack(ARGV)
local was = redis.call("HMGET", KEYS[1], "state", "run", "keep")
if node ~= "" and was[2] == run then
  redis.call("HSET", KEYS[2], node, message)
  redis.call("EXPIRE", KEYS[2], was[3])
end
if was[1] ~= "running" or was[2] ~= run then return 0 end
redis.call("HSET", KEYS[1], "state", state, "ended", now, "changed", now)
return 1`,
  },
} as const;
