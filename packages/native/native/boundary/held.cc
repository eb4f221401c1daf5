#include "held.h"

#include <cstring>

#include "boundary/backing-store.h"

namespace polybin {

Held::~Held() {
  for (const napi_ref array : arrays_) napi_delete_reference(env_, array);
}

void Held::keep(napi_value array) {
  napi_ref reference = nullptr;
  if (napi_create_reference(env_, array, 1, &reference) != napi_ok) throw Napi::Error::New(env_);
  arrays_.push_back(reference);
}

const uint8_t *Held::hold(napi_value array, const View &of) {
  if (of.bytes == 0) return of.data;
  bool isOwn = false;
  napi_is_arraybuffer(env_, of.buffer, &isOwn);
  if (!isOwn) {
    // Shared memory cannot be transferred or made smaller, so a reference to the array is enough.
    keep(array);
    return of.data;
  }
  BackingStore store = backingStoreOf(of.buffer);
  if (store.hold && !store.shrinks) {
    memory_.push_back(std::move(store.hold));
    return of.data;
  }
  const std::shared_ptr<uint8_t[]> copy(new uint8_t[of.bytes]);
  std::memcpy(copy.get(), of.data, of.bytes);
  memory_.push_back(copy);
  return copy.get();
}

}  // namespace polybin
