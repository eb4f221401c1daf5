// Whether what JavaScript asks for may be done: behind these, nothing is asked again. They need no device.
#pragma once
#include "generated/messages.h"
#include "memory/residents.h"

namespace polybin {

// Lengths, offsets, indices and enumerations: what a kernel or a copy would follow out of its memory. Not whether a
// plan is a good one, nor whether a lookup finds the right bins: what that counts wrongly, core's merge finds out.
// @throws Failure ERR_INPUT where memory of the caller's is too short, as it is when it was transferred;
// ERR_UNSUPPORTED where there is no such kernel; else ERR_INTERNAL

uint32_t pixelBytesOf(const Wanted &);

/** The number of a device: there may be none of it. */
void checkDevice(uint32_t);
void checkUpload(const Source &);
void checkExtent(const Source &, const Wanted &);
/** All of a count but its samples; and these. */
void checkShape(const CountShape &);
void checkCount(const CountJob &, const CountShape &);
/** Of so many dense pixels that are counted at once. */
void checkFew(uint64_t pixels, uint64_t bytes, const CountShape &);
void checkSegments(const SegmentsJob &);
/** Of so many segments that were kept, of so many bins, with flow or not, wide or not. */
void checkRows(const RowsJob &, uint64_t segments, uint32_t bins, bool flow, bool wide);
void checkTable(const TableSource &);
/** Of the table that the sums are over. */
void checkSums(const SumsJob &, const FeatureTable &);
void checkRead(const ReadJob &);
void checkCopy(const CopyJob &);

}  // namespace polybin
