// Rules of every operator: shapes it gives, inputs it refuses, what it costs, its record, its
// loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "schemas/operators/loops.hpp"
#include "tests/schemas/operators/operator_cases.hpp"
#include "tests/support/expected.hpp"

using namespace lbann;
using tests::operator_cases, tests::OperatorCase;

TEST_CASE("every operator infers its outputs or says what does not fit") {
  for (auto const& c : operator_cases()) {
    CAPTURE(name_of(c.op));
    CAPTURE(c.refusal);
    auto const outputs = infer(c.op, c.inputs);
    CHECK(outputs.good() == !c.outputs.empty());
    if (outputs.good())
      CHECK(outputs.value() == c.outputs);
    else
      CHECK(outputs.problem().message.find(c.refusal) != std::string::npos);
  }
}

TEST_CASE("every operator has a case it accepts and, but for its words, a name and a summary") {
  auto const list = operator_cases();
  for (auto const& info : describe_operators()) {
    CAPTURE(info.name);
    CHECK(std::any_of(list.begin(), list.end(), [&](OperatorCase const& c) {
      return name_of(c.op) == info.name && !c.outputs.empty();
    }));
    CHECK(info.summary.ends_with('.'));
  }
}

TEST_CASE("convolution_kernel_gradient: scratch of a mini-batch suffices for smaller ones") {
  for (std::int64_t channels : {1, 8, 64})
    for (std::int64_t extent : {4, 20, 56}) {
      TensorType const x{DataType::f32, Shape{batch_extent, {channels}, {extent}, {extent}}};
      operators::convolution_kernel_gradient const op{{{1, 1}, {1, 1}, {1, 1}, 1}, {3, 3}};
      TensorType const dk{DataType::f32, Shape{{channels}, {channels}, {3}, {3}}};
      CAPTURE(channels);
      CAPTURE(extent);
      TensorType const inputs[] = {x, x}, outputs[] = {dk};
      Signature const signature{inputs, outputs};
      for (std::int64_t threads : {1, 2, 16})
        for (std::int64_t samples = 0; samples < 70; ++samples)
          CHECK(op.scratch_bytes(signature, samples + 1, threads) >=
                op.scratch_bytes(signature, samples, threads));
    }
}

TEST_CASE("operators tell their cost") {
  for (auto const& c : operator_cases()) {
    if (c.outputs.empty()) continue;
    CAPTURE(name_of(c.op));
    Signature const signature{c.inputs, c.outputs};
    CHECK(flops(c.op, signature, 3) == c.flops);
    CHECK(flops(c.op, signature, 3) >= flops(c.op, signature, 1));
    // Plans have memory for the largest mini-batch, which has to suffice for smaller ones.
    for (std::int64_t threads : {1, 2, 16})
      for (std::int64_t samples = 0; samples < 70; ++samples)
        CHECK(scratch_bytes(c.op, signature, samples + 1, threads) >=
              scratch_bytes(c.op, signature, samples, threads));
    CHECK(scratch_bytes(c.op, signature, 0, 2) >= 0);
    CHECK(scratch_bytes(c.op, signature, 3, 2) <= scratch_bytes(c.op, signature, 3, 192));
  }
}

TEST_CASE("operators come back from their records") {
  for (auto const& c : operator_cases()) {
    auto const back = operator_from(to_record(c.op));
    CAPTURE(name_of(c.op));
    REQUIRE(back);
    CHECK(*back == c.op);
  }
}

TEST_CASE("operators survive any inputs") {
  std::mt19937 generator(11);
  auto const pick = [&](auto const& list) { return list[generator() % std::size(list)]; };
  std::int64_t const sizes[] = {0, 1, 2, 9, std::int64_t{1} << 40, -1, std::int64_t{1} << 62};
  auto const list = operator_cases();
  std::size_t refused = 0;
  for (int repetition = 0; repetition < 20000; ++repetition) {
    auto const& c = pick(list);
    auto inputs = c.inputs;
    if (generator() % 4 == 0) inputs.resize(generator() % 4);
    for (auto& input : inputs) {
      if (generator() % 4 == 0) input.type = static_cast<DataType>(generator() % 6);
      for (auto& extent : input.shape.extents)
        if (generator() % 4 == 0) extent = {pick(sizes), generator() % 4 == 0};
      if (generator() % 8 == 0) input.shape.extents.resize(generator() % 10);
    }
    auto const outputs = infer(c.op, inputs);
    refused += outputs.good() ? 0 : 1;
    if (outputs.good()) CHECK(scratch_bytes(c.op, {inputs, outputs.value()}, 2, 2) >= 0);
  }
  CHECK(refused > 5000);
}

