/** Every number that bounds what this backend asks of a device. Of counters, tables and launches core's limits tell. */

// -- WebGPU tells neither multiprocessors nor what they hold ----------------------------------------------
/**
 * What is assumed of a device: a large one, an NVIDIA H200's multiprocessors. On a smaller one some blocks wait their
 * turn, which costs their sums; on a larger one than assumed a part would stand idle.
 */
export const UNITS = 132;
export const UNIT_THREADS = 2048;
export const UNIT_BLOCKS = 32;
export const UNIT_SHARED_BYTES = 233_472;
export const RESERVED_BYTES = 1024;
/** And of a fallback adapter, which computes on a few threads of the CPU: blocks cost it more than they gain. */
export const FALLBACK_UNITS = 2;

// -- How samples reach a device and counts come back ------------------------------------------------------
/** Bytes that one dispatch reads, at most: indices past the end of a grid then still fit into 32 bits. */
export const CHUNK_BYTES = 2_147_483_648;
/** Bytes of host memory that are copied at a time, and copies under way at once: larger buffers take longer to make. */
export const PIECE_BYTES = 8_388_608;
export const PIECES = 4;
/** Bytes of host memory that are counted at a time; of a fallback adapter fewer, so that an abort does not wait. */
export const PART_BYTES = 134_217_696;
export const FALLBACK_PART_BYTES = 33_554_432;
/** Chunks begin at multiples of so many pixels, which is a binding's alignment whatever the pixel. */
export const ALIGN_PIXELS = 256;
/** Bytes up to which the queue copies samples itself: a mapped buffer would be waited for longer. */
export const WRITE_BYTES = 65_536;
/** Calls of which each has its own counts: enough to keep the device busy while JavaScript takes their results. */
export const CALLS_AT_ONCE = 128;
/** Bytes of counts of calls in flight, side by side: hundreds of 256 bins. */
export const RING_BYTES = 1_048_576;
/** Calls over residents whose params and bindings are kept for the next like one. */
export const KEPT_CALLS = 1024;
/** Inputs that are counted by one submission: while the device counts them, the next ones are put together. */
export const BATCH = 64;
/** Bytes that a buffer for reading back has at least, and that idle ones may have together. */
export const READBACK_BYTES = 4096;
export const IDLE_READBACK_BYTES = 16_777_216;
/** Inputs that are added up on the device before it is asked how far it is: so many commands may wait there. */
export const ADDS_AHEAD = 32;
/** Bytes of rows of counts that are counted before they come home: two such buffers for reading back stay idle. */
export const ROWS_BYTES = 8_388_608;
/** Bytes that rows of counts may have which were freed and are kept for the next call: those of 2^18 segments of 256 bins. */
export const SPARE_ROWS_BYTES = 268_435_456;
/** Bytes from one dispatch's params to the next: the least that a dynamic offset may be a multiple of anywhere. */
export const PARAMS_BYTES = 256;

// -- Kernels --------------------------------------------------------------------------------------------
/** Halvings of a search up to which a kernel has them written out, not in a loop: these reach 7 thresholds further. */
export const FEW_HALVINGS = 3;
/** Pipelines that a device keeps for the next call with a like plan. */
export const PIPELINES = 256;
/** Jobs whose params and tables are kept for the next like one that is put into a user's encoder. */
export const ENCODED_JOBS = 8;
/** Sizes of tables in workgroup memory between two powers of two: features of nearly as many bins share a pipeline. */
export const TABLE_STEPS = 8;

// -- Times ----------------------------------------------------------------------------------------------
/** Dispatches between two readbacks that are timed. */
export const TIMED = 1024;
/** A time that no dispatch takes less than, where the steps of a device's clock are longer: milliseconds. */
export const SHORTEST_MS: number = 1 / 1024;

// -- Weighted sums --------------------------------------------------------------------------------------
/** Bytes of totals between two readbacks: little beside a table that has so many. */
export const TOTALS_BYTES = 67_108_864;
/**
 * What float weights, which are below 1, are multiplied by on their way to a device that may flush denormals: 2^24 of
 * them, more than a block adds between two flushes, are below 2^127.
 */
export const FLOAT_SCALE: number = 2 ** 100;
/** Values that a fallback adapter adds up at a time: some tenths of a second. */
export const FALLBACK_SUMS_VALUES = 4_194_304;
