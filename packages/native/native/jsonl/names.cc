#include "names.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace polybin::json {
namespace {

bool isPlain(const std::string &name) {
  return std::all_of(name.begin(), name.end(), [](char of) {
    const auto byte = static_cast<uint8_t>(of);
    return byte >= 0x20 && byte != '"' && byte != '\\';
  });
}

}  // namespace

Names::Names(std::vector<std::string> names) : names_(std::move(names)) {
  for (uint32_t field = 0; field < names_.size(); field++) {
    isPlain_.push_back(isPlain(names_[field]));
    if (!isPlain_[field]) continue;
    fields_.emplace(names_[field], field);
    longest_ = std::max(longest_, names_[field].size() + 1);
  }
}

uint32_t Names::expected(const uint8_t *at) const {
  if (next_ >= names_.size() || !isPlain_[next_]) return NONE;
  const std::string &name = names_[next_];
  return std::memcmp(at, name.data(), name.size()) == 0 && at[name.size()] == '"' ? next_ : NONE;
}

uint32_t Names::find(const Text &name) const {
  const auto found = fields_.find({reinterpret_cast<const char *>(name.at), name.size()});
  return found == fields_.end() ? NONE : found->second;
}

}  // namespace polybin::json
