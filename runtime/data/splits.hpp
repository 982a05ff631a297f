// Samples of each role of a run, chosen and in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann::runtime {

/// Samples of one role, chosen and in order, and who declared them.
struct Split {
  ExecutionMode role = ExecutionMode::training;
  DataSource const* source = nullptr;  ///< in the plan, which must outlive this
  std::shared_ptr<Samples const> samples;
  std::vector<std::int64_t> indices;  ///< in the order of epoch 0, if not shuffled of every epoch
  bool shuffle = false;               ///< every epoch has an order of its own
  std::vector<std::size_t> fields;    ///< per field of `source`: its number in `samples`
};

/// The first number that is not finite among samples `indices` of `split`, in words: file, field,
/// sample and entry. Nothing if there is none; fields whose place in `wanted` is null are left out.
/// Reads the samples again: for a run that has failed.
std::optional<std::string> find_not_finite(Plan const& plan, Split const& split,
                                           std::span<std::int64_t const> indices,
                                           std::span<std::byte* const> wanted);

/// Opens and loads every reader of `plan`; for `checks_all` see `Samples::load`. Gives a split per
/// role, and `validate` from the tail of the train reader where it has a `validation_fraction` and
/// the plan no reader of its own for it. Checks what the plan tells of dims and numbers of samples;
/// problems name the file and the line of the experiment.
Result<std::vector<Split>> open_splits(Plan const& plan, OpenContext const& context,
                                       bool checks_all);

}  // namespace lbann::runtime
