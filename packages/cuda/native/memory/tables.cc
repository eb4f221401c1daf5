#include "tables.h"

#include "platform/failure.h"

namespace polybin {

void Tables::Table::reserve(size_t size, cudaStream_t stream) {
  const size_t bytes = size * sizeof(Count);
  if (bytes <= buffer.bytes()) return;
  used = 0;
  buffer.reserve(bytes);
  used = size;
  zero(stream);
}

void Tables::Table::zero(cudaStream_t stream) {
  if (used == 0) return;
  check(cudaMemsetAsync(buffer.memory(), 0, used * sizeof(Count), stream), "cudaMemset");
  used = 0;
}

Count *Tables::begin(size_t size, cudaStream_t stream) {
  for (Table &table : tables_) table.reserve(size, stream);
  Table &table = tables_[now_];
  // Of a call that failed, or whose turn was followed by a longer one.
  table.zero(stream);
  table.used = size_ = size;
  return static_cast<Count *>(table.buffer.memory());
}

void Tables::end(bool zeroed, cudaStream_t stream) {
  now_ = 1 - now_;
  Table &table = tables_[now_];
  if (zeroed && table.used <= size_) table.used = 0;
  table.zero(stream);
}

void Tables::release() {
  for (Table &table : tables_) {
    table.buffer.release();
    table.used = 0;
  }
}

}  // namespace polybin
