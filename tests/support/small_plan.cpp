// The perceptron as text, and the plan around it.
#include "tests/support/small_plan.hpp"

#include <algorithm>
#include <stdexcept>

#include "schemas/callbacks/print.hpp"
#include "schemas/data_readers/hdf5_dataset.hpp"
#include "schemas/data_readers/text.hpp"

namespace lbann::tests {

char const* const small_program = R"(
tensor samples: input f32 [batch, 6] split [[data], []] from images
tensor labels: input f32 [batch, 3] split [[data], []] from labels
tensor mini_batch: input f64 []
tensor first_sample: input i64 []
tensor seed: statistic i64 []
tensor step: statistic i64 []
tensor rate: statistic f64 []
tensor w1: weights f32 [4, 6] from ip1
tensor b1: weights f32 [4] from ip1
tensor w2: weights f32 [3, 4] from ip2
tensor b2: weights f32 [3] from ip2
tensor w1/velocity: moment f32 [4, 6] of w1
tensor b1/velocity: moment f32 [4] of b1
tensor w2/velocity: moment f32 [3, 4] of w2
tensor b2/velocity: moment f32 [3] of b2
tensor w1/gradient: gradient f32 [4, 6] of w1
tensor b1/gradient: gradient f32 [4] of b1
tensor w2/gradient: gradient f32 [3, 4] of w2
tensor b2/gradient: gradient f32 [3] of b2
tensor objective: result f64 []
tensor objective/train_sum: statistic f64 []
tensor objective/evaluate_sum: statistic f64 []
tensor accuracy/train_sum: statistic f64 []
tensor accuracy/evaluate_sum: statistic f64 []
tensor h: activation f32 [batch, 4] split [[data], []] from ip1
tensor a: activation f32 [batch, 4] split [[data], []] from relu1
tensor z: activation f32 [batch, 3] split [[data], []] from ip2
tensor p: activation f32 [batch, 3] split [[data], []] from probabilities
tensor loss: activation f32 [batch, 1] split [[data], []] from cross_entropy
tensor total: activation f64 [] partial [data] from cross_entropy
tensor guess: activation i64 [batch, 1] split [[data], []] from accuracy
tensor truth: activation i64 [batch, 1] split [[data], []] from accuracy
tensor right: activation f64 [] partial [data] from accuracy
tensor dloss: activation f32 [batch, 1] split [[data], []]
tensor dz: activation f32 [batch, 3] split [[data], []]
tensor dw2: activation f32 [3, 4] partial [data]
tensor da: activation f32 [batch, 4] split [[data], []]
tensor dh: activation f32 [batch, 4] split [[data], []]
tensor total/sum: activation f64 [] from cross_entropy
tensor right/sum: activation f64 [] from accuracy
entry initialize:
  w1 = random(seed, step, first_sample) {distribution: normal, key: 11, shape: [4, 6]}
  b1 = map() {expression: (0), shape: [4], types: [f32]}
  w2 = random(seed, step, first_sample) {distribution: normal, key: 12, shape: [3, 4]}
  b2 = map() {expression: (0), shape: [3], types: [f32]}
  w1/velocity = map() {expression: (0), shape: [4, 6], types: [f32]}
  b1/velocity = map() {expression: (0), shape: [4], types: [f32]}
  w2/velocity = map() {expression: (0), shape: [3, 4], types: [f32]}
  b2/velocity = map() {expression: (0), shape: [3], types: [f32]}
entry train:
  h = matmul(samples, w1, b1) {transpose_b: true, epilogue: (add(i0, i1)), types: [f32]} from ip1
  a = map(h) {expression: (maximum(i0, 0)), shape: [batch, 4], types: [f32]} from relu1
  z = matmul(a, w2, b2) {transpose_b: true, epilogue: (add(i0, i1)), types: [f32]} from ip2
  p, loss = softmax_cross_entropy(z, labels) from cross_entropy
  total = reduce(loss) {expression: (i0), shape: [batch, 1], axes: [0, 1], compute: f64, type: f64}
  total/sum = all_reduce(total) {mesh_axes: [data]}
  objective = map(total/sum, mini_batch) {expression: (divide(i0, i1)), shape: [], compute: f64, types: [f64]}
  objective/train_sum = map(objective/train_sum, total/sum) {expression: (add(i0, i1)), shape: [], compute: f64, types: [f64]}
  guess = argmax(p)
  truth = argmax(labels)
  right = reduce(guess, truth) {expression: (equal(i0, i1)), shape: [batch, 1], axes: [0, 1], compute: f64, type: f64}
  right/sum = all_reduce(right) {mesh_axes: [data]}
  accuracy/train_sum = map(accuracy/train_sum, right/sum) {expression: (add(i0, i1)), shape: [], compute: f64, types: [f64]}
  dloss = map(mini_batch) {expression: (divide(1, i0)), shape: [batch, 1], types: [f32]}
  dz = softmax_cross_entropy_gradient(p, labels, dloss)
  dw2 = matmul(dz, a) {transpose_a: true}
  b2/gradient = reduce(dz) {expression: (i0), shape: [batch, 3], axes: [0]}
  da = matmul(dz, w2)
  dh = map(da, h) {expression: (multiply(i0, less(0, i1))), shape: [batch, 4], types: [f32]}
  w1/gradient = matmul(dh, samples) {transpose_a: true}
  b1/gradient = reduce(dh) {expression: (i0), shape: [batch, 4], axes: [0]}
  w2/gradient = all_reduce(dw2) {mesh_axes: [data]}
  b2/gradient = all_reduce(b2/gradient) {mesh_axes: [data]}
  w1/gradient = all_reduce(w1/gradient) {mesh_axes: [data]}
  b1/gradient = all_reduce(b1/gradient) {mesh_axes: [data]}
  w1, w1/velocity = map(w1, w1/velocity, w1/gradient, rate) {expression: (subtract(i0, add(multiply(0.9, i1), multiply(i2, i3))), add(multiply(0.9, i1), multiply(i2, i3))), shape: [4, 6], types: [f32, f32]}
  b1, b1/velocity = map(b1, b1/velocity, b1/gradient, rate) {expression: (subtract(i0, add(multiply(0.9, i1), multiply(i2, i3))), add(multiply(0.9, i1), multiply(i2, i3))), shape: [4], types: [f32, f32]}
  w2, w2/velocity = map(w2, w2/velocity, w2/gradient, rate) {expression: (subtract(i0, add(multiply(0.9, i1), multiply(i2, i3))), add(multiply(0.9, i1), multiply(i2, i3))), shape: [3, 4], types: [f32, f32]}
  b2, b2/velocity = map(b2, b2/velocity, b2/gradient, rate) {expression: (subtract(i0, add(multiply(0.9, i1), multiply(i2, i3))), add(multiply(0.9, i1), multiply(i2, i3))), shape: [3], types: [f32, f32]}
entry evaluate:
  h = matmul(samples, w1, b1) {transpose_b: true, epilogue: (add(i0, i1)), types: [f32]} from ip1
  a = map(h) {expression: (maximum(i0, 0)), shape: [batch, 4], types: [f32]} from relu1
  z = matmul(a, w2, b2) {transpose_b: true, epilogue: (add(i0, i1)), types: [f32]} from ip2
  p, loss = softmax_cross_entropy(z, labels) from cross_entropy
  total = reduce(loss) {expression: (i0), shape: [batch, 1], axes: [0, 1], compute: f64, type: f64}
  total/sum = all_reduce(total) {mesh_axes: [data]}
  objective/evaluate_sum = map(objective/evaluate_sum, total/sum) {expression: (add(i0, i1)), shape: [], compute: f64, types: [f64]}
  guess = argmax(p)
  truth = argmax(labels)
  right = reduce(guess, truth) {expression: (equal(i0, i1)), shape: [batch, 1], axes: [0, 1], compute: f64, type: f64}
  right/sum = all_reduce(right) {mesh_axes: [data]}
  accuracy/evaluate_sum = map(accuracy/evaluate_sum, right/sum) {expression: (add(i0, i1)), shape: [], compute: f64, types: [f64]}
)";

