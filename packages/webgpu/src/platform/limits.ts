/**
 * Every number that bounds this backend's use of a device. Core's limits hold those of counters, tables and launches.
 */

// -- WebGPU reports neither multiprocessors nor their resources ---------------------------------------------
/**
 * The assumed device is a large one: the multiprocessors of an NVIDIA H200. On a smaller device some blocks wait for
 * their turn, and their sums cost time. On a larger device a part would stay idle.
 */
export const UNITS = 132;
export const UNIT_THREADS = 2048;
export const UNIT_BLOCKS = 32;
export const UNIT_SHARED_BYTES = 233_472;
export const RESERVED_BYTES = 1024;
/**
 * The same for a fallback adapter, which computes on a few threads of the CPU: more blocks cost it more than they gain.
 */
export const FALLBACK_UNITS = 2;

// -- Upload of samples and readback of counts ---------------------------------------------------------------
/** Most bytes that one dispatch reads: indices past the end of a grid then still fit into 32 bits. */
export const CHUNK_BYTES = 2_147_483_648;
/** Bytes of host memory per copy, and copies in flight at once. Larger buffers take longer to create. */
export const PIECE_BYTES = 8_388_608;
export const PIECES = 4;
/** Bytes of host memory per dispatch. A fallback adapter gets fewer, so that an abort does not wait long. */
export const PART_BYTES = 134_217_696;
export const FALLBACK_PART_BYTES = 33_554_432;
/** Chunks begin at multiples of this number of pixels, which satisfies a binding's alignment for every pixel size. */
export const ALIGN_PIXELS = 256;
/** Up to this number of bytes the queue copies samples itself: waiting for a mapped buffer would take longer. */
export const WRITE_BYTES = 65_536;
/** Calls in flight with counts of their own. They keep the device busy while JavaScript takes the results. */
export const CALLS_AT_ONCE = 128;
/** Bytes for the counts of all calls in flight, next to each other: enough for hundreds of calls with 256 bins. */
export const RING_BYTES = 1_048_576;
/** Calls over resident samples whose params and bindings are kept for the next similar call. */
export const KEPT_CALLS = 1024;
/** Inputs per submission. While the device counts them, the host encodes the next ones. */
export const BATCH = 64;
/** Smallest size of a readback buffer, and the most bytes that idle ones may have in total. Both in bytes. */
export const READBACK_BYTES = 4096;
export const IDLE_READBACK_BYTES = 16_777_216;
/** Inputs that the device adds up before the host waits for it. This number of commands may queue there. */
export const ADDS_AHEAD = 32;
/** Size in bytes of the count rows that one readback copies to the host. Two buffers of this size stay idle. */
export const ROWS_BYTES = 8_388_608;
/** Most bytes of freed count rows that are kept for the next call: 2^18 segments of 256 bins. */
export const SPARE_ROWS_BYTES = 268_435_456;
/** Bytes from one dispatch's params to the next: the largest alignment of a dynamic offset that any device requires. */
export const PARAMS_BYTES = 256;

// -- Kernels --------------------------------------------------------------------------------------------
/** A kernel unrolls a search of at most this number of halvings. Three halvings tell 7 thresholds apart. */
export const FEW_HALVINGS = 3;
/** Columns of a joint histogram that one dispatch binds. With everything else they are eight storage buffers. */
export const BOUND_COLUMNS = 3;
/** Most copies of a lookup in a block's memory, for a joint histogram. More would gain nothing on an H200. */
export const LOOKUP_REPLICAS = 8;
/** Pipelines that a device keeps for the next call with an equal plan. */
export const PIPELINES = 256;
/** Texts whose numbers are part of the keys of these pipelines. Few of a pipeline's texts are its own. */
export const TEXTS = 2048;
/** Jobs whose params and tables are kept for the next equal job in a user's encoder. */
export const ENCODED_JOBS = 8;
/**
 * Table sizes in workgroup memory between two powers of two. Features with nearly the same number of bins share a
 * pipeline.
 */
export const TABLE_STEPS = 8;

// -- Times ----------------------------------------------------------------------------------------------
/** Dispatches that are timed between two readbacks. */
export const TIMED = 1024;
/** Shortest time of a dispatch, in milliseconds: the steps of some devices' clocks are longer. */
export const SHORTEST_MS: number = 1 / 1024;

// -- Weighted sums --------------------------------------------------------------------------------------
/** Bytes of totals per readback. This is small compared with a table that has this number of totals. */
export const TOTALS_BYTES = 67_108_864;
/**
 * Float weights, which are below 1, are multiplied by this on their way to a device that may flush denormals. The sum
 * of 2^24 of them, more than a block adds between two flushes, stays below 2^127.
 */
export const FLOAT_SCALE: number = 2 ** 100;
/** Values that a fallback adapter adds up per submission: some tenths of a second. */
export const FALLBACK_SUMS_VALUES = 4_194_304;
