// Blocks of samples over ranks, and their rows in order.
#include "runtime/prediction/predict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/communication/agreement.hpp"
#include "runtime/communication/watchdog.hpp"
#include "runtime/data/batch_stream.hpp"
#include "runtime/data/decode_image.hpp"
#include "runtime/execution/cores.hpp"
#include "runtime/execution/start_device.hpp"
#include "runtime/execution/threads.hpp"
#include "runtime/observation/log.hpp"
#include "runtime/prediction/predictor.hpp"
#include "runtime/prediction/row_file.hpp"
#include "runtime/process/crash_handler.hpp"
#include "runtime/process/exit_code.hpp"
#include "runtime/process/fail.hpp"
#include "runtime/process/signals.hpp"
#include "schemas/plan/digest.hpp"
#include "schemas/transforms/apply_transforms.hpp"

namespace lbann::runtime {

namespace {

/// Names of the transforms of a prediction that draw at random.
std::vector<std::string> random_transforms(DataSource const& source) {
  std::vector<std::string> names;
  for (auto const& applied : source.transforms) {
    if (applied.phase && *applied.phase != ExecutionMode::testing) continue;
    auto const transform = transform_of(applied.transform.record);
    if (transform && is_random(*transform)) names.push_back(applied.transform.record.type);
  }
  return names;
}

/// Numbers that are not finite, for a warning.
class NotFinite {
 public:
  void look_at(SampleField const& column, std::span<std::byte const> values, std::int64_t first) {
    auto const width = bytes_of(column.type);
    for (std::size_t i = 0; i * width < values.size(); ++i) {
      auto const* const at = values.data() + i * width;
      if (column.type == DataType::f64 ? is_finite<double>(at) : is_finite<float>(at)) continue;
      if (count_++ > 0) continue;
      first_ = fmt::format("the first is of `{}`, sample {}", column.name,
                           first + static_cast<std::int64_t>(i) / column.elements());
    }
  }
  std::int64_t count() const { return count_; }
  std::string const& first() const { return first_; }

 private:
  template <class T>
  static bool is_finite(std::byte const* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return std::isfinite(value);
  }

  std::int64_t count_ = 0;
  std::string first_;
};

/// The samples of one rank: every `ranks`th block.
struct Share {
  std::int64_t samples = 0, block = 1, rank = 0, ranks = 1;

  std::int64_t blocks() const { return (samples + block - 1) / block; }
  std::int64_t rounds() const { return (blocks() + ranks - 1) / ranks; }
  /// Of `of_rank` in round `round`; none if 0.
  std::int64_t first(std::int64_t round, std::int64_t of_rank) const {
    return std::min(samples, (round * ranks + of_rank) * block);
  }
  std::int64_t count(std::int64_t round, std::int64_t of_rank) const {
    return std::min(block, samples - first(round, of_rank));
  }
};

class Prediction {
 public:
  Prediction(PreparedPrediction const& prepared, Communicator& world, Share share,
             Predictor& predictor, BatchStream* stream)
      : prepared_(prepared),
        world_(world),
        share_(share),
        predictor_(predictor),
        stream_(stream),
        columns_(prepared.predictions()) {}

  std::vector<SampleField> const& columns() const { return columns_; }
  NotFinite const& not_finite() const { return not_finite_; }

  /// The signal that some rank has got, 0 if none. `file` is null but on rank 0.
  Result<int> run(RowFile* file) {
    SignalWatch const signals;
    for (std::int64_t round = 0; round < share_.rounds(); ++round) {
      auto done = compute(round);
      // Failures, then each signal by how many ranks have got it.
      constexpr std::array<int, 3> heeded = {SIGINT, SIGTERM, SIGUSR1};
      std::array<std::int64_t, 4> words{done ? 0 : 1};
      for (std::size_t i = 0; i < heeded.size(); ++i)
        words[i + 1] = SignalWatch::received() == heeded[i] ? 1 : 0;
      world_.all_reduce(words.data(), static_cast<std::int64_t>(words.size()), DataType::i64);
      if (words[0] > 0) return agree_on_status(world_, std::move(done)).problem();
      for (std::size_t i = 0; i < heeded.size(); ++i)
        if (words[i + 1] > 0) return heeded[i];
      done = collect(round, file);
      if (auto agreed = agree_on_status(world_, std::move(done)); !agreed) return agreed.problem();
    }
    return 0;
  }

