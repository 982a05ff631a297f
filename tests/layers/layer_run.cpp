// A layer of any kind, compiled with its gradients and run by every kernel.
#include "tests/layers/layer_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "compiler/lowering/lowering_passes.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "compiler/passes/program_passes.hpp"
#include "kernels/reference/element.hpp"
#include "kernels/thread_team.hpp"
#include "tests/support/device_tensor.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::testing {

namespace {

std::string graph_of(std::string_view declaration, std::vector<Dims> const& inputs,
                     std::string_view options, std::string_view others) {
  std::string text(others), parents;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto const n = std::to_string(i);
    text += "layer x" + n + ": input {data_field: \"x" + n + "\"} -> s" + n + "\n";
    text += "layer w" + n + ": weights_layer {dims: " + compiler::to_text(inputs[i]) + "} -> s" +
            n + "\n";
    text += "layer s" + n + ": add (x" + n + ", w" + n + ") -> l\n";
    parents += (i == 0 ? "s" : ", s") + n;
  }
  text += "layer l: " + std::string(declaration) + (inputs.empty() ? "" : " (" + parents + ")");
  return text + " -> p " + std::string(options) +
         "\n"
         "layer f: input {data_field: \"factors\"} -> p\n"
         "layer p: multiply (l:0, f) -> n\n"
         "layer n: l2_norm2 (p) -> e\n"
         "layer e: evaluation (n)\n"
         "term e scale 1\n";
}

}  // namespace

std::int64_t entries(Dims const& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

Values random_samples(Dims const& dims, std::int64_t samples, unsigned seed, double low,
                      double high) {
  return random_values(static_cast<std::size_t>(samples * entries(dims)), seed, low, high);
}

Values random_values(std::size_t count, unsigned seed, double low, double high) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  Values values(count);
  for (auto& value : values) value = uniform(engine);
  return values;
}

void check_close(Values const& found, Values const& expected, double tolerance) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i])
            ? std::isnan(found[i])
            : std::fabs(found[i] - expected[i]) <= tolerance * (1 + std::fabs(expected[i])))
      continue;
    FAIL_CHECK("entry " << i << ": " << found[i] << ", expected " << expected[i]);
    return;
  }
}

LayerRun::LayerRun(std::string_view declaration, std::vector<Dims> inputs, DataType type,
                   std::string_view options, std::string_view others)
    : inputs_(std::move(inputs)), type_(type) {
  CAPTURE(declaration);
  // The factors have the output's dims, which are known after a first look.
  auto const compile = [&](Dims const& factors) {
    compiler::GraphFixture fixture(graph_of(declaration, inputs_, options, others), type);
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      compiler::give_field(fixture.experiment, "x" + std::to_string(i), inputs_[i]);
    compiler::give_field(fixture.experiment, "factors", factors);
    fixture.experiment.mini_batch_size = 4;
    fixture.experiment.optimizer =
        compiler::optimizer_from(fixture.optimizer_types, "sgd {learn_rate: 0.1}");
    compiler::infer_shapes(fixture.compilation);
    for (auto const& layer : fixture.compilation.graph.layers)
      if (layer.name == "l" && !layer.outputs.empty()) output_dims_ = layer.outputs[0];
    if (factors != output_dims_) return false;
    compiler::resolve_weights(fixture.compilation);
    for (auto const& diagnostic : fixture.report.diagnostics())
      if (fixture.report.has_errors()) CHECK(diagnostic.message == "");
    REQUIRE(!fixture.report.has_errors());
    compiler::lower_to_operators(fixture.compilation);
    compiler::derive_backward(fixture.compilation.program);
    program_ = std::move(fixture.compilation.program);
    auto const fault = verify(program_);
    CHECK_MESSAGE(!fault, fault.value_or(""));
    return true;
  };
  REQUIRE((compile({}) || compile(Dims(output_dims_))));
}

LayerRun& LayerRun::set(std::string const& tensor, Values values) {
  given_[tensor] = std::move(values);
  return *this;
}

