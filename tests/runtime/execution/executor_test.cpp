// Bound entry points compute what the program says; what cannot be bound is told with its line.
#include "runtime/execution/executor.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "runtime/communication/dry_run.hpp"
#include "tests/runtime/regression.hpp"
#include "tests/support/batch_split.hpp"

using namespace lbann;
using namespace lbann::runtime;

namespace {

std::unique_ptr<Executor> executor_of(Plan const& plan) {
  auto executor = Executor::create(plan, plan.mini_batch_size, kernels::Selection::best);
  REQUIRE(executor.good());
  return std::move(executor).value();
}

TensorId tensor_of(Executor const& executor, std::string_view name) {
  auto const& tensors = executor.program().tensors;
  auto const found = std::ranges::find(tensors, name, &Tensor::name);
  REQUIRE(found != tensors.end());
  return TensorId(static_cast<std::size_t>(found - tensors.begin()));
}

/// A wide layer [batch, 512] to [batch, 256] whose outputs are made zero.
Plan wide_plan() {
  auto program = parse_program(
      "tensor x: input f32 [batch, 512]\ntensor w: weights f32 [256, 512]\n"
      "tensor w/gradient: gradient f32 [256, 512] of w\ntensor y: activation f32 [batch, 256]\n"
      "entry initialize:\n"
      "  w = map() {expression: (1), shape: [256, 512], types: [f32]}\n"
      "entry train:\n"
      "  y = matmul(x, w) {transpose_b: true}\n"
      "  w/gradient = matmul(y, x) {transpose_a: true}\n"
      "  w/gradient = all_reduce(w/gradient) {mesh_axes: [data]}\n"
      "  w = map(w, w/gradient) {expression: (subtract(i0, i1)), shape: [256, 512], types: "
      "[f32]}\n");
  REQUIRE(program.good());
  Plan plan;
  plan.program = lbann::tests::with_batch_split(std::move(program).value());
  plan.mini_batch_size = 6;
  return plan;
}

/// Ranks of one node that cannot see one another's memory.
class WithoutMemory final : public Communicator {
 public:
  explicit WithoutMemory(std::unique_ptr<Communicator> ranks) : ranks_(std::move(ranks)) {}
  std::int64_t rank() const override { return ranks_->rank(); }
  std::int64_t size() const override { return ranks_->size(); }
  void all_reduce(void* data, std::int64_t count, DataType type) override {
    ranks_->all_reduce(data, count, type);
  }
  void broadcast(std::span<std::byte> bytes, std::int64_t root) override {
    ranks_->broadcast(bytes, root);
  }
  std::vector<std::vector<std::byte>> gather(std::span<std::byte const> bytes) override {
    return ranks_->gather(bytes);
  }
  void barrier() override {}
  std::unique_ptr<Transfer> sum(void const* parts, void* sum, std::int64_t count,
                                DataType type) override {
    return ranks_->sum(parts, sum, count, type);
  }
  std::unique_ptr<Messages> messages(std::int64_t most) override { return ranks_->messages(most); }
  std::unique_ptr<Communicator> split(std::int64_t group) override { return ranks_->split(group); }
  std::unique_ptr<Communicator> on_this_node() override { return ranks_->on_this_node(); }
  bool on_one_node() override { return true; }
  std::unique_ptr<SharedMemory> share(std::int64_t) override { return nullptr; }

 private:
  std::unique_ptr<Communicator> ranks_;
};

}  // namespace

TEST_CASE("a rank updates its rows of shared weights, with the factors of all samples" *
          doctest::skip(device::has_own_memory())) {
  auto const plan = wide_plan();
  for (std::int64_t rank : {0, 1}) {
    Traffic traffic;
    auto const ranks = dry_run_communicator(rank, 2, true, traffic);
    auto const executor = Executor::create(plan, 6, kernels::Selection::best, ranks.get());
    REQUIRE(executor.good());
    CHECK(executor.value()->transport().find("factors of 1 gradient are gathered") !=
          std::string::npos);
    auto const initialize = executor.value()->bind("initialize", 6);
    auto const train = executor.value()->bind("train", 5);
    REQUIRE(initialize.good());
    REQUIRE(train.good());
    auto const find = [&](std::string_view name) { return tensor_of(*executor.value(), name); };
    auto* const w = executor.value()->place(find("w"), 0).as<float>();
    Executor::run(*initialize.value());
    // The first rank alone gives shared weights their values.
    CHECK(w[0] == (rank == 0 ? 1.0F : 0.0F));
    std::fill_n(w, 256 * 512, 1.0F);
    auto const samples = rank == 0 ? 3 : 2;
    auto* const x = executor.value()->place(find("x"), samples).as<float>();
    for (int i = 0; i < samples * 512; ++i) x[i] = i % 512 == 7 ? 2.0F : 0.0F;
    auto const before = traffic;
    Executor::run(*train.value());
    CHECK(traffic.bytes - before.bytes == samples * (512 + 256) * 4 + status_words * 8);
    // Samples of the other rank are zeros: each of `samples` adds 2 times 2.
    for (int row = 0; row < 256; ++row) {
      bool const own = (row < 128) == (rank == 0);
      CHECK(w[row * 512 + 7] == (own ? 1.0F - 4.0F * static_cast<float>(samples) : 1.0F));
      CHECK(w[row * 512 + 8] == 1.0F);
    }
  }
}