 private:
  Result<Success> compute(std::int64_t round) {
    auto const samples = share_.count(round, share_.rank);
    if (samples == 0) return Success{};
    if (stream_ != nullptr) {
      auto const batch = stream_->next();
      if (!batch) return batch.problem();
      auto const& fields = prepared_.plan.data.front().fields;
      auto const bytes = stream_->field_bytes();
      for (std::size_t i = 0; i < fields.size(); ++i)
        if (auto* const to = predictor_.input(fields[i]))
          std::memcpy(to, batch.value()->fields[i], static_cast<std::size_t>(bytes[i] * samples));
    }
    return predictor_.run(samples, share_.first(round, share_.rank));
  }

  /// Collective.
  Result<Success> collect(std::int64_t round, RowFile* file) {
    auto const own = share_.count(round, share_.rank);
    std::vector<std::vector<std::vector<std::byte>>> parts;  // per column and rank
    for (std::size_t i = 0; i < columns_.size(); ++i)
      parts.push_back(
          world_.gather(own > 0 ? predictor_.output(i, own) : std::span<std::byte const>()));
    if (file == nullptr) return Success{};
    for (std::int64_t rank = 0; rank < share_.ranks; ++rank) {
      auto const samples = share_.count(round, rank);
      if (samples == 0) break;
      std::vector<std::span<std::byte const>> values;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        values.emplace_back(parts[i][static_cast<std::size_t>(rank)]);
        not_finite_.look_at(columns_[i], values.back(), share_.first(round, rank));
      }
      if (auto done = file->add(samples, values); !done) return done;
    }
    return Success{};
  }

  PreparedPrediction const& prepared_;
  Communicator& world_;
  Share share_;
  Predictor& predictor_;
  BatchStream* stream_;
  std::vector<SampleField> columns_;
  NotFinite not_finite_;
};

/// All samples of the reader in their order.
Result<Split> open_samples_in_order(PreparedPrediction& prepared, OpenContext const& context,
                                    bool checks_all) {
  auto splits = open_splits(prepared.plan, context, checks_all);
  if (!splits) return splits.problem();
  auto split = std::move(splits.value().front());
  split.shuffle = false;
  std::ranges::sort(split.indices);
  return split;
}

/// The part of `all` that is of this rank.
Split own_blocks(Split all, Share const& share) {
  std::vector<std::int64_t> own;
  for (std::int64_t round = 0; round < share.rounds(); ++round) {
    auto const begin = all.indices.begin() + share.first(round, share.rank);
    own.insert(own.end(), begin, begin + share.count(round, share.rank));
  }
  all.indices = std::move(own);
  return all;
}

}  // namespace

OpenContext prediction_context(RunOptions const& run, PreparedPrediction const* prepared) {
  OpenContext context{{run.data_root.string()}, run.python};
  context.decode_image = decode_image;
  if (prepared == nullptr || prepared->plan.data.empty()) return context;
  context.wanted.emplace();
  for (auto const& field : prepared->plan.data.front().fields)
    context.wanted->push_back({field.name, field.dims});
  return context;
}

