#include "held.h"

#include <cstring>

#include "backing-store.h"
#include "platform/memory.h"

namespace polybin {

Bytes Held::hold(const Napi::TypedArray &array) {
  napi_typedarray_type type;
  size_t length = 0, offset = 0;
  void *data = nullptr;
  napi_value buffer = nullptr;
  // Napi::TypedArray takes its buffer for an ArrayBuffer, which a shared one is not.
  if (napi_get_typedarray_info(array.Env(), array, &type, &length, &data, &buffer, &offset) != napi_ok) {
    throw Napi::Error::New(array.Env());
  }
  const size_t size = length * array.ElementSize();
  if (size == 0) return {};
  const Napi::Array arrays = arrays_.Value();
  arrays.Set(arrays.Length(), array);
  bool isOwn = false;
  napi_is_arraybuffer(array.Env(), buffer, &isOwn);
  if (!isOwn) return {static_cast<const uint8_t *>(data), size};
  if (std::shared_ptr<void> pinned = pinnedAt(data)) {
    memory_.push_back(std::move(pinned));
    return {static_cast<const uint8_t *>(data), size};
  }
  BackingStore store = backingStoreOf(buffer);
  if (store.hold && !store.shrinks) {
    memory_.push_back(std::move(store.hold));
    return {static_cast<const uint8_t *>(data), size};
  }
  const std::shared_ptr<uint8_t[]> copy(new uint8_t[size]);
  std::memcpy(copy.get(), data, size);
  memory_.push_back(copy);
  return {copy.get(), size};
}

}  // namespace polybin
