// The instructions of this processor, and the variants of kernels that use them.
#pragma once
#include "generated/border.h"

namespace polybin {

/** The widest instructions that this processor and its operating system support. */
Instructions widest();

/** The wanted instructions, or the widest. @throws Failure if this processor has no such instructions */
Instructions supported(Instructions wanted);

}  // namespace polybin
