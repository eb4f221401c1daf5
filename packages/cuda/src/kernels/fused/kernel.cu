// fused (polybin's own): finds the cell of 1 to 6 columns and counts it in one pass.
#include "count.cuh"

namespace polybin {

cudaError_t fused(const Joint &joint, const Plan &plan, const Fused &own, bool alone, cudaStream_t stream) {
  FusedShape shape{};
  const auto columns = joint.columns;
  shape.replicas = plan.replicas;
  uint32_t pad = 1, most = 0;
  const uint32_t unit = own.packed ? 16 : plan.replicas * 4;
  for (uint32_t k = columns; k-- > 0;) {
    shape.pad[k] = pad;
    shape.step[k] = pad * unit;
    most += (joint.column[k].extent - 1) * pad;
    pad = pad * joint.column[k].extent + 1;
    shape.offset += 0;
  }
  shape.slots = columns == 1 ? spread(joint.cells) : most + 1;
  uint32_t bytes = own.packed ? (shape.slots / 2 + 1) * 4 : (shape.slots + 1) * plan.replicas * 4;
  bytes = (bytes + 15) / 16 * 16;
  for (uint32_t k = 0; k < columns; k++) {
    if (joint.column[k].lowering.kind != Kind::ranks) continue;
    shape.lookup[k] = {own.lookupReplicas, bytes};
    bytes += ((joint.column[k].lowering.thresholds + limits::RANK_PADDING) * own.lookupReplicas * 4 + 15) / 16 * 16;
  }
  return launchFused(joint, plan, own, shape, bytes, stream);
}

}  // namespace polybin
