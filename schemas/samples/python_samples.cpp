// Batches shared out among Python processes, in order whoever makes what.
#include "schemas/samples/python_samples.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>

#include "schemas/samples/python_workers.hpp"

namespace lbann {

namespace {

class PythonSamples final : public Samples {
 public:
  /// `processes`, at least one, of which the first has given this `description`.
  PythonSamples(PythonProgram program, OpenContext const& context, PythonProcesses processes,
                PythonDescription description)
      : program_(std::move(program)), context_(context), description_(std::move(description)) {
    for (auto const& [name, dims] : description_.fields) {
      fields_.push_back({name, dims});
      offsets_.push_back(elements_);
      elements_ += elements_of(dims);
    }
    for (auto& process : processes) workers_.push_back({std::move(process), 0, 0});
  }

  std::int64_t count() const override { return description_.samples; }

  /// Starts the processes that are missing, and hears what the others say of their samples.
  Result<Success> load(bool) override {
    auto const wanted = program_.num_workers - static_cast<std::int64_t>(workers_.size());
    auto started = start_python(program_, context_, wanted);
    if (!started) return started.problem();
    for (auto& process : started.value()) workers_.push_back({std::move(process), 0, 0});
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      auto const described = workers_[i].process->describe();
      if (!described) return described.problem();
      if (description_ != described.value())
        return Problem{"two Python processes that " + program_.import +
                       " say different things of its samples"};
    }
    waiting_.resize(workers_.size());
    return Success{};
  }

  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    FieldColumn const column{field, values};
    return read_batch({&index, 1}, {&column, 1});
  }

  Result<Success> read_batch(std::span<std::int64_t const> indices,
                             std::span<FieldColumn const> columns) const override {
    std::lock_guard const lock(mutex_);
    if (failure_) return *failure_;
    auto done = share_out(indices, columns);
    // What other processes still answer would be taken for something else.
    if (!done) failure_ = done.problem();
    return done;
  }

  bool takes_whole_batches() const override { return true; }

  std::string place(std::int64_t index, std::size_t) const override {
    return "`" + program_.sample(std::to_string(index)) + "`";
  }

 private:
  /// A process and the part of the batch it works on; nothing if `count` is 0.
  struct Worker {
    std::unique_ptr<PythonProcess> process;
    std::size_t begin = 0, count = 0;
  };

  Result<Success> share_out(std::span<std::int64_t const> indices,
                            std::span<FieldColumn const> columns) const {
    auto type = DataType::f32;
    for (auto const& column : columns)
      if (column.first.type != DataType::f32) type = DataType::f64;
    // Small parts, so that no process waits long for the last one.
    auto const part = std::max<std::size_t>(1, indices.size() / (4 * workers_.size()));
    std::size_t next = 0, busy = 0;
    auto const give = [&](Worker& worker) -> Result<Success> {
      auto const most = static_cast<std::size_t>(worker.process->most_samples());
      worker.begin = next;
      worker.count = std::min({part, most, indices.size() - next});
      if (worker.count == 0) return Success{};
      next += worker.count;
      ++busy;
      return worker.process->ask(indices.subspan(worker.begin, worker.count), type);
    };
    for (auto& worker : workers_)
      if (auto given = give(worker); !given) return given;
    while (busy > 0) {
      for (std::size_t i = 0; i < workers_.size(); ++i)
        waiting_[i] = {workers_[i].count > 0 ? workers_[i].process->stream() : -1, POLLIN, 0};
      auto const ready = ::poll(waiting_.data(), waiting_.size(), 200);
      if (ready < 0 && errno != EINTR)
        return Problem{std::string("waiting for Python: poll: ") + std::strerror(errno)};
      for (std::size_t i = 0; i < workers_.size(); ++i) {
        auto& worker = workers_[i];
        if (worker.count == 0) continue;
        if (ready <= 0 || waiting_[i].revents == 0) {
          if (auto good = worker.process->check_time(); !good) return good;
          continue;
        }
        if (auto taken = worker.process->take_answer(); !taken) return taken;
        copy(worker, type, columns);
        --busy;
        if (auto given = give(worker); !given) return given;
      }
    }
    return Success{};
  }

  void copy(Worker const& worker, DataType type, std::span<FieldColumn const> columns) const {
    auto const width = bytes_of(type);
    for (auto const& column : columns)
      for (std::size_t i = 0; i < worker.count; ++i) {
        auto const element = static_cast<std::int64_t>(i) * elements_ + offsets_[column.field];
        auto const* const from =
            worker.process->values() + element * static_cast<std::int64_t>(width);
        auto const values = column.at(static_cast<std::int64_t>(worker.begin + i));
        if (values.type == type) {
          std::memcpy(values.data, from, static_cast<std::size_t>(values.count) * width);
          continue;
        }
        for (std::int64_t k = 0; k < values.count; ++k) {
          double number = 0;  // the wider type
          std::memcpy(&number, from + k * static_cast<std::int64_t>(width), sizeof(number));
          values.set(k, number);
        }
      }
  }

  PythonProgram program_;
  OpenContext context_;
  PythonDescription description_;
  std::int64_t elements_ = 0;  ///< of all fields of a sample
  std::vector<GivenField> fields_;
  std::vector<std::int64_t> offsets_;  ///< per field: its first element in a sample
  mutable std::mutex mutex_;
  mutable std::vector<Worker> workers_;
  mutable std::vector<pollfd> waiting_;
  mutable std::optional<Problem> failure_;
};

}  // namespace

OpenedSamples open_python(Result<PythonProgram> const& program, OpenContext const& context) {
  if (!program) return program.problem();
  // One process tells what there is; the others are started when samples are wanted.
  auto started = context.workers != nullptr ? context.workers->take(program.value())
                                            : start_python(program.value(), context, 1);
  if (!started) return started.problem();
  if (started.value().empty()) return Problem{"no Python process was started: num_workers is 0"};
  auto described = started.value().front()->describe();
  if (!described) return described.problem();
  return opened<PythonSamples>(program.value(), context, std::move(started).value(),
                               std::move(described).value());
}

}  // namespace lbann
