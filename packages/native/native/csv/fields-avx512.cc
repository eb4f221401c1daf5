// The ends of fields with AVX-512.
#include "fields-loops.h"

namespace polybin {

FindEnds avx512Ends() { return findEnds; }

}  // namespace polybin