Plan small_plan() {
  auto program = parse_program(small_program);
  if (!program)
    throw std::logic_error("tests/support/small_plan.cpp: " + program.problem().message);
  Plan plan;
  plan.program = std::move(program).value();
  auto const find = [&](std::string_view name) {
    auto const& tensors = plan.program.tensors;
    return TensorId(static_cast<std::size_t>(std::ranges::find(tensors, name, &Tensor::name) -
                                             tensors.begin()));
  };
  plan.experiment = "small";
  plan.sources = {{"small.yaml", "model: small\nlayers: [ip1, ip2]\n"}};
  plan.overrides = {"model.name=small"};
  plan.mini_batch_size = 5;
  plan.training.max_epochs = 3;
  plan.training.max_seconds = 1.5;
  plan.mini_batch = find("mini_batch");
  plan.first_sample = find("first_sample");
  plan.seed = find("seed");
  plan.step = find("step");
  plan.objective = {"objective", "", find("objective"), find("objective/train_sum"),
                    find("objective/evaluate_sum")};
  plan.metrics = {{"accuracy", "%", {}, find("accuracy/train_sum"), find("accuracy/evaluate_sum")}};
  for (auto const* name : {"w1", "b1", "w2", "b2"}) {
    auto const tensor = find(name);
    plan.weights.push_back(
        {name, plan.program[tensor].type.shape.at(0), tensor, "sgd", find("rate"), {0, 7, 12}, {}});
  }
  plan.layers = {{"ip1",
                  "fully_connected",
                  {"images"},
                  {"relu1"},
                  {"w1", "b1"},
                  {{4}},
                  DataType::f32,
                  "",
                  {0, 22, 25}},
                 {"relu1", "relu", {"ip1"}, {"ip2"}, {}, {{4}}, DataType::f32, "", {}},
                 {"ip2",
                  "fully_connected",
                  {"relu1"},
                  {},
                  {"w2", "b2"},
                  {{3}},
                  DataType::f32,
                  "",
                  {0, 27, 30}}};
  data_readers::text reader;
  reader.shuffle = true;
  reader.data_filedir = "/somewhere";
  reader.data_filenames = {"x", "y"};
  reader.sequence_length = 6;
  reader.fraction_of_data_to_use = 0.5;
  plan.data = {
      {ExecutionMode::training,
       {to_record(reader), Span{0, 0, 5}},
       {{"samples", ExecutionMode::validation, {to_record(transforms::scale{2}), Span{0, 2, 4}}}},
       {{to_record(data_readers::hdf5_dataset{}), Span{0, 1, 4}}},
       {{"samples", {6}, find("samples")}, {"labels", {3}, find("labels")}},
       20}};
  plan.callbacks = {{to_record(callbacks::print{}), Span{0, 1, 3}}};
  // A source for every span the text form leaves unknown.
  plan.program.tensors[7].origin.span = {0, 22, 25};
  plan.program.entry_points[1].instructions[0].origin.span = {0, 22, 25};
  return plan;
}

}  // namespace lbann::tests
