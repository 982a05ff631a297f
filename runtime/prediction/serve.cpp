// Lines in, lines out.
#include "runtime/prediction/serve.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/communication/communicator.hpp"
#include "runtime/execution/cores.hpp"
#include "runtime/execution/threads.hpp"
#include "runtime/observation/log.hpp"
#include "runtime/prediction/json_samples.hpp"
#include "runtime/prediction/predictor.hpp"
#include "runtime/process/crash_handler.hpp"
#include "runtime/process/exit_code.hpp"
#include "runtime/process/fail.hpp"
#include "runtime/process/signals.hpp"

namespace lbann::runtime {

namespace {

/// Samples computed at once, at most.
constexpr std::int64_t largest_block = 64;
/// Bytes of a line, at most: without a limit a stream that has no lines could fill all memory.
constexpr std::size_t longest_line = std::size_t{1} << 28;

/// Lines of standard input, until it ends or a signal arrives.
class Lines {
 public:
  enum class Next : std::uint8_t { line, too_long, end, signal, failed };

  /// `line` is valid until the next call.
  Next next(std::string_view& line) {
    text_.erase(0, taken_);
    taken_ = 0;
    std::size_t searched = 0;
    while (true) {
      if (auto const end = text_.find('\n', searched); end != text_.npos) {
        line = std::string_view(text_).substr(0, end);
        taken_ = end + 1;
        return std::exchange(skips_, false) ? Next::too_long : Next::line;
      }
      searched = text_.size();
      if (searched > longest_line) {
        skips_ = true;
        text_.clear();
        searched = 0;
      }
      if (ended_) {
        if (text_.empty() && !skips_) return Next::end;
        line = text_;
        taken_ = text_.size();
        return std::exchange(skips_, false) ? Next::too_long : Next::line;
      }
      if (auto const stopped = read_more()) return *stopped;
    }
  }

 private:
  std::optional<Next> read_more() {
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    // A signal before `poll` would not interrupt it.
    while (::poll(&waiting, 1, 100) <= 0)
      if (SignalWatch::received() != 0) return Next::signal;
    if (SignalWatch::received() != 0) return Next::signal;
    auto const before = text_.size();
    text_.resize(before + (std::size_t{1} << 16));
    auto const count = ::read(STDIN_FILENO, text_.data() + before, text_.size() - before);
    text_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && errno != EINTR && errno != EAGAIN) return Next::failed;
    ended_ = count == 0;
    return std::nullopt;
  }

  std::string text_;
  std::size_t taken_ = 0;
  bool ended_ = false, skips_ = false;
};

/// Writes all of `text` at once; false: nobody reads it any more, or it cannot be written (errno).
bool write_out(std::string_view text) {
  while (!text.empty()) {
    auto const put = ::write(STDOUT_FILENO, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

class Server {
 public:
  Server(PreparedPrediction const& prepared, Predictor& predictor)
      : predictor_(predictor), fields_(prepared.inputs()), outputs_(prepared.predictions()) {
    if (!prepared.plan.data.empty()) inputs_ = prepared.plan.data.front().fields;
  }

  std::string answer(std::string_view line) {
    auto const request = parse_request(line, fields_);
    if (!request) return error_text(request.problem().message);
    auto const predicted = predict(request.value());
    if (!predicted) return error_text(predicted.problem().message);
    return answer_text(outputs_, predicted.value(), request.value().samples);
  }

  std::string description() const {
    return "serve : samples with " + words(fields_) + " are answered by " + words(outputs_);
  }

 private:
  using Values = std::vector<std::vector<std::byte>>;

  Result<Values> predict(JsonRequest const& request) {
    Values values(outputs_.size());
    for (std::int64_t first = 0; first < request.samples; first += predictor_.most_samples()) {
      auto const count = std::min(predictor_.most_samples(), request.samples - first);
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        auto const bytes = fields_[i].bytes();
        auto* const to = predictor_.input(inputs_[i]);
        if (to != nullptr)
          std::memcpy(to, request.values[i].data() + static_cast<std::size_t>(first) * bytes,
                      static_cast<std::size_t>(count) * bytes);
      }
      if (auto done = predictor_.run(count, first); !done) return done.problem();
      for (std::size_t i = 0; i < outputs_.size(); ++i) {
        auto const output = predictor_.output(i, count);
        values[i].insert(values[i].end(), output.begin(), output.end());
      }
    }
    return values;
  }

  Predictor& predictor_;
  std::vector<DataField> inputs_;
  std::vector<SampleField> fields_, outputs_;
};

}  // namespace

int serve(RunOptions const& run, Result<PreparedPrediction> prepared) {
  if (!prepared) return fail(prepared.problem(), exit_file);
  Log log(run.quiet ? nullptr : stderr);
  install_crash_handler(0, 1, nullptr);
  auto const alone = single_process();
  auto const chosen = choose_threads(*alone, run.binding, run.threads, run.io_threads);
  auto const threads = start_threads(chosen);
  if (!threads) return fail(threads.problem(), exit_failed);
  auto predictor = Predictor::create(
      prepared.value(),
      {run.selection, std::min(largest_block, prepared.value().plan.micro_batch_size()),
       weights_to_load(run)});
  if (!predictor) return fail(predictor.problem(), exit_file);
  Server server(prepared.value(), *predictor.value());
  for (auto const& path : predictor.value()->loaded()) log.line(line_of(path));
  log.line(server.description());

  SignalWatch const signals;
  Lines lines;
  while (true) {
    std::string_view line;
    switch (lines.next(line)) {
      case Lines::Next::end:
        return exit_good;
      case Lines::Next::signal:
        log.line(fmt::format("ended by {}", name_of_signal(SignalWatch::received())));
        return exit_code_of_signal(SignalWatch::received());
      case Lines::Next::failed:
        return fail(Problem{std::string("standard input cannot be read: ") + std::strerror(errno)},
                    exit_file);
      case Lines::Next::too_long:
        if (!write_out(error_text(fmt::format("the line is longer than {} bytes", longest_line)) +
                       '\n'))
          break;
        continue;
      case Lines::Next::line:
        if (line.find_first_not_of(" \t\r") == line.npos) continue;
        if (!write_out(server.answer(line) + '\n')) break;
        continue;
    }
    if (errno == EPIPE) return exit_good;  // whoever asked has gone
    return fail(Problem{std::string("answers cannot be written: ") + std::strerror(errno)},
                exit_file);
  }
}

}  // namespace lbann::runtime