int predict(RunOptions const& run, PredictionOptions const& options, Communicator& world,
            Result<PreparedPrediction> prepared) {
  if (auto agreed = agree_on_status(world, prepared); !agreed)
    return fail(agreed.problem(), exit_file);
  auto& found = prepared.value();
  auto const same = same_everywhere(world, digest(encode(found.plan)), "reads another plan",
                                    "let all ranks see the same file");
  if (!same) return fail(same.problem(), exit_file);
  bool const is_root = world.rank() == 0;
  Log log(!run.quiet && is_root ? stdout : nullptr);
  install_crash_handler(world.rank(), world.size(), &Watchdog::announce_exit);
  Watchdog const watchdog(world, run.stall_timeout, [] { return SignalWatch::received() != 0; });
  auto const chosen = choose_threads(world, run.binding, run.threads, run.io_threads);
  auto const threads = start_threads(chosen);
  if (auto agreed = agree_on_status(world, threads); !agreed)
    return fail(agreed.problem(), exit_failed);

  auto context = prediction_context(run, &found);
  context.workers = found.python ? &*found.python : nullptr;
  auto all = open_samples_in_order(found, context, is_root);
  if (auto agreed = agree_on_status(world, all); !agreed) return fail(agreed.problem(), exit_file);
  Share share{static_cast<std::int64_t>(all.value().indices.size()), 1, world.rank(), world.size()};
  share.block = std::min(found.plan.micro_batch_size(), share.samples);

  auto predictor = Predictor::create(found, {run.selection, share.block, weights_to_load(run)});
  if (auto agreed = agree_on_status(world, predictor); !agreed)
    return fail(agreed.problem(), exit_file);
  Result<std::unique_ptr<BatchStream>> stream = std::unique_ptr<BatchStream>();
  auto own = own_blocks(std::move(all).value(), share);
  if (!own.indices.empty() && !own.fields.empty()) {
    BatchStream::Options reading;
    reading.mini_batch = share.block;
    reading.seed = found.plan.random_seed;
    reading.threads = chosen.io;
    stream = BatchStream::open(found.plan, std::move(own), reading);
    if (stream) stream.value()->start_epoch(0);
  }
  if (auto agreed = agree_on_status(world, stream); !agreed)
    return fail(agreed.problem(), exit_file);

  Prediction prediction(found, world, share, *predictor.value(), stream.value().get());
  Result<std::unique_ptr<RowFile>> file = std::unique_ptr<RowFile>();
  if (is_root) file = RowFile::create(options.out, prediction.columns(), share.samples);
  if (auto agreed = agree_on_status(world, file); !agreed) return fail(agreed.problem(), exit_file);
  log.line(chosen.line());
  if (auto const line = device_line(); !line.empty()) log.line(line);
  for (auto const& path : predictor.value()->loaded()) log.line(line_of(path));
  auto const& source = found.plan.data.front();
  log.line(fmt::format("predict : {} samples of reader `{}` (role {}), outputs {}", share.samples,
                       source.reader.record.type, reader_role(found.role),
                       words(prediction.columns())));

  if (auto const random = random_transforms(source); !random.empty())
    log.line(
        fmt::format("warning: samples are changed at random (`{}`) before they are predicted; "
                    "a reader with `role: predict` and other transforms gives them unchanged",
                    fmt::join(random, "`, `")));

  auto const ended = prediction.run(file.value().get());
  if (!ended) return fail(ended.problem(), exit_file);
  if (ended.value() != 0) {
    log.line(fmt::format("ended early by signal {}: {} is not written",
                         name_of_signal(ended.value()), options.out.string()));
    return exit_code_of_signal(ended.value());
  }
  Result<Success> written = is_root ? file.value()->finish() : Result<Success>(Success{});
  if (auto agreed = agree_on_status(world, std::move(written)); !agreed)
    return fail(agreed.problem(), exit_file);
  if (auto const& broken = prediction.not_finite(); broken.count() > 0)
    log.line(fmt::format("warning: {} of the numbers predicted are not finite, {}", broken.count(),
                         broken.first()));
  log.line(fmt::format("predictions written to {}", options.out.string()));
  return exit_good;
}

}  // namespace lbann::runtime
