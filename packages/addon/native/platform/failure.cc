#include "failure.h"

#include <exception>
#include <new>

namespace polybin {

Failure failureCaught() {
  try {
    throw;
  } catch (const Failure &failure) {
    return failure;
  } catch (const std::bad_alloc &) {
    return {"ERR_OUT_OF_MEMORY", "the process is out of memory"};
  } catch (const std::exception &error) {
    return {"ERR_INTERNAL", error.what()};
  } catch (...) {
    return {"ERR_INTERNAL", "an unknown exception was thrown"};
  }
}

}  // namespace polybin
