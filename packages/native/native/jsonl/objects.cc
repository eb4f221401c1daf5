#include "objects.h"

#include <algorithm>
#include <string>

namespace polybin::json {

Objects::Objects(const JsonlOf &of, std::vector<Column> &columns) : objects_(of.fields.size() + 1) {
  std::vector<std::vector<std::string>> keys(objects_.size());
  std::vector<uint32_t> places;
  for (const auto &[key, parent] : of.fields) {
    places.push_back(static_cast<uint32_t>(keys[parent].size()));
    keys[parent].push_back(key);
  }
  std::vector<bool> holds(objects_.size(), false);
  holds[0] = true;
  for (const Column &column : columns) {
    for (uint32_t at = of.fields[column.index()].parent; !holds[at]; at = of.fields[at - 1].parent) holds[at] = true;
  }
  for (uint32_t at = 0; at < objects_.size(); at++) {
    if (!holds[at]) continue;
    objects_[at] = std::make_unique<Object>(std::move(keys[at]));
    if (at > 0) objects_[of.fields[at - 1].parent]->fields[places[at - 1]].inner = objects_[at].get();
  }
  for (Column &column : columns) {
    Field &field = objects_[of.fields[column.index()].parent]->fields[places[column.index()]];
    field.column = &column;
    columns_.push_back({&column, &field});
  }
}

size_t Objects::longest() const {
  size_t longest = 0;
  for (const auto &object : objects_) {
    if (object != nullptr) longest = std::max(longest, object->names.longest());
  }
  return longest;
}

}  // namespace polybin::json
