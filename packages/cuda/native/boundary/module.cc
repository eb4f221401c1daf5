// The entry point through which Node loads the addon.
#include "addon.h"

static Napi::Object load(Napi::Env env, Napi::Object exports) { return polybin::addonOf(env, exports); }
NODE_API_MODULE(polybin_cuda, load)
