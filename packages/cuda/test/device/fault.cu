// An addon for the tests. It makes a device fail permanently, so that the tests can observe the engines of the same
// process. It is never published.
#include <cuda_runtime.h>
#include <node_api.h>

namespace {

__global__ void trap() { asm("trap;"); }

/** fault(device) -> the name of the error that the device then has. */
napi_value fault(napi_env env, napi_callback_info info) {
  napi_value argument, name;
  size_t count = 1;
  int32_t device = 0;
  napi_get_cb_info(env, info, &count, &argument, nullptr, nullptr);
  if (napi_get_value_int32(env, argument, &device) != napi_ok) {
    napi_throw_type_error(env, "ERR_INPUT", "expected the number of a device");
    return nullptr;
  }
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess) {
    trap<<<1, 1>>>();
    error = cudaDeviceSynchronize();
  }
  napi_create_string_utf8(env, cudaGetErrorName(error), NAPI_AUTO_LENGTH, &name);
  return name;
}

}  // namespace

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "fault", NAPI_AUTO_LENGTH, fault, nullptr, &function);
  napi_set_named_property(env, exports, "fault", function);
  return exports;
}
