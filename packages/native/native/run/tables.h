// The memory in which a thread counts. It is kept for the thread's next call, and all words are 0 between calls.
#pragma once
#include <cstddef>
#include <cstdint>

namespace polybin {

/** Words that are 0; null: none. The caller clears what it writes. @throws std::bad_alloc */
uint32_t *clearWords(size_t words);

}  // namespace polybin
