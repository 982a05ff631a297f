// Gathers what a checkpoint holds beside state tensors, and decides what a failure means.
#include "runtime/training/checkpointing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/checkpoints/checkpoint_folder.hpp"
#include "runtime/communication/agreement.hpp"
#include "runtime/process/position.hpp"

namespace lbann::runtime {

namespace {

/// The process's position while one exists, for messages of ranks that wait.
struct Placed {
  explicit Placed(char const* description) { position().store(description); }
  ~Placed() { position().store(nullptr); }
  Placed(Placed const&) = delete;
};

/// Texts as bytes, each with its length.
std::vector<std::byte> pack(std::vector<NamedState> const& states) {
  std::vector<std::byte> bytes;
  auto const add = [&](std::string const& text) {
    std::uint64_t const size = text.size();
    auto const* const length = reinterpret_cast<std::byte const*>(&size);
    bytes.insert(bytes.end(), length, length + sizeof size);
    auto const* const begin = reinterpret_cast<std::byte const*>(text.data());
    bytes.insert(bytes.end(), begin, begin + text.size());
  };
  for (auto const& state : states) {
    add(state.callback);
    add(state.state);
  }
  return bytes;
}

std::vector<NamedState> unpack(std::span<std::byte const> bytes) {
  auto const take = [&] {
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    std::string text(reinterpret_cast<char const*>(bytes.data() + sizeof size), size);
    bytes = bytes.subspan(sizeof size + size);
    return text;
  };
  std::vector<NamedState> states;
  while (!bytes.empty()) {
    auto name = take();
    states.push_back({std::move(name), take()});
  }
  return states;
}

}  // namespace

Checkpointing::Checkpointing(CallbackContext const& run, Executor const& executor,
                             Callbacks& callbacks, Options options)
    : run_(run),
      executor_(executor),
      callbacks_(callbacks),
      options_(std::move(options)),
      writer_(run.plan, executor, run.ranks, options_.places, options_.keep) {}

bool Checkpointing::periodic() const {
  auto const& interval = options_.interval;
  return interval.steps > 0 || interval.epochs > 0 || interval.seconds > 0;
}

bool Checkpointing::due_after_step(std::int64_t steps) const {
  auto const& interval = options_.interval;
  if (interval.steps > 0 && steps % interval.steps == 0) return true;
  return interval.seconds > 0 &&
         std::chrono::duration<double>(Clock::now() - last_).count() >= interval.seconds;
}

bool Checkpointing::due_after_epoch(std::int64_t epochs) const {
  return options_.interval.epochs > 0 && epochs % options_.interval.epochs == 0;
}

std::map<std::string, double> Checkpointing::learning_rates() const {
  std::map<std::string, double> rates;
  for (auto const& weights : run_.plan.weights) {
    if (!weights.learning_rate.valid()) continue;
    if (auto const* const rate = executor_.scalar_or_null<double>(weights.learning_rate))
      rates[run_.plan.program[weights.learning_rate].name] = *rate;
  }
  return rates;
}

std::vector<StateArray> Checkpointing::arrays() const {
  auto all = state_arrays(run_.plan, executor_);
  for (auto& array : callbacks_.state_arrays()) {
    array.begin = state_bytes(all);
    all.push_back(std::move(array));
  }
  return all;
}

std::vector<CallbackState> Checkpointing::gather_states(std::vector<NamedState> const& own) const {
  std::vector<std::vector<std::byte>> all = {pack(own)};
  if (executor_.ranks() > 1) all = run_.ranks->gather(all.front());
  std::vector<CallbackState> merged;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (auto& state : unpack(all[rank])) {
      auto found = std::ranges::find(merged, state.callback, &CallbackState::callback);
      if (found == merged.end())
        found = merged.insert(merged.end(), {state.callback, std::vector<std::string>(all.size())});
      found->ranks[rank] = std::move(state.state);
    }
  return merged;
}

bool Checkpointing::has_older() const {
  bool found = false;
  if (executor_.rank() == 0) {
    auto paths = list_checkpoints(options_.places.folder);
    paths.insert(paths.end(), options_.candidates.begin(), options_.candidates.end());
    // A run whose own folder is gone cannot be gone on with.
    std::error_code error;
    found = std::filesystem::exists(options_.places.plan_file, error) &&
            std::ranges::any_of(paths, looks_whole);
  }
  return executor_.ranks() == 1 ? found
                                : !broadcast_text(*run_.ranks, found ? "older" : "").empty();
}

void Checkpointing::warn(std::string const& warning) const {
  if (executor_.rank() == 0)
    run_.log.line(warning);
  else
    std::fprintf(stderr, "lbann-run: %s\n", warning.c_str());  // only the root has a log
}

void Checkpointing::judge(Result<Success> const& saved, Saving saving) {
  if (saved) return;
  auto const& message = saved.problem().message;
  bool const stops = options_.on_failure == callbacks::OnFailure::stop;
  if ((stops || saving == Saving::at_signal) && !has_older()) {
    problem_ = Problem{message.empty() ? "" : "no checkpoint can be written: " + message};
    return;
  }
  // On ranks other than the one with the problem the message is empty.
  if (!message.empty())
    warn("warning: a checkpoint could not be written, training goes on: " + message);
}

void Checkpointing::judge_local() {
  auto const problem = writer_.take_local_problem();
  if (problem && !problem->message.empty())
    warn("warning: the checkpoint is written without the local folder: " + problem->message);
}

void Checkpointing::finish(Saving saving) {
  auto const path = writer_.finish();
  judge_local();
  if (!path) return judge(path.problem(), saving);
  note_written(path.value());
}

void Checkpointing::note_written(std::filesystem::path const& path) {
  last_position_ = begun_position_;
  run_.log.note("checkpoint written: " + path.string());
}

void Checkpointing::save(TrainingPosition const& at, Saving saving, bool states_kept) {
  Placed const placed("the writing of a checkpoint");
  if (problem_) return;
  if (writer_.begun()) {
    if (saving == Saving::in_background) return;
    finish(saving);
  }
  if (problem_ || (at.steps == last_position_.steps &&
                   at.validation_pending == last_position_.validation_pending))
    return;
  Manifest manifest;
  manifest.position = at;
  manifest.initial_learning_rates = initial_rates_;
  manifest.callbacks = gather_states(states_kept ? kept_ : callbacks_.states());
  last_ = Clock::now();
  begun_position_ = at;
  if (auto begun = writer_.begin(std::move(manifest), arrays()); !begun)
    judge(begun, saving);
  else if (saving != Saving::in_background)
    finish(saving);
}

void Checkpointing::advance(bool any_busy) {
  if (!writer_.begun() || any_busy) return;
  Placed const placed("the end of a checkpoint");
  auto const path = writer_.advance();
  judge_local();
  if (!path)
    judge(path.problem(), Saving::in_background);
  else if (path.value())
    note_written(*path.value());
}

void Checkpointing::apply_changed_rates(Manifest const& manifest) {
  for (auto const& weights : run_.plan.weights) {
    if (!weights.learning_rate.valid()) continue;
    auto const& name = run_.plan.program[weights.learning_rate].name;
    auto const saved = manifest.initial_learning_rates.find(name);
    auto const now = initial_rates_.find(name);
    if (saved == manifest.initial_learning_rates.end() || now == initial_rates_.end() ||
        saved->second == now->second)
      continue;
    auto& rate = executor_.scalar<double>(weights.learning_rate);
    if (rate == now->second) continue;  // weights that share it
    run_.log.line(fmt::format("learning rate of `{}` is {:g} from here on, {:g} when it was saved",
                              weights.name, now->second, rate));
    rate = now->second;
  }
}

Result<TrainingPosition> Checkpointing::restore_from(std::filesystem::path const& candidate) {
  auto manifest = read_manifest(candidate);
  Result<Success> loaded = Success{};
  if (!manifest)
    loaded = manifest.problem();
  else
    loaded = load_state(candidate, manifest.value(), arrays());
  if (run_.ranks != nullptr) loaded = agree_on_status(*run_.ranks, std::move(loaded));
  if (!loaded) return loaded.problem();
  put_state(run_.plan, executor_);
  apply_changed_rates(manifest.value());
  auto restored = callbacks_.restore(manifest.value().callbacks, manifest.value().ranks, run_);
  if (run_.ranks != nullptr) restored = agree_on_status(*run_.ranks, std::move(restored));
  if (!restored) return restored.problem();
  return manifest.value().position;
}

void Checkpointing::replace_newer(std::int64_t steps) {
  std::vector<std::filesystem::path> newer;
  auto const here = options_.places.folder / checkpoint_name(steps);
  for (auto& path : list_checkpoints(options_.places.folder)) {
    if (path.filename() == here.filename()) break;
    run_.log.line("the next checkpoint replaces " + path.string());
    newer.push_back(std::move(path));
  }
  if (executor_.rank() == 0) writer_.replace(std::move(newer));
}

Result<TrainingPosition> Checkpointing::restore() {
  Placed const placed("the reading of a checkpoint");
  std::string problems;
  for (auto const& candidate : options_.candidates) {
    auto position = restore_from(candidate);
    if (position) {
      auto const& at = position.value();
      last_position_ = at;
      run_.log.line(fmt::format("resumed from {}: {} steps, {} epochs done", candidate.string(),
                                at.steps, at.epochs));
      replace_newer(at.steps);
      return position;
    }
    // Empty where another rank has the problem.
    if (!position.problem().message.empty()) {
      run_.log.line("warning: " + position.problem().message);
      problems += (problems.empty() ? "" : "; ") + position.problem().message;
    }
  }
  return Problem{executor_.rank() == 0 ? "no sound checkpoint to resume from: " + problems : ""};
}

void Checkpointing::remember_rates() { initial_rates_ = learning_rates(); }

}  // namespace lbann::runtime
