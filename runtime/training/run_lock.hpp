// Keeps two processes from training in the same folder.
#pragma once

#include <filesystem>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Holds a lock of a run's `log` file as long as it lives; the system releases it when the process
/// ends, however it ends. File systems without locks are trusted.
class RunLock {
 public:
  RunLock() = default;
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&& other) noexcept;
  ~RunLock();

  /// Waits up to `seconds` for another process to release it: those of a killed job may take a
  /// moment to end. The problem says what to do.
  static Result<RunLock> take(std::filesystem::path const& log, double seconds);

 private:
  int file_ = -1;
};

}  // namespace lbann::runtime
