// Selection and order of the samples of each role of a run.
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

class DataStore;
struct StoreOptions;

/// How samples of a split are mixed as they are read, see `Mixing` of the plan.
struct SplitMixing {
  std::vector<std::size_t> fields;  ///< places in `fields` of the split
  double alpha = 0;
};

/// The selected samples of one role in order, and the data source that declares them.
struct Split {
  ExecutionMode role = ExecutionMode::training;
  DataSource const* source = nullptr;          ///< in the plan, which must outlive this
  std::shared_ptr<Samples> samples;            ///< with its transforms; no other split's
  std::vector<std::int64_t> indices;           ///< in order of epoch 0; if not shuffled, of all
  bool shuffle = false;                        ///< every epoch has a different order
  std::vector<std::size_t> fields;             ///< per field of `source`: its index in `samples`
  std::shared_ptr<DataStore> store = nullptr;  ///< below the transforms; null: none
  /// Place in `fields` of labels that are of class 1 for the first half of each mini-batch.
  std::optional<std::size_t> halved_labels = {};
  std::optional<SplitMixing> mixing = {};
};

/// Describes the first number that is not finite among samples `indices` of `split`: file, field,
/// sample and entry. Nothing if there is none; fields that are null in `wanted` are skipped. Reads
/// the samples again: for a run that has failed.
std::optional<std::string> find_not_finite(Plan const& plan, Split const& split,
                                           std::span<std::int64_t const> indices,
                                           std::span<std::byte* const> wanted);

/// Opens and loads every reader of `plan` that a run has use for; for `checks_all` see
/// `Samples::load`. Returns a split per role; validation comes from the tail of the training reader
/// if that has a `validation_fraction` and the plan has no validation reader. Checks the dims and
/// sample counts of the plan; problems name the file and the line of the experiment. With `store`,
/// readers whose samples can be kept there each get a data store.
Result<std::vector<Split>> open_splits(Plan const& plan, OpenContext const& context,
                                       bool checks_all, StoreOptions const* store = nullptr);

}  // namespace lbann::runtime
