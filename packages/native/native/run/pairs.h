// Whether a count of bytes counts pairs of them.
#pragma once
#include "job.h"

namespace polybin {

/** Whether counting pairs takes less time than counting single bytes. */
bool pairsPay(const Job &, const Pixels &, uint32_t threads);

}  // namespace polybin
