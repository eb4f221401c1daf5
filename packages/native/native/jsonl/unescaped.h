// The text of a JSON string with escapes.
#pragma once
#include <vector>

#include "text/numbers.h"

namespace polybin::json {

/**
 * Writes a valid text between quotation marks as UTF-8.
 * @returns false for half of a surrogate pair, which UTF-8 cannot hold
 */
bool unescape(const Text &raw, std::vector<uint8_t> &to);

}  // namespace polybin::json
