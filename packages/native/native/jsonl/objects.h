// The objects of a line that hold columns, and their fields.
#pragma once
#include <memory>
#include <vector>

#include "names.h"
#include "read.h"

namespace polybin::json {

struct Object;

struct Field {
  /** Null: no column has its values. */
  Column *column = nullptr;
  /** The object in it, if that holds columns. */
  Object *inner = nullptr;
  /** The last line that has it, counted from 1. */
  uint32_t seen = 0;
};

struct Object {
  explicit Object(std::vector<std::string> keys) : fields(keys.size()), names(std::move(keys)) {}

  /** In the order of their names. */
  std::vector<Field> fields;
  Names names;
};

class Objects {
 public:
  Objects(const JsonlOf &, std::vector<Column> &);

  Object &line() { return *objects_[0]; }
  /** Bytes that may be read from the start of a name on. */
  size_t longest() const;
  /** Adds a null to each column that a line does not have. */
  void addNulls(uint32_t line) {
    for (const auto &[column, field] : columns_) {
      if (field->seen != line) column->addNull();
    }
  }

 private:
  struct Placed {
    Column *column;
    const Field *field;
  };

  /** By one more than the index of the field that has it, and first that of the line. Null: it holds no columns. */
  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<Placed> columns_;
};

}  // namespace polybin::json
