// Node exports V8's functions by their C++ names. They are looked up when they are first needed rather than linked with:
// so the addon also loads where they are not, as in other programs that have Node-API.
#include "backing-store.h"

#include <dlfcn.h>

namespace polybin {
namespace {

/** v8::BackingStore. */
struct Store;

// As the Itanium C++ ABI calls methods: `this` goes first, behind the place of a result that is no register's.
using GetBackingStore = std::shared_ptr<Store> (*)(void *arrayBuffer);
using IsResizable = bool (*)(const Store *);

struct V8 {
  GetBackingStore get = nullptr;
  IsResizable isResizable = nullptr;

  V8() {
    const auto find = [](const char *name) { return dlsym(RTLD_DEFAULT, name); };
    // A name that has the standard library's shared_ptr in it: it is the one that this file is compiled with.
    if (!find("_ZN2v811ArrayBuffer3NewEPNS_7IsolateESt10shared_ptrINS_12BackingStoreEE")) return;
    // A V8 that has it reallocates memory which is transferred to another length, whoever holds it: Node 22's.
    if (find("_ZN2v811ArrayBuffer9Allocator10ReallocateEPvmm")) return;
    isResizable = reinterpret_cast<IsResizable>(find("_ZNK2v812BackingStore27IsResizableByUserJavaScriptEv"));
    if (!isResizable) return;
    get = reinterpret_cast<GetBackingStore>(find("_ZN2v811ArrayBuffer15GetBackingStoreEv"));
  }
};

}  // namespace

BackingStore backingStoreOf(napi_value arrayBuffer) {
  static const V8 v8;
  if (!v8.get) return {nullptr, false};
  // A napi_value is the handle that `this` of V8's methods is.
  const std::shared_ptr<Store> store = v8.get(arrayBuffer);
  return {store, v8.isResizable(store.get())};
}

}  // namespace polybin
