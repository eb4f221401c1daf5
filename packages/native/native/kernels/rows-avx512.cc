// The rows of samples with AVX-512.
#include "rows-loops.h"

namespace polybin {

RowKernels avx512Rows(Type type, bool narrow) { return rowsOf(type, narrow); }

}  // namespace polybin
