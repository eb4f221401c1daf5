// Finds the field of a name. The fields of a line mostly have the order of those of the line before.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/numbers.h"

namespace polybin::json {

class Names {
 public:
  static constexpr uint32_t NONE = 0xffffffff;

  explicit Names(const std::vector<std::string> &);

  /** Bytes that may be read from the start of a name on. */
  size_t longest() const { return longest_; }
  size_t size() const { return names_.size(); }
  /** Starts a line. */
  void start() { next_ = 0; }
  /** Returns the field that is expected next if its name and a quotation mark are at a place, or NONE. */
  uint32_t expected(const uint8_t *at) const;
  /** Returns the field of a name, or NONE. */
  uint32_t find(const Text &) const;
  /** Notes the field that was found. */
  void found(uint32_t field) { next_ = field + 1; }
  size_t bytes(uint32_t field) const { return names_[field].size(); }

 private:
  const std::vector<std::string> &names_;
  /** Whether each name needs no escapes in a line. */
  std::vector<bool> isPlain_;
  std::unordered_map<std::string_view, uint32_t> fields_;
  size_t longest_ = 0;
  uint32_t next_ = 0;
};

}  // namespace polybin::json
