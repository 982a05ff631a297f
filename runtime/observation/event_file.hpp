// Event files of TensorBoard.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/observation/encode_image.hpp"
#include "runtime/observation/protobuf_message.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// A hyperparameter and its value.
using HyperParameter = std::pair<std::string, std::variant<std::string, double>>;

/// A file of events: TFRecords (length, its CRC-32C, bytes, their CRC-32C) of `tensorflow.Event`
/// (tensorflow/core/util/event.proto, framework/summary.proto). A disk that is full is a problem of
/// `flush`, which names the file. What is written reaches the file after some seconds.
class EventFile {
 public:
  /// A node of the graph: name, type, names of those it takes.
  struct Node {
    std::string_view name, type;
    std::span<std::string const> inputs;
  };

  /// A new file `events.out.tfevents.<seconds>.<host>` in `folder`, which is made. `first_step`: a
  /// run that was resumed goes on from there, and TensorBoard forgets what others wrote from it on;
  /// -1: it begins.
  static Result<EventFile> create(std::filesystem::path const& folder, std::int64_t first_step);

  void scalar(std::string_view tag, std::int64_t step, double value);
  /// In 30 buckets of equal width from the least to the largest value. Values that are not finite
  /// are left out; without any other there is no histogram.
  void histogram(std::string_view tag, std::int64_t step, std::span<double const> values);
  Result<Success> image(std::string_view tag, std::int64_t step, Pixels const& pixels);
  void graph(std::span<Node const> nodes);
  /// For TensorBoard's table of runs; `run` is the name of this one.
  void hyper_parameters(std::string_view run, std::span<HyperParameter const> values);
  Result<Success> flush();

 private:
  EventFile(std::filesystem::path path, std::FILE* file);
  void event(std::int64_t step, std::uint32_t field, ProtobufMessage const& content);
  /// An event of one summary value, which has its tag already.
  void value(std::int64_t step);
  void record(std::string_view bytes);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  double flushed_ = 0;                       ///< seconds since 1970
  ProtobufMessage value_, summary_, event_;  ///< kept for their memory
};

/// CRC-32C (Castagnoli) of `bytes`.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace lbann::runtime
