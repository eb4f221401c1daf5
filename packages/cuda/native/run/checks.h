// Checks the requests of JavaScript. Code after these checks does not check again. They need no device.
#pragma once
#include "generated/limits.cuh"
#include "generated/messages.h"
#include "memory/residents.h"
#include "platform/expect.h"

namespace polybin {

// They check lengths, offsets, indices and enumerations, because a kernel or a copy would follow wrong ones out of its
// memory. They do not check whether a plan is good or whether a lookup finds the right bins. Core's merge detects wrong
// counts.
// @throws Failure ERR_INPUT if the caller's memory is too short, as after a transfer; ERR_UNSUPPORTED if there is no
// such kernel; otherwise ERR_INTERNAL

uint32_t pixelBytesOf(const Wanted &);

/** Checks the number of a device. The device need not exist. */
void checkDevice(uint32_t);
void checkUpload(const Source &);
void checkDownload(const Download &);
void checkExtent(const Source &, const Wanted &);
/** Checks how samples find their bins. */
void checkLowering(const HostLowering &, const Wanted &, uint32_t bins);
/**
 * The first checks all of a count except its samples, and the second checks the samples. `bins`: the most bins that the
 * axis may have.
 */
void checkShape(const CountShape &, uint32_t bins = limits::MAX_BINS);
void checkCount(const CountJob &, const CountShape &);
/** Checks `pixels` dense pixels that are counted at once. */
void checkFew(uint64_t pixels, uint64_t bytes, const CountShape &);
void checkSegments(const SegmentsJob &);
/** The numbers of a row: its bins, flow if samples can fall outside them, and (wide) 64 bits for each. */
struct RowShape {
  uint32_t bins;
  bool flow, wide;
};
/** Checks a request for rows that stayed on the device: their number of segments and shape. */
void checkRows(const RowsJob &, uint64_t segments, const RowShape &);
/** Checks memory to write: its length, and whether it is for doubles. */
void checkWritten(const char *name, const Written &, Wide bytes, bool doubles);
void checkJoint(const JointJob &);
void checkTable(const TableSource &);
/** `table`: the table that the sums are taken over. */
void checkSums(const SumsJob &, const FeatureTable &);

}  // namespace polybin
