// Finds the field of a name. The fields of an object mostly have the order of those of the object before.
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

  explicit Names(std::vector<std::string>);
  Names(const Names &) = delete;
  Names &operator=(const Names &) = delete;

  /** Bytes that may be read from the start of a name on. */
  size_t longest() const { return longest_; }
  /** Starts an object. */
  void start() { next_ = 0; }
  /** Returns the field that is expected next if its name and a quotation mark are at a place, or NONE. */
  uint32_t expected(const uint8_t *at) const;
  /** Returns the field of a name, or NONE. */
  uint32_t find(const Text &) const;
  /** Notes the field that was found. */
  void found(uint32_t field) { next_ = field + 1; }
  size_t bytes(uint32_t field) const { return names_[field].size(); }

 private:
  const std::vector<std::string> names_;
  /** Whether each name needs no escapes in a line. */
  std::vector<bool> isPlain_;
  std::unordered_map<std::string_view, uint32_t> fields_;
  size_t longest_ = 0;
  uint32_t next_ = 0;
};

}  // namespace polybin::json
