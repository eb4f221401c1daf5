// The structs of src/border, as bytes.
#pragma once
#include <cstring>

#include "values.h"

namespace polybin {

/** A struct of src/border from its bytes. */
template <typename Numbers>
Numbers numbersOf(napi_env env, napi_value of) {
  const View view = viewOf(env, of, napi_uint8_array, "numbers");
  Numbers numbers;
  if (view.bytes != sizeof numbers) throw Failure{"ERR_INTERNAL", "expected the numbers of a job"};
  std::memcpy(&numbers, view.data, sizeof numbers);
  return numbers;
}

}  // namespace polybin
