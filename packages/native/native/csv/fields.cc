#include "fields.h"

#include "platform/instructions.h"

namespace polybin {

FindEnds endsOf(Instructions wanted) {
  switch (supported(wanted)) {
#if defined(__x86_64__)
    case Instructions::avx512:
      return avx512Ends();
    case Instructions::avx2:
      return avx2Ends();
#endif
    default:
      return plainEnds();
  }
}

}  // namespace polybin