namespace {

/// One line: labels of all dimensions, as `a, b` for loops of kind parallel; summed ones are marked
/// `+`, merged ones `^`, dimensions that must be whole are `.`; `3a` has 3 entries per iteration of
/// a, and `~a` is read through a window.
std::string text_of(Loops const& loops, Signature const& signature) {
  std::string names(loops.loops.size(), ' ');
  char next = 'a';
  auto const label = [&](LoopDimension const& dimension) -> std::string {
    auto const kind = loops.loops[dimension.loop].kind;
    if (kind == LoopKind::whole) return ".";
    auto& name = names[dimension.loop];
    if (name == ' ') name = next++;
    return (kind == LoopKind::summed   ? "+"
            : kind == LoopKind::merged ? "^"
                                       : "") +
           std::string(dimension.window ? "~" : "") +
           (dimension.granule == 1 ? "" : std::to_string(dimension.granule)) + name;
  };
  auto const list = [&](std::size_t count, auto const& dimensions_of) {
    std::string text;
    for (std::size_t t = 0; t < count; ++t) {
      std::string tensor;
      for (auto const& dimension : dimensions_of(t))
        tensor += (tensor.empty() ? "" : ", ") + label(dimension);
      text += " [" + tensor + "]";
    }
    return text;
  };
  // One after the other: the first dimension of a loop names it.
  auto const inputs = list(signature.inputs.size(), [&](std::size_t t) { return loops.input(t); });
  return inputs + " ->" +
         list(signature.outputs.size(), [&](std::size_t t) { return loops.output(t); });
}

}  // namespace

TEST_CASE("every operator declares its loops") {
  std::string text;
  for (auto const& c : operator_cases()) {
    if (c.outputs.empty()) continue;
    Signature const signature{c.inputs, c.outputs};
    auto const found = loops(c.op, signature);
    text += std::string(name_of(c.op)) + text_of(found, signature) + "\n";
    CAPTURE(text);
    std::vector<bool> read(found.loops.size(), false), in_all(found.loops.size(), true);
    auto const check = [&](TensorType const& type, std::span<LoopDimension const> dimensions) {
      REQUIRE(dimensions.size() == type.shape.rank());
      std::vector<bool> here(found.loops.size(), false);
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        REQUIRE(dimensions[d].loop < found.loops.size());
        CHECK_FALSE(here[dimensions[d].loop]);
        here[dimensions[d].loop] = true;
        if (dimensions[d].window) continue;
        auto const extent = found.loops[dimensions[d].loop].extent;
        CHECK(type.shape.extents[d] == Extent{extent.size * dimensions[d].granule, extent.batch});
      }
      return here;
    };
    for (std::size_t i = 0; i < c.inputs.size(); ++i) {
      auto const here = check(c.inputs[i], found.input(i));
      for (std::size_t l = 0; l < here.size(); ++l) read[l] = read[l] || here[l];
    }
    for (std::size_t o = 0; o < c.outputs.size(); ++o) {
      auto const here = check(c.outputs[o], found.output(o));
      for (std::size_t l = 0; l < here.size(); ++l) in_all[l] = in_all[l] && here[l];
    }
    for (std::size_t l = 0; l < found.loops.size(); ++l) {
      auto const kind = found.loops[l].kind;
      // What is contracted is read, and some output does without it.
      if (kind != LoopKind::summed && kind != LoopKind::merged) continue;
      CHECK(read[l]);
      CHECK_FALSE(in_all[l]);
    }
  }
  CHECK(tests::difference("tests/schemas/operators/loops.txt", text) == "");
}