TEST_CASE(
    "a rank sums its part of the gradients of all ranks, and updates that part of shared weights" *
    doctest::skip(device::has_own_memory())) {
  auto const plan = wide_plan();
  for (std::int64_t rank : {0, 1}) {
    Traffic traffic;
    auto const ranks = dry_run_communicator(rank, 2, true, traffic);
    // For a mini-batch of 300 factors are larger than gradients.
    auto const executor = Executor::create(plan, 300, kernels::Selection::best, ranks.get());
    REQUIRE(executor.good());
    CHECK(executor.value()->transport().find("524.3 kB of gradients summed") != std::string::npos);
    auto const train = executor.value()->bind("train", 5);
    REQUIRE(train.good());
    auto const find = [&](std::string_view name) { return tensor_of(*executor.value(), name); };
    auto* const w = executor.value()->place(find("w"), 0).as<float>();
    std::fill_n(w, 256 * 512, 1.0F);
    auto const samples = rank == 0 ? 3 : 2;
    auto* const x = executor.value()->place(find("x"), samples).as<float>();
    for (int i = 0; i < samples * 512; ++i) x[i] = i % 512 == 7 ? 2.0F : 0.0F;
    auto const name = "w/gradient/part of rank " + std::to_string(1 - rank);
    auto* const others = executor.value()->place(find(name), 0).as<float>();
    std::fill_n(others, 128 * 512, 0.25F);
    auto const before = traffic;
    Executor::run(*train.value());
    CHECK(traffic.bytes - before.bytes == 128 * 512 * 4 + status_words * 8);
    for (int row = 0; row < 256; ++row) {
      bool const own = (row < 128) == (rank == 0);
      CHECK(w[row * 512 + 7] == (own ? 0.75F - 4.0F * static_cast<float>(samples) : 1.0F));
      CHECK(w[row * 512 + 8] == (own ? 0.75F : 1.0F));
    }
  }
}

TEST_CASE("ranks that may not share memory do not") {
  auto const plan = wide_plan();
  Traffic traffic;
  auto const ranks = dry_run_communicator(0, 2, true, traffic);
  auto const executor = Executor::create(plan, 6, kernels::Selection::best, ranks.get(), {}, false);
  REQUIRE(executor.good());
  CHECK(executor.value()->transport() == "ranks : 2 of a trainer sum over messages alone");
}

TEST_CASE("ranks that cannot share memory sum their gradients") {
  auto const plan = wide_plan();
  Traffic traffic;
  WithoutMemory ranks(dry_run_communicator(1, 2, true, traffic));
  auto const executor = Executor::create(plan, 6, kernels::Selection::best, &ranks);
  REQUIRE(executor.good());
  CHECK(executor.value()->transport() == "ranks : 2 of a trainer sum over messages alone");
  auto const train = executor.value()->bind("train", 6);
  REQUIRE(train.good());
  auto const before = traffic;
  Executor::run(*train.value());
  CHECK(traffic.bytes - before.bytes == 256 * 512 * 4 + status_words * 8);
}

TEST_CASE("an entry point is bound once for each number of samples") {
  auto const plan = test::regression_plan();
  auto const executor = executor_of(plan);
  auto const full = executor->bind("train", 8), again = executor->bind("train", 8),
             last = executor->bind("train", 4);
  REQUIRE(full.good());
  REQUIRE(last.good());
  CHECK(full.value() == again.value());
  CHECK(full.value() != last.value());
  CHECK(last.value()->samples == 4);
  CHECK_FALSE(executor->bind("dance", 4).good());
}

TEST_CASE("a reshape in place costs no step") {
  auto const plan = test::regression_plan();
  auto const executor = executor_of(plan);
  auto const bound = executor->bind("evaluate", 8);
  REQUIRE(bound.good());
  for (auto const& step : bound.value()->steps) {
    auto const& instruction = bound.value()->entry->instructions[step.instruction];
    CHECK(name_of(instruction.op) != "reshape");
    CHECK_FALSE(step.implementation.empty());
  }
}

TEST_CASE("a step of three samples equals a step by hand") {
  auto const plan = test::regression_plan();
  auto const executor = executor_of(plan);
  auto const bound = executor->bind("train", 3);
  REQUIRE(bound.good());
  auto const inputs = {plan.weights[0].tensor, plan.data[0].fields[0].tensor,
                       plan.data[0].fields[1].tensor};
  auto* const slope = executor->place(plan.weights[0].tensor, 0).as<float>();
  auto* const samples = executor->place(plan.data[0].fields[0].tensor, 3).as<float>();
  auto* const responses = executor->place(plan.data[0].fields[1].tensor, 3).as<float>();
  std::array<float, 9> const x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::memcpy(samples, x.data(), sizeof x);
  for (int i = 0; i < 3; ++i) {
    slope[i] = 0.5F;
    responses[i] = static_cast<float>(i);
  }
  executor->scalar<double>(plan.mini_batch) = 3;
  executor->scalar<double>(plan.weights[0].learning_rate) = 0.5;
  for (auto const tensor : inputs) executor->put(tensor);
  Executor::run(*bound.value());
  executor->read(plan.weights[0].tensor, 0);
  // Residuals 3, 6.5, 10; gradient of component k: 2/3 sum over samples of x_k times residual.
  CHECK(executor->scalar<double>(plan.objective.step_value) == doctest::Approx(151.25 / 3));
  CHECK(slope[0] == doctest::Approx(0.5 - (3 * 1 + 6.5 * 4 + 10 * 7) / 3));
  CHECK(slope[2] == doctest::Approx(0.5 - (3 * 3 + 6.5 * 6 + 10 * 9) / 3));
}