void LayerRun::run(std::vector<Values> const& inputs, std::int64_t samples, std::string_view entry,
                   kernels::Selection selection) {
  auto given = given_;
  for (std::size_t i = 0; i < inputs.size(); ++i) given["x" + std::to_string(i)] = inputs[i];
  given["mini_batch_size"] = {static_cast<double>(samples)};
  std::int64_t entries = samples;
  for (auto const extent : output_dims_) entries *= extent;
  given["factors"] = random_values(static_cast<std::size_t>(entries), 23);

  std::vector<DeviceTensor> tensors;
  std::vector<kernels::View> views;
  for (auto const& tensor : program_.tensors) {
    auto const count = tensor.type.shape.elements(samples);
    auto& place = tensors.emplace_back(tensor.type, samples);
    views.push_back(place.for_kernels());
    auto const found = given.find(tensor.name);
    if (found == given.end()) continue;
    REQUIRE_MESSAGE(found->second.size() == static_cast<std::size_t>(count), tensor.name);
    for (std::int64_t e = 0; e < count; ++e)
      kernels::reference::set(place.on_host(), e, found->second[static_cast<std::size_t>(e)]);
    place.to_device();
  }
  for (auto const& instruction : program_.entry_point(entry)->instructions) {
    std::vector<kernels::View> ins, outs;
    for (auto const id : instruction.inputs) ins.push_back(views[id.index()]);
    for (auto const id : instruction.outputs) outs.push_back(views[id.index()]);
    auto const input = input_types(program_, instruction);
    auto const output = output_types(program_, instruction);
    auto const bytes =
        lbann::scratch_bytes(instruction.op, {input, output}, samples, kernels::ThreadTeam::size());
    auto const scratch = device::allocate(bytes + 64);
    kernels::Call const call{
        &instruction.op, ins, outs, {scratch.get(), static_cast<std::size_t>(bytes)}, samples};
    auto const kernel = kernels::bind(call, selection);
    REQUIRE_MESSAGE(kernel != nullptr, to_text(program_, instruction));
    kernel->run();
    device::synchronize();
  }
  values_.clear();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    auto& values = values_[program_.tensors[i].name];
    tensors[i].from_device();
    auto const view = tensors[i].on_host();
    for (std::int64_t e = 0; e < view.elements(); ++e)
      values.push_back(kernels::reference::get(view, e));
  }
}

Values LayerRun::output(std::vector<Values> const& inputs, std::int64_t samples,
                        std::string_view entry) {
  auto const prefix = entry == "train" ? "" : std::string(entry) + ".";
  run(inputs, samples, entry, kernels::Selection::reference);
  // A layer without instructions gives its input.
  auto const name = prefix + (values_.contains(prefix + "l.0") ? "l.0" : "s0.0");
  auto const expected = values_.at(name);
  run(inputs, samples, entry, kernels::Selection::best);
  check_close(values_.at(name), expected, type_ == DataType::f64 ? 1e-12 : 1e-5);
  return values_.at(name);
}

double LayerRun::objective(std::vector<Values> const& inputs, std::int64_t samples) {
  run(inputs, samples, "train", kernels::Selection::reference);
  return values_.at("objective")[0];
}

void LayerRun::check_gradients(std::vector<Values> const& inputs, std::int64_t samples) {
  CAPTURE(samples);
  std::mt19937 engine(5);
  run(inputs, samples, "train", kernels::Selection::best);
  auto const values = values_;
  int compared = 0;
  for (auto const& tensor : program_.tensors) {
    if (tensor.role != TensorRole::gradient) continue;
    auto const weights = program_[tensor.owner].name;
    CAPTURE(weights);
    auto const& gradient = values.at(tensor.name);
    for (int i = 0; i < 20 && !gradient.empty(); ++i, ++compared) {
      auto const e = engine() % gradient.size();
      double const h = 1e-5;
      auto const at = [&](double offset) {
        auto moved = values.at(weights);
        moved[e] += offset;
        auto const before = given_;
        given_[weights] = std::move(moved);
        auto const value = objective(inputs, samples);
        given_ = before;
        return value;
      };
      auto const slope = (at(h) - at(-h)) / (2 * h);
      CAPTURE(e);
      CHECK(std::fabs(gradient[e] - slope) <= 1e-7 * (1 + std::fabs(slope)));
    }
  }
  CHECK((compared > 0 || inputs.empty()));
  values_ = values;
}

}  // namespace lbann::testing
