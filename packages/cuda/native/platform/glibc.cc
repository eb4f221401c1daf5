// The static C++ library asks for glibc 2.36's arc4random, where glibc 2.34 is all that the rest needs. One of our own,
// not to be seen from outside, lets the addon load on older systems.
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

extern "C" __attribute__((visibility("hidden"))) uint32_t arc4random() {
  uint32_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) abort();
  return random;
}
