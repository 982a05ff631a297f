// The data stores of a run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/data/splits.hpp"
#include "runtime/data/store_exchange.hpp"

namespace lbann::runtime {

/// What a run says of data stores on its command line.
struct StoreChoice {
  bool used = false;
  bool preloads = false;        ///< before the first epoch
  std::int64_t most_bytes = 0;  ///< of memory on each rank; 0: half of the node's, for all ranks
};

class StoredData {
 public:
  /// Reserves the memory of a rank, one of `ranks_on_node` there.
  static Result<StoredData> reserve(StoreChoice const& choice, std::int64_t ranks_on_node);

  StoreOptions const& options() const { return options_; }
  /// Takes note of the store of `split`, or of the reader that has none.
  void add(Split const& split);
  /// The exchange of a stream over `split`, which has a store; `ranks` must outlive it.
  std::shared_ptr<BatchExchange> exchange(Split const& split, Communicator& ranks,
                                          std::int64_t buffers, std::int64_t mini_batch,
                                          std::vector<std::int64_t> cuts) const;
  /// If that was asked for: reads all samples, each on one rank, until its memory is full.
  Result<Success> preload(std::int64_t threads, Communicator& ranks) const;
  /// What is to be known at the start: the limit, readers whose samples are not kept.
  std::vector<std::string> notes() const;
  /// Collective: what the ranks hold and where samples came from, on rank 0.
  std::string summary(Communicator& ranks) const;

 private:
  struct Stored {
    std::shared_ptr<DataStore> store;
    std::vector<std::int64_t> indices;  ///< of all its splits
  };

  StoreOptions options_;
  std::vector<Stored> stores_;
  std::vector<std::string> not_kept_;  ///< a line for each reader without a store
  std::shared_ptr<StoreCounts> counts_ = std::make_shared<StoreCounts>();
};

}  // namespace lbann::runtime
