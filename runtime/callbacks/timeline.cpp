// When this rank worked on what, in LBANN's form: lines `fp-<layer>:<begin>:<end>`.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iterator>

#include "runtime/callbacks/factories.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

/// Bytes of lines that are kept before they are written.
constexpr std::size_t part = std::size_t{1} << 20;

/// LBANN's word for the work of an instruction: on gradients, and on weights if that is one with
/// it; on weights alone; on a layer's outputs.
std::string_view kind_of(Instruction const& instruction, std::vector<Tensor> const& tensors) {
  if (instruction.origin.pass == "derive_backward") return "bp";
  for (auto const output : instruction.outputs)
    if (tensors[output.index()].role == TensorRole::weights) return "opt";
  return "fp";
}

class Timeline final : public Callback {
 public:
  Timeline(callbacks::timeline const& fields, CallbackContext const& run, Span span)
      : run_(run), span_(span) {
    path_ = run.output_folder / fields.directory /
            fmt::format("timeline.m{}.{}.txt", run.trainer, run.executor.rank());
  }

  bool on_every_rank() const override { return true; }
  bool observes_instructions() const override { return true; }

  Result<Success> train_begin() override {
    if (run_.ranks != nullptr) run_.ranks->barrier();
    start_ = Clock::now();
    lines_.reserve(part + 1024);
    std::error_code error;
    std::filesystem::create_directories(path_.parent_path(), error);
    file_.reset(std::fopen(path_.c_str(), run_.resumed ? "ab" : "wb"));
    return file_ == nullptr ? problem() : Result<Success>(Success{});
  }

  void instruction_begin(BoundEntry const&, BoundEntry::Step const&) override {
    began_ = Clock::now();
  }
  void instruction_end(BoundEntry const& entry, BoundEntry::Step const& step) override {
    if (step.kind != BoundEntry::Kind::compute) return;
    auto const& instruction = entry.entry->instructions[step.instruction];
    if (instruction.origin.name.empty()) return;  // counters of steps and the like
    fmt::format_to(std::back_inserter(lines_), "{}-{}:{:.9f}:{:.9f}\n",
                   kind_of(instruction, run_.executor.program().tensors), instruction.origin.name,
                   seconds(began_), seconds(Clock::now()));
    if (lines_.size() >= part) write();
  }

  Result<Success> phase_end(PhaseResult const&) override {
    write();
    return good_ && std::fflush(file_.get()) == 0 ? Result<Success>(Success{}) : problem();
  }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds(Clock::time_point at) const {
    return std::chrono::duration<double>(at - start_).count();
  }
  void write() {
    good_ = good_ && std::fwrite(lines_.data(), 1, lines_.size(), file_.get()) == lines_.size();
    lines_.clear();
  }
  Result<Success> problem() const {
    return Problem{
        located(run_.plan.sources, span_, path_.string() + ": the file cannot be written")};
  }

  CallbackContext const& run_;
  Span span_;
  std::filesystem::path path_;
  Clock::time_point start_, began_;
  std::string lines_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};
  bool good_ = true;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::timeline const& fields, CallbackContext const& run,
                                      Span span) {
  return std::make_unique<Timeline>(fields, run, span);
}

}  // namespace lbann::runtime
