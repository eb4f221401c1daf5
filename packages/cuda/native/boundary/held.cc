#include "held.h"

#include <cstring>

#include "boundary/backing-store.h"
#include "platform/expect.h"
#include "platform/memory.h"

namespace polybin {

namespace {

struct View {
  uint8_t *data = nullptr;
  size_t size = 0;
  napi_value buffer = nullptr;
};

View viewOf(const Napi::TypedArray &array) {
  napi_typedarray_type type;
  size_t length = 0, offset = 0;
  void *data = nullptr;
  View of;
  // Napi::TypedArray assumes that its buffer is an ArrayBuffer, but it may be a SharedArrayBuffer.
  if (napi_get_typedarray_info(array.Env(), array, &type, &length, &data, &of.buffer, &offset) != napi_ok) {
    throw Napi::Error::New(array.Env());
  }
  of.data = static_cast<uint8_t *>(data);
  of.size = length * array.ElementSize();
  return of;
}

}  // namespace

/** Holds the memory itself, if possible. */
bool Held::isHeld(const Napi::TypedArray &array, Bytes &to) {
  const View of = viewOf(array);
  to = {of.data, of.size};
  if (of.size == 0) {
    to = {};
    return true;
  }
  const Napi::Array arrays = arrays_.Value();
  arrays.Set(arrays.Length(), array);
  bool isOwn = false;
  napi_is_arraybuffer(array.Env(), of.buffer, &isOwn);
  if (!isOwn) return true;
  if (std::shared_ptr<void> pinned = pinnedAt(of.data)) {
    memory_.push_back(std::move(pinned));
    return true;
  }
  BackingStore store = backingStoreOf(of.buffer);
  if (!store.hold || store.shrinks) return false;
  memory_.push_back(std::move(store.hold));
  return true;
}

Bytes Held::hold(const Napi::TypedArray &array) {
  Bytes of;
  if (isHeld(array, of)) return of;
  const std::shared_ptr<uint8_t[]> copy(new uint8_t[of.size]);
  std::memcpy(copy.get(), of.data, of.size);
  memory_.push_back(copy);
  return {copy.get(), of.size};
}

Bytes Held::holdWritten(const Napi::TypedArray &array) {
  Bytes of;
  if (isHeld(array, of)) return of;
  const std::shared_ptr<uint8_t[]> copy(new uint8_t[of.size]);
  memory_.push_back(copy);
  copies_.push_back({arrays_.Value().Length() - 1, copy.get(), of.size});
  return {copy.get(), of.size};
}

void Held::giveBack() const {
  for (const Copy &copy : copies_) {
    const Napi::Value array = arrays_.Value().Get(copy.array);
    const View to = viewOf(array.As<Napi::TypedArray>());
    enough("memory for results", copy.size, to.size);
    std::memcpy(to.data, copy.memory, copy.size);
  }
}

}  // namespace polybin
