// Taking and giving back memory.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>

namespace polybin {

/**
 * Held while a gate is closed (gate.h), and while memory is taken or given back, for which the driver may wait for the
 * whole device: else it could wait, locked, for a stream that waits for the host to launch.
 */
std::mutex &wholeDevice();

/**
 * Page-locked memory that JavaScript is given. It stays while anybody has it: a call that reads it, say, though the
 * ArrayBuffer be gone. @throws Failure
 */
std::shared_ptr<void> takePinned(size_t bytes);
/** That memory, where something lies in such; else null. */
std::shared_ptr<void> pinnedAt(const void *);

/** Of the current device. @throws Failure */
void *takeDevice(size_t bytes);
/** Page-locked; of all devices, and mapped into them. @throws Failure */
void *takeHost(size_t bytes);
/** Harmless for null, and where the device is lost. */
void giveDevice(void *);
void giveHost(void *);

}  // namespace polybin
