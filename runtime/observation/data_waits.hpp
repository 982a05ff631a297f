// What training waits for while data is read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "runtime/communication/communicator.hpp"
#include "runtime/data/mini_batch.hpp"
#include "runtime/data/staged_files.hpp"

namespace lbann::runtime {

/// How long the steps of this rank have waited for data, and what to do about it.
class DataWaits {
 public:
  /// `threads` prepare data on this rank, which may use `cores` cores in all.
  /// `staged`: where files are copied to; null: nowhere.
  DataWaits(std::int64_t threads, std::int64_t cores, std::shared_ptr<StagedFiles const> staged)
      : threads_(threads), cores_(cores), staged_(std::move(staged)) {}

  void add(MiniBatch const& batch);
  /// After a pass of `seconds`: what to say of it, if its steps waited for so much of the time that
  /// it is worth a change; once per run. `pass`: as the line names it, `training epoch 3`.
  std::optional<std::string> end_pass(std::string const& pass, double seconds);
  /// After a pass: how far this rank's copies have come, until all of them are there.
  std::optional<std::string> staging_progress();
  /// Collective: a line of all that the ranks have read, on rank 0. Waits are those of the rank
  /// with the longest.
  std::string summary(Communicator& ranks) const;

 private:
  std::string advice() const;

  std::int64_t threads_, cores_;
  std::shared_ptr<StagedFiles const> staged_;
  std::int64_t staged_before_ = -1;
  std::int64_t samples_ = 0;
  double waited_ = 0, waited_in_pass_ = 0, seconds_ = 0;
  bool said_ = false;
};

}  // namespace lbann::runtime
