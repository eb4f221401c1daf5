// Launches weighted-collision (collision.cuh).
#include "collision.cuh"

namespace polybin {

cudaError_t weightedCollision(const WeightedInput &in, const WeightedPlan &plan, const WeightedCollision &own,
                              cudaStream_t stream) {
  return forVariant(plan, [&](auto variant) {
    return forUnroll<limits::UNROLL_MAX>(own.unroll, [&](auto most) {
      return launchSums(sumCollision<decltype(variant), decltype(most)::value>, in, plan, stream, own);
    });
  });
}

}  // namespace polybin
