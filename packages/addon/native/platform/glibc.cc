// The static C++ library requires arc4random of glibc 2.36, but everything else needs only glibc 2.34. This hidden
// replacement lets the addon load on older systems.
#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__)
#include <sys/random.h>

extern "C" __attribute__((visibility("hidden"))) uint32_t arc4random() {
  uint32_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) abort();
  return random;
}
#endif
