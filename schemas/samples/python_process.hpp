// One Python process that makes samples.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "schemas/processes/child_process.hpp"
#include "schemas/processes/own_file.hpp"
#include "schemas/samples/python_program.hpp"
#include "schemas/vocabulary/data_type.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// What a program says of its samples.
struct PythonDescription {
  std::int64_t samples = 0;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> fields;  ///< with their dims
  friend bool operator==(PythonDescription const&, PythonDescription const&) = default;
};

class PythonProcess {
 public:
  /// Starts the process and does not wait for it; `output` is the file that is its standard output.
  static Result<std::unique_ptr<PythonProcess>> start(PythonProgram const& program,
                                                      std::string const& interpreter, int output);
  ~PythonProcess();
  PythonProcess(PythonProcess const&) = delete;

  /// Waits until the program has described its samples. To be called once, before
  /// the first request.
  Result<PythonDescription> describe();

  /// Samples of one request.
  std::int64_t most_samples() const { return most_samples_; }
  /// Asks for samples, at most `most_samples()`, in f32 or f64. Allocates nothing.
  Result<Success> ask(std::span<std::int64_t const> numbers, DataType type);
  /// Readable once an answer is there.
  int stream() const { return stream_.get(); }
  /// Takes the answer; the samples lie at `values()` then.
  Result<Success> take_answer();
  /// All fields of the samples of the last answer, one sample behind the other.
  std::byte const* values() const;
  /// A problem if the sample in work takes longer than the reader allows.
  Result<Success> check_time();

 private:
  using Clock = std::chrono::steady_clock;
  PythonProcess(PythonProgram const& program, std::string interpreter)
      : program_(program), interpreter_(std::move(interpreter)) {}

  Result<Success> spawn(int output);
  Result<Success> map_memory(PythonDescription const& description);
  /// Reads `count` bytes; a problem if the process ends before or takes too long.
  Result<Success> receive(void* to, std::int64_t count);
  /// Reads an answer: the text it holds, or what went wrong.
  Result<std::string> receive_answer();
  std::int64_t samples_done() const;
  /// `while it made sample 7`, or nothing before the first.
  std::string when() const;
  Problem ended();
  /// Seconds that it may take for what it does now, and the field that says so.
  std::pair<double, char const*> limit() const;
  Problem too_slow() const;

  PythonProgram program_;
  std::string interpreter_;
  ChildProcess process_;
  OwnFile stream_, memory_file_;
  std::byte* memory_ = nullptr;
  std::int64_t memory_size_ = 0, most_samples_ = 0;
  std::vector<std::int64_t> asked_;  ///< samples of the request in work
  std::int64_t seen_done_ = 0;
  Clock::time_point progress_ = Clock::now();  ///< when a sample was last finished
};

}  // namespace lbann
