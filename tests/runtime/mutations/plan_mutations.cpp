// Plans changed at random, with digests that fit: each is refused in words, or runs two steps.
//
//     plan_mutations PLAN... -- COUNT [FIRST]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "kernels/compute_threads.hpp"
#include "runtime/callbacks/make_callback.hpp"
#include "runtime/callbacks/schedule_log.hpp"
#include "runtime/checkpoints/initial_values.hpp"
#include "runtime/observation/finite_check.hpp"
#include "runtime/training/feeds.hpp"
#include "runtime/training/sgd.hpp"
#include "schemas/plan/header.hpp"
#include "schemas/reports/flops.hpp"
#include "schemas/specialization/specialize.hpp"
#include "tests/runtime/mutations/plan_mutator.hpp"
#include "tests/runtime/regression.hpp"

using namespace lbann;
using namespace lbann::runtime;
using lbann::testing::Choices;

namespace {

/// Of what is run; larger plans are refused by the machine, not by the loader.
constexpr std::int64_t most_bytes = 1 << 26, most_flops = 100'000'000, most_samples = 100'000;

class Examiner {
 public:
  explicit Examiner(std::vector<std::string> const& paths) {
    for (auto const& path : paths) {
      auto plan = lbann::read_plan(path);
      if (!plan) {
        std::fprintf(stderr, "%s\n", plan.problem().message.c_str());
        std::exit(1);
      }
      plans_.push_back(std::move(plan).value());
    }
  }

  void run(std::uint64_t number) {
    Choices choices(number);
    auto plan = choices.of(plans_);
    std::string wrong;
    try {
      if (choices.one_in(5))
        wrong = examine(changed_bytes(plan, choices));
      else {
        testing::mutate(plan, choices);
        wrong = examine(encode(plan));
      }
    } catch (std::exception const& thrown) {
      wrong = std::string("an exception: ") + thrown.what();
    }
    if (wrong.empty()) return;
    ++wrong_;
    std::printf("case %llu: %s\n", static_cast<unsigned long long>(number), wrong.c_str());
  }

  int result() const {
    for (auto const& [outcome, count] : outcomes_) std::printf("%6zu %s\n", count, outcome.c_str());
    std::printf("%zu plans, %zu wrong\n", plans_.size(), wrong_);
    return wrong_ > 0 || plans_.empty() ? 1 : 0;
  }

 private:
  /// A number of the body changed where it stands.
  static std::vector<std::uint8_t> changed_bytes(Plan const& plan, Choices& choices) {
    auto bytes = encode(plan);
    for (std::size_t changes = 1 + choices.below(3); changes > 0; --changes) {
      auto const size = std::size_t{1} << choices.below(4);
      auto const places = (bytes.size() - plan_header_bytes) / size;
      auto const place = plan_header_bytes + choices.below(places) * size;
      auto const number = static_cast<std::uint64_t>(choices.of(testing::edge_integers()));
      for (std::size_t i = 0; i < size; ++i)
        bytes[place + i] = static_cast<std::uint8_t>(number >> (8 * i));
    }
    write_header(bytes);
    return bytes;
  }

  std::string ended(std::string const& outcome) {
    ++outcomes_[outcome];
    return {};
  }
  /// A message is the way to end; the lack of one is a fault.
  std::string refused(std::string const& where, Problem const& problem) {
    if (std::getenv("LBANN_SHOW_MUTATED") != nullptr)
      std::printf("%s: %s\n", where.c_str(), problem.message.c_str());
    return problem.message.empty() ? "no message from " + where : ended("refused by " + where);
  }

  std::string examine(std::vector<std::uint8_t> const& bytes) {
    auto const plan = decode(bytes);
    if (!plan) {
      if (plan.problem().message.find("compile the experiment again") == std::string::npos)
        return "no remedy: " + plan.problem().message;
      return refused("loading", plan.problem());
    }
    if (encode(plan.value()) != bytes) return "it is not encoded as it was";
    return prepare(plan.value());
  }

  std::string prepare(Plan const& plan) {
    if (!plan.unimplemented.empty()) return ended("not supported yet");
    for (std::int64_t const ranks : {1, 3}) {
      Placement placement;
      placement.mini_batch = plan.mini_batch_size;
      if (ranks > 1) placement.mesh = {{"data", ranks}};
      placement.rank = ranks - 1;
      auto const program = specialize(plan, placement);
      if (!program) return refused("specialization", program.problem());
      std::int64_t bytes = 0;
      for (auto const arena : program.value().arena_bytes) bytes += std::min(arena, most_bytes);
      if (bytes > most_bytes) return ended("too large");
      for (auto const& flops : report_flops(program.value()))
        if (flops.total > most_flops) return ended("too much to compute");
    }
    for (auto const& source : plan.data)
      for (auto const& [field, value] : source.reader.record.fields)
        if (auto const* samples = std::get_if<std::int64_t>(&value);
            samples != nullptr && field == "num_samples" && *samples > most_samples)
          return ended("too many samples");
    return train(plan);
  }

  std::string train(Plan const& plan) {
    test::ScratchFolder const folder;
    auto feeds = open_feeds(plan, {folder.path(), 1, plan.random_seed, 0, 1, nullptr});
    if (!feeds) return refused("readers", feeds.problem());
    auto const executor =
        Executor::create(plan, feeds.value().sizes.largest_micro_batch(), kernels::Selection::best);
    if (!executor) return refused("the executor", executor.problem());
    Log log(nullptr);
    CallbackContext const view{plan, *executor.value(), log, feeds.value().sizes, folder.path()};
    Callbacks callbacks;
    for (auto const& declared : plan.callbacks)
      if (auto added = add_declared(declared, view, callbacks); !added)
        return refused("a callback", added.problem());
    if (auto schedules = schedule_log(view)) callbacks.add(std::move(schedules), "schedules");
    FiniteCheck finite(plan);
    SgdOptions options;
    options.step_limit = 2;
    options.seed = plan.random_seed;
    options.finite = callbacks.wants_finite_check() ? &finite : nullptr;
    Sgd sgd(view, *executor.value(), callbacks, feeds.value().phases, options);
    if (auto const prepared = sgd.prepare(); !prepared)
      return refused("preparation", prepared.problem());
    sgd.initialize();
    if (auto const loaded = load_initial_values(plan, *executor.value(), folder.path().string());
        !loaded)
      return refused("initial values", loaded.problem());
    auto const ending = sgd.train();
    return ending ? ended("trained") : refused("training", ending.problem());
  }

  std::vector<Plan> plans_;
  std::map<std::string, std::size_t> outcomes_;
  std::size_t wrong_ = 0;
  kernels::ComputeThreads const threads_{1, kernels::WaitPolicy::passive};
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  int used = 1;
  while (used < argc && std::string_view(argv[used]) != "--") paths.emplace_back(argv[used++]);
  auto const cases = testing::cases_of(argc, argv, used);
  Examiner examiner(paths);
  testing::run_cases(cases, [&](std::uint64_t number) { examiner.run(number); });
  return examiner.result();
}
