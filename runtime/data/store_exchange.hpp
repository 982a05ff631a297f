// Samples of a data store, from the ranks that keep them to those whose mini-batches need them.
#pragma once

#include <memory>
#include <vector>

#include "runtime/data/batch_stream.hpp"
#include "runtime/data/data_store.hpp"

namespace lbann::runtime {

/// Where the samples of this rank's mini-batches came from.
struct StoreCounts {
  std::int64_t own = 0;       ///< from its memory
  std::int64_t received = 0;  ///< from the memory of another rank
  std::int64_t read = 0;      ///< from the data
};

/// For one stream of mini-batches. As all ranks know order and keepers, none has to ask: both ends
/// of a message post it. Bytes are sent from where they are kept, and received by a buffer that
/// lends them to the store until the buffer is used again.
class StoreExchange final : public BatchExchange {
 public:
  /// `ranks` must outlive it; `buffers`: staging buffers of the stream, `mini_batch`: samples on
  /// all ranks, at most. `counts`: to which those of every mini-batch are added that is used.
  /// `cuts`: as BatchStream has them.
  StoreExchange(std::shared_ptr<DataStore> store, Communicator& ranks, std::int64_t buffers,
                std::int64_t mini_batch, std::shared_ptr<StoreCounts> counts,
                std::vector<std::int64_t> cuts = {});

  void begin_epoch(std::span<std::int64_t const> order, std::int64_t mini_batch) override;
  void post(std::size_t buffer, std::span<std::int64_t const> indices) override;
  bool arrived(std::size_t buffer) override;
  void taken(std::size_t buffer) override;

 private:
  struct Loan {
    std::int64_t index = 0;
    std::span<std::byte> bytes;
  };
  struct Buffer {
    std::vector<std::byte> memory;
    std::vector<Loan> loans;
    std::unique_ptr<Messages> messages;
    bool lent = false;
    StoreCounts counts;  ///< of its mini-batch
  };

  /// Bytes that this rank receives for a mini-batch.
  std::int64_t bytes_of(std::span<std::int64_t const> indices) const;

  std::shared_ptr<DataStore> store_;
  Communicator& ranks_;
  std::vector<std::int64_t> cuts_;
  std::vector<Buffer> buffers_;
  std::shared_ptr<StoreCounts> counts_;
};

}  // namespace lbann::runtime
