// Speed of every operator, at the shapes of the experiments and of larger networks.
//
//   operators_benchmark [PART OF A NAME | --machine]
#include <omp.h>

#include <cstdio>

#include "kernels/compute_threads.hpp"
#include "tests/kernels/benchmarks/measure.hpp"

namespace {

using namespace lbann;
using benchmarks::Case;

TensorType f32(Shape shape) { return {DataType::f32, std::move(shape)}; }

using Cases = std::vector<Case>;

/// What a layer's bias and the relu behind it become.
constexpr char const* bias_relu = "(t0 = add(i0, i1); select(less_equal(t0, 0), 0, t0))";

/// The products of a layer x [batch, in] -> [batch, out] with weights [out, in].
void fully_connected(Cases& cases, std::int64_t in, std::int64_t out, std::int64_t batch) {
  auto const layer = std::to_string(in) + "-" + std::to_string(out) + " N" + std::to_string(batch);
  Shape const x{batch_extent, {in}}, y{batch_extent, {out}}, w{{out}, {in}};
  auto const relu = *parse_expression(bias_relu);
  auto const sgd = *parse_expression(
      "(add(multiply(i1, 0.9), i0), subtract(i2, multiply(i3, add(multiply(i1, 0.9), i0))))");
  operators::matmul const forward{false, true, relu, {DataType::f32}};
  operators::matmul const update{true, false, sgd, {DataType::f32, DataType::f32}};
  cases.push_back(
      {"matmul " + layer + ", bias, relu", forward, {f32(x), f32(w), f32({{out}})}, batch});
  cases.push_back(
      {"matmul " + layer + " data gradient", operators::matmul{}, {f32(y), f32(w)}, batch});
  cases.push_back({"matmul " + layer + " gradient",
                   operators::matmul{true, false, {}, {}},
                   {f32(y), f32(x)},
                   batch});
  cases.push_back({"matmul " + layer + " gradient, SGD",
                   update,
                   {f32(y), f32(x), f32(w), f32(w), f32(Shape{})},
                   batch,
                   {2, 3}});
}

/// Of a square image with a square window.
struct Convolution {
  std::int64_t batch, channels, extent, filters, taps, stride = 1, padding = 0, groups = 1;
};

void convolution(Cases& cases, Convolution const& c) {
  auto const text = [](char const* word, std::int64_t value) {
    return word + std::to_string(value);
  };
  auto name = text(" N", c.batch) + text(" C", c.channels) + text(" ", c.extent) +
              text(" K", c.filters) + text(" ", c.taps) + text("x", c.taps);
  if (c.stride != 1) name += text(" /", c.stride);
  if (c.groups != 1) name += text(" G", c.groups);
  std::vector<std::int64_t> const stride(2, c.stride), padding(2, c.padding), dilation(2, 1);
  auto const positions = (c.extent + 2 * c.padding - c.taps) / c.stride + 1;
  Shape const x{batch_extent, {c.channels}, {c.extent}, {c.extent}};
  Shape const y{batch_extent, {c.filters}, {positions}, {positions}};
  Shape const w{{c.filters}, {c.channels / c.groups}, {c.taps}, {c.taps}};
  operators::convolution forward{stride, padding, dilation, c.groups, {}, {}};
  cases.push_back({"convolution" + name, forward, {f32(x), f32(w)}, c.batch});
  forward.epilogue = *parse_expression(bias_relu);
  forward.types = {DataType::f32};
  cases.push_back({"convolution" + name + ", bias, relu",
                   forward,
                   {f32(x), f32(w), f32({{c.filters}, {1}, {1}})},
                   c.batch});
  cases.push_back({"convolution_input_gradient" + name,
                   operators::convolution_input_gradient{
                       stride, padding, dilation, c.groups, {c.extent, c.extent}},
                   {f32(y), f32(w)},
                   c.batch});
  cases.push_back({"convolution_kernel_gradient" + name,
                   operators::convolution_kernel_gradient{
                       stride, padding, dilation, c.groups, {c.taps, c.taps}},
                   {f32(x), f32(y)},
                   c.batch});
}

void pooling(Cases& cases, operators::PoolMode mode, std::int64_t batch, std::int64_t channels,
             std::int64_t extent, std::int64_t window, std::int64_t stride, std::int64_t padding) {
  auto const name =
      " " + std::string(enum_names<operators::PoolMode>[static_cast<std::size_t>(mode)]) + " N" +
      std::to_string(batch) + " C" + std::to_string(channels) + " " + std::to_string(extent) + " " +
      std::to_string(window) + "x" + std::to_string(window) + " /" + std::to_string(stride);
  std::vector<std::int64_t> const windows(2, window), strides(2, stride), margins(2, padding);
  auto const positions = (extent + 2 * padding - window) / stride + 1;
  Shape const x{batch_extent, {channels}, {extent}, {extent}};
  Shape const y{batch_extent, {channels}, {positions}, {positions}};
  cases.push_back(
      {"pooling" + name, operators::pooling{mode, windows, strides, margins}, {f32(x)}, batch});
  cases.push_back({"pooling_gradient" + name,
                   operators::pooling_gradient{mode, windows, strides, margins},
                   {f32(x), f32(y)},
                   batch});
}

/// The products of attention: `heads` heads of `width` entries over `steps` steps.
void attention(Cases& cases, std::int64_t batch, std::int64_t heads, std::int64_t steps,
               std::int64_t width) {
  auto const name = " N" + std::to_string(batch) + " H" + std::to_string(heads) + " " +
                    std::to_string(steps) + "x" + std::to_string(width);
  Shape const states{batch_extent, {heads}, {steps}, {width}};
  Shape const scores{batch_extent, {heads}, {steps}, {steps}};
  auto const scaled = *parse_expression("(multiply(i0, 0.125))");
  cases.push_back({"batched_matmul scores" + name + ", scaled",
                   operators::batched_matmul{false, true, scaled, {DataType::f32}},
                   {f32(states), f32(states)},
                   batch});
  cases.push_back({"batched_matmul values" + name,
                   operators::batched_matmul{},
                   {f32(scores), f32(states)},
                   batch});
  cases.push_back({"batched_matmul gradient" + name,
                   operators::batched_matmul{true, false, {}, {}},
                   {f32(scores), f32(states)},
                   batch});
}

void whole_attention(Cases& cases, std::int64_t batch, std::int64_t heads, std::int64_t length,
                     std::int64_t size, bool causal) {
  auto const name = std::string(causal ? " causal" : "") + " N" + std::to_string(batch) + " " +
                    std::to_string(heads) + " heads of " + std::to_string(length) + " x " +
                    std::to_string(size);
  auto const rows = f32({batch_extent, {length}, {heads * size}});
  operators::AttentionHeads const fields{size, 0.2, causal};
  cases.push_back({"attention" + name, operators::attention{fields}, {rows, rows, rows}, batch});
  cases.push_back({"attention_gradient" + name,
                   operators::attention_gradient{fields},
                   {rows, rows, rows, rows, rows, f32({batch_extent, {heads}, {length}})},
                   batch});
}

void recurrence(Cases& cases, std::int64_t batch, std::int64_t steps, std::int64_t hidden) {
  auto const name = " N" + std::to_string(batch) + " " + std::to_string(steps) + " steps of " +
                    std::to_string(hidden);
  auto const of_steps = [&](std::int64_t gates) {
    return f32({batch_extent, {steps}, {gates * hidden}});
  };
  auto const first = f32({batch_extent, {hidden}}), weights = f32({{3 * hidden}, {hidden}});
  cases.push_back(
      {"gru" + name, operators::gru{}, {of_steps(3), first, weights, f32({{3 * hidden}})}, batch});
  cases.push_back({"gru_gradient" + name,
                   operators::gru_gradient{},
                   {of_steps(1), of_steps(1), first, weights, of_steps(4)},
                   batch});
  auto const four = f32({{4 * hidden}, {hidden}});
  cases.push_back({"lstm" + name, operators::lstm{}, {of_steps(4), first, first, four}, batch});
  cases.push_back({"lstm_gradient" + name,
                   operators::lstm_gradient{},
                   {of_steps(1), of_steps(1), first, four, of_steps(4)},
                   batch});
}

/// Everything that is bound by memory: 64 MB of x.
void elementwise(Cases& cases) {
  using operators::Distribution;
  std::int64_t const batch = 4096, columns = 4096;
  Shape const shape{batch_extent, {columns}}, one{batch_extent, {1}};
  auto const x = f32(shape), column = f32(one);
  TensorType const index{DataType::i64, one}, scalar{DataType::i64, Shape{}};
  auto const map = [&](char const* name, char const* expression, TensorTypes inputs) {
    cases.push_back(
        {std::string("map ") + name,
         operators::map{*parse_expression(expression), shape, DataType::f32, {DataType::f32}},
         std::move(inputs), batch});
  };
  map("add", "(add(i0, i1))", {x, x});
  map("bias, relu", bias_relu, {x, f32({{columns}})});
  map("sigmoid", "(sigmoid(i0))", {x});
  auto const reduce = [&](char const* name, operators::ReduceMode mode, char const* expression,
                          std::vector<std::int64_t> axes) {
    cases.push_back({std::string("reduce ") + name,
                     operators::reduce{mode, *parse_expression(expression), shape, std::move(axes),
                                       DataType::f32, DataType::f32},
                     {x},
                     batch});
  };
  reduce("sum of squares", operators::ReduceMode::sum, "(multiply(i0, i0))", {0, 1});
  reduce("sum of rows", operators::ReduceMode::sum, "(i0)", {1});
  reduce("sum of columns", operators::ReduceMode::sum, "(i0)", {0});
  reduce("maximum of rows", operators::ReduceMode::max, "(i0)", {1});
  for (auto law : {Distribution::uniform, Distribution::normal, Distribution::bernoulli})
    cases.push_back(
        {"random " + std::string(enum_names<Distribution>[static_cast<std::size_t>(law)]),
         operators::random{law, 0.5, 1, 1, Shape{{batch}, {columns}}, DataType::f32},
         {scalar, scalar, scalar}});
  cases.push_back({"softmax", operators::softmax{}, {x}, batch});
  cases.push_back({"softmax_gradient", operators::softmax_gradient{}, {x, x}, batch});
  cases.push_back({"softmax_cross_entropy", operators::softmax_cross_entropy{}, {x, x}, batch});
  cases.push_back({"softmax_cross_entropy_gradient",
                   operators::softmax_cross_entropy_gradient{},
                   {x, x, column},
                   batch});
  cases.push_back({"sparse_softmax_cross_entropy",
                   operators::sparse_softmax_cross_entropy{},
                   {x, column},
                   batch});
  cases.push_back({"sparse_softmax_cross_entropy_gradient",
                   operators::sparse_softmax_cross_entropy_gradient{},
                   {x, column, column, column, column},
                   batch});
  cases.push_back({"argmax", operators::argmax{}, {x}, batch});
  cases.push_back({"rank", operators::rank{}, {x, index}, batch});
  cases.push_back({"slice", operators::slice{1, {0, 1000, columns}}, {x}, batch});
  cases.push_back({"concatenate", operators::concatenate{1}, {x, x}, batch});
  cases.push_back({"permute", operators::permute{{1, 0}}, {x}, batch});
  cases.push_back({"permute heads",
                   operators::permute{{0, 2, 1, 3}},
                   {f32({batch_extent, {16}, {8}, {32}})},
                   batch});
  cases.push_back({"permute of three axes",
                   operators::permute{{0, 2, 1}},
                   {f32({batch_extent, {256}, {1024}})},
                   64});
  auto const places = static_cast<unsigned>(columns);
  cases.push_back({"gather", operators::gather{}, {x, f32(shape)}, batch, {}, places});
  cases.push_back({"scatter", operators::scatter{shape, 1, 1}, {x, f32(shape)}, batch, {}, places});
  // An embedding and its gradient.
  Shape const table{{8192}, {256}}, rows{batch_extent, {256}};
  cases.push_back(
      {"gather rows", operators::gather{0, 0}, {f32(table), f32({batch_extent})}, 65536, {}, 8192});
  cases.push_back({"scatter rows",
                   operators::scatter{table, 0, 0},
                   {f32(rows), f32({batch_extent})},
                   65536,
                   {},
                   8192});
  // The same with an update that all rows need, and with one that only rows named need.
  Shape const words{{65536}, {256}};
  for (bool const momentum : {true, false}) {
    operators::scatter update{words, 0, 0};
    update.epilogue = *parse_expression(
        momentum ? "(t0 = add(multiply(i3, 0.9), i0); subtract(i1, multiply(i2, t0)), t0)"
                 : "(subtract(i1, multiply(i2, i0)))");
    update.types.assign(momentum ? 2 : 1, DataType::f32);
    cases.push_back({momentum ? "scatter momentum" : "scatter sgd",
                     update,
                     {f32(rows), f32({batch_extent}), f32(words), f32(Shape{})},
                     4096,
                     {2},
                     65536});
    if (!momentum) continue;
    cases.back().inputs.push_back(f32(words));
    cases.back().in_place.push_back(4);
  }
  cases.push_back({"iota", operators::iota{batch * columns, DataType::f32}, {}});
  cases.push_back(
      {"constant",
       operators::constant{std::vector<double>(1 << 24), {{batch}, {columns}}, DataType::f32},
       {}});
  cases.push_back({"reshape", operators::reshape{{batch_extent, {columns / 2}, {2}}}, {x}, batch});
  cases.push_back({"uniform_hash", operators::uniform_hash{}, {f32({batch_extent, {64}})}, batch});
  cases.push_back({"sample_index", operators::sample_index{}, {scalar}, 1 << 23});
  cases.push_back({"sort", operators::sort{}, {f32({batch_extent, {256}})}, batch});
}

/// What batch_normalization and layer_norm are made of, and softmax over channels; 64 MiB each.
void normalisation(Cases& cases) {
  std::int64_t const batch = 64;
  Shape const images{batch_extent, {64}, {64}, {64}};
  auto const x = f32(images);
  TensorType const channel{DataType::f64, Shape{{64}, {1}, {1}}};
  auto const map = [&](char const* name, char const* expression, TensorTypes inputs) {
    cases.push_back(
        {std::string("batch norm ") + name,
         operators::map{*parse_expression(expression), images, DataType::f32, {DataType::f32}},
         std::move(inputs), batch});
  };
  map("forward", "(add(multiply(subtract(i0, i1), i2), i3))", {x, channel, channel, channel});
  for (auto const type : {DataType::f32, DataType::bf16})
    for (std::int64_t const size : {64, 56, 14, 7}) {
      // Of 64 images of 64 channels, or of 8 images in ResNet-50.
      auto const channels = size == 64 ? 64 : 256 * 56 / size;
      Shape const some{batch_extent, {channels}, {size}, {size}};
      TensorType const data{type, some}, number{DataType::f64, Shape{{channels}, {1}, {1}}};
      auto const name = "batch norm " + std::to_string(channels) + " of " + std::to_string(size) +
                        " x " + std::to_string(size) + (type == DataType::bf16 ? " bf16" : "");
      auto const images_there = size == 64 ? batch : 8;
      cases.push_back({name + " moments", operators::moments{{0, 2, 3}}, {data}, images_there});
      cases.push_back({name + " gradient sums",
                       operators::reduce{operators::ReduceMode::sum,
                                         *parse_expression("(i0, multiply(i0, subtract(i1, i2)))"),
                                         some,
                                         {0, 2, 3},
                                         DataType::f32,
                                         DataType::f64},
                       {data, data, number},
                       images_there});
    }
  map("gradient", "(add(multiply(i0, i1), add(i2, multiply(subtract(i3, i4), i5))))",
      {x, channel, channel, x, channel, channel});
  cases.push_back(
      {"entrywise moments", operators::moments{{0}}, {f32({batch_extent, {4096}})}, 4096});
  std::int64_t const rows = 16384;
  Shape const row{{1024}}, matrix{batch_extent, {1024}};
  auto const y = f32(matrix), number = f32({batch_extent}), affine = f32(row);
  cases.push_back(
      {"normalise", operators::normalise{1, 1e-5, true, true}, {y, affine, affine}, rows});
  cases.push_back({"normalise_gradient",
                   operators::normalise_gradient{1, true, true},
                   {y, number, number, y, affine},
                   rows});
  cases.push_back({"normalise without affine", operators::normalise{}, {y}, rows});
  cases.push_back({"its gradient", operators::normalise_gradient{}, {y, number, number, y}, rows});
  cases.push_back({"softmax of channels", operators::softmax{false, 0, 1, 2}, {x}, batch});
  cases.push_back({"its gradient", operators::softmax_gradient{false, 0, 1, 2}, {x, x}, batch});
}

Cases all_cases() {
  using operators::PoolMode;
  Cases cases;
  // LeNet, and the layers of a ResNet-50 that differ in kind.
  for (auto const& c : {Convolution{64, 1, 28, 6, 5},
                        Convolution{64, 6, 12, 16, 5},
                        Convolution{8, 3, 224, 64, 7, 2, 3},
                        Convolution{32, 64, 56, 64, 3, 1, 1},
                        Convolution{32, 64, 56, 256, 1},
                        Convolution{32, 128, 56, 128, 3, 2, 1},
                        Convolution{32, 256, 14, 256, 3, 1, 1},
                        Convolution{32, 1024, 14, 256, 1},
                        Convolution{32, 256, 56, 512, 1, 2},
                        Convolution{32, 512, 7, 512, 3, 1, 1},
                        Convolution{32, 64, 8, 64, 3, 1, 1},
                        Convolution{32, 128, 4, 128, 3, 1, 1},
                        Convolution{32, 256, 2, 256, 3, 1, 1},
                        Convolution{32, 512, 1, 512, 3, 1, 1},
                        Convolution{32, 256, 2, 512, 3, 2, 1},
                        Convolution{32, 256, 2, 512, 1, 2},
                        Convolution{8, 512, 7, 512, 3, 1, 1},
                        Convolution{8, 512, 7, 2048, 1},
                        Convolution{32, 512, 7, 2048, 1},
                        Convolution{32, 2048, 7, 512, 1},
                        Convolution{224, 96, 28, 96, 3, 1, 1, 96},
                        Convolution{42, 32, 112, 32, 3, 2, 1, 32}})
    convolution(cases, c);
  pooling(cases, PoolMode::max, 64, 6, 24, 2, 2, 0);
  pooling(cases, PoolMode::max, 64, 16, 8, 2, 2, 0);
  for (auto mode : {PoolMode::max, PoolMode::average, PoolMode::average_no_pad})
    pooling(cases, mode, 21, 64, 112, 3, 2, 1);
  pooling(cases, PoolMode::max, 82, 16, 112, 2, 2, 0);
  pooling(cases, PoolMode::average, 668, 512, 7, 7, 1, 0);
  for (auto [in, out] : {std::pair{256, 120}, {120, 84}, {84, 10}})
    fully_connected(cases, in, out, 64);
  for (auto [in, out] : {std::pair{784, 1024}, {1024, 1024}, {1024, 10}})
    fully_connected(cases, in, out, 128);
  fully_connected(cases, 3072, 4096, 64);
  // Of a transformer, 8 samples of 128 positions.
  for (auto [in, out] : {std::pair{256, 768}, {256, 1024}, {1024, 256}})
    fully_connected(cases, in, out, 1024);
  fully_connected(cases, 2048, 2048, 2048);
  attention(cases, 16, 8, 128, 64);
  attention(cases, 64, 8, 10, 8);
  for (bool const causal : {false, true}) {
    whole_attention(cases, 8, 8, 128, 32, causal);
    whole_attention(cases, 2, 8, 1024, 64, causal);
  }
  recurrence(cases, 64, 32, 256);
  recurrence(cases, 8, 16, 1024);
  recurrence(cases, 128, 50, 32);
  elementwise(cases);
  normalisation(cases);
  return cases;
}

}  // namespace

int main(int argc, char** argv) {
  kernels::ComputeThreads const threads(omp_get_max_threads());
  benchmarks::Options options;
  if (argc > 1) options.only = argv[1];
  options.machine = benchmarks::measure_machine();
  std::printf("%d threads: FMA %.0f GFLOP/s, copies %.1f GB/s; %% of these\n",
              omp_get_max_threads(), options.machine.flops * 1e-9, options.machine.bytes * 1e-9);
  if (options.only == "--machine") return 0;
  for (auto const& one : all_cases()) benchmarks::measure(options, one);
}
