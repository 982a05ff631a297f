// Draws instructions among what exists so far, then updates every weights object.
#include "tests/schemas/specialization/random_program.hpp"

#include <algorithm>
#include <random>

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "tests/support/batch_split.hpp"

namespace lbann::tests {

namespace {

constexpr Extent batch{1, true};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Program generate(std::size_t size);

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool chance(std::size_t percent) { return below(100) < percent; }

  TensorId add(std::string name, TensorType type, TensorRole role, TensorId owner = {}) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.type = std::move(type);
    tensor.role = role;
    tensor.owner = owner;
    return program_.add(std::move(tensor));
  }
  TensorId add_single(std::string name, Shape shape, TensorRole role) {
    return add(std::move(name), {DataType::f32, std::move(shape)}, role);
  }
  TensorId add_activation(TensorType const& type) {
    return add("t" + std::to_string(program_.tensors.size()), type, TensorRole::activation);
  }
  TensorType const& type(TensorId id) const { return program_[id].type; }
  Shape const& shape(TensorId id) const { return type(id).shape; }

  TensorId any() { return available_[below(available_.size())]; }
  /// Something that exists, of this shape (and type); a scalar if there is none.
  TensorId like(Shape const& wanted, std::optional<DataType> type = {});
  /// Where a value of this type goes: mostly a new activation, at times a result, a gradient, or
  /// (in train) a statistic that nobody has written yet.
  TensorId target(TensorType const& wanted);
  DataType any_type() { return chance(30) ? DataType::f64 : DataType::f32; }
  void emit(Operator op, std::vector<TensorId> inputs, std::vector<TensorId> outputs);
  Expression expression(std::size_t operands, std::size_t outputs);

  void add_map();
  void add_reshape();
  void add_product();
  void add_reduce();
  void add_collective();
  void add_updates();
  void fill(EntryPoint& entry, std::size_t size);

  std::mt19937_64 random_;
  Program program_;
  EntryPoint* entry_ = nullptr;
  std::vector<TensorId> given_, available_, open_, weights_;
  TensorId rate_;
};

TensorId Generator::like(Shape const& wanted, std::optional<DataType> wanted_type) {
  std::vector<TensorId> fitting;
  for (auto id : available_)
    if (shape(id) == wanted && type(id).type == wanted_type.value_or(type(id).type))
      fitting.push_back(id);
  return fitting.empty() ? rate_ : fitting[below(fitting.size())];
}

TensorId Generator::target(TensorType const& wanted) {
  for (std::size_t i = 0; i < open_.size(); ++i)
    if (type(open_[i]) == wanted && chance(35)) {
      auto const id = open_[i];
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
      return id;
    }
  return add_activation(wanted);
}

void Generator::emit(Operator op, std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
  for (auto id : outputs) std::erase(open_, id);
  for (auto id : outputs)
    if (std::ranges::find(available_, id) == available_.end()) available_.push_back(id);
  entry_->instructions.push_back({std::move(op), std::move(inputs), std::move(outputs), {}});
}

Expression Generator::expression(std::size_t operands, std::size_t outputs) {
  ExpressionBuilder build;
  std::vector<Term> terms, results;
  for (std::size_t i = 0; i < operands; ++i) terms.push_back(build.operand(i));
  for (std::size_t i = 0; i < outputs + 1; ++i) {
    auto const a = terms[below(terms.size())], b = terms[below(terms.size())];
    terms.push_back(chance(50) ? a * b + 0.5 : build.apply(Function::tanh, {a - b}));
  }
  for (std::size_t i = 0; i < outputs; ++i) results.push_back(terms[terms.size() - 1 - i]);
  // Every operand counts.
  for (std::size_t i = 0; i < operands; ++i) results[0] = results[0] + terms[i];
  return build.finish(results);
}

void Generator::add_map() {
  auto const first = any();
  auto const space = shape(first);
  std::vector<TensorId> inputs = {first};
  for (auto more = below(3); more > 0; --more) {
    auto stretched = space;
    if (space.rank() > 1 && chance(30)) stretched.extents.erase(stretched.extents.begin());
    inputs.push_back(chance(20) ? rate_ : like(stretched));
  }
  std::vector<TensorId> outputs;
  operators::map map;
  for (auto more = 1 + below(2); more > 0; --more) {
    map.types.push_back(any_type());
    outputs.push_back(target({map.types.back(), space}));
  }
  map.expression = expression(inputs.size(), outputs.size());
  map.shape = space;
  map.compute = any_type();
  emit(std::move(map), std::move(inputs), std::move(outputs));
}

void Generator::add_reshape() {
  auto const input = any();
  Shape const wide{batch, {4}}, square{batch, {2}, {2}}, flat{{4}}, block{{2}, {2}}, scalar{},
      one{{1}};
  auto const& from = shape(input);
  auto const& to = from == wide     ? square
                   : from == square ? (chance(70) ? wide : square)
                   : from == flat   ? block
                   : from == block  ? (chance(70) ? flat : block)
                   : from == scalar ? one
                                    : scalar;
  if (from.elements(7) != to.elements(7)) return;
  emit(operators::reshape{to}, {input}, {target({type(input).type, to})});
}

void Generator::add_product() {
  auto const type = any_type();
  auto const x = like({batch, {4}}, type);
  auto const w = like({{4}, {4}}, type);
  if (x == rate_ || w == rate_) return;
  operators::matmul product;
  std::vector<TensorId> inputs = {x, w};
  if (auto const bias = like({{4}}); bias != rate_ && chance(50)) {
    ExpressionBuilder build;
    product.epilogue = build.finish({build.operand(0) + build.operand(1)});
    product.types = {type};
    inputs.push_back(bias);
  }
  emit(std::move(product), std::move(inputs), {target({type, {batch, {4}}})});
}

void Generator::add_reduce() {
  auto const input = any();
  auto const& from = shape(input);
  if (from.rank() < 2) return;
  operators::reduce reduce;
  reduce.expression = expression(1, 1);
  reduce.shape = from;
  reduce.axes = {0};
  reduce.type = any_type();
  Shape to;
  to.extents.assign(from.extents.begin() + 1, from.extents.end());
  auto const output = target({reduce.type, to});
  emit(std::move(reduce), {input}, {output});
}

void Generator::add_collective() {
  auto const input = any();
  emit(operators::all_reduce{{"data"}}, {input}, {target(type(input))});
}

void Generator::add_updates() {
  for (auto weights : weights_) {
    auto const [number, space] = type(weights);
    TensorId gradient, velocity;
    for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
      if (program_.tensors[i].owner != weights) continue;
      (program_.tensors[i].role == TensorRole::gradient ? gradient : velocity) = TensorId(i);
    }
    // What nothing has written yet becomes a function of something.
    if (std::ranges::find(available_, gradient) == available_.end()) {
      operators::map map;
      auto const from = like(space);
      map.expression = expression(1, 1);
      map.shape = space;
      map.types = {number};
      emit(std::move(map), {from}, {gradient});
    }
    if (chance(30)) emit(operators::all_reduce{{"data"}}, {gradient}, {gradient});
    operators::map update;
    ExpressionBuilder build;
    auto const step = build.operand(1) * 0.9 + build.operand(2) * build.operand(3);
    update.expression = build.finish({build.operand(0) - step, step});
    update.shape = space;
    update.compute = number;
    update.types = {number, number};
    emit(std::move(update), {weights, velocity, gradient, rate_}, {weights, velocity});
    // At times a value from before the update is needed behind it.
    if (chance(20)) add_map();
  }
}

void Generator::fill(EntryPoint& entry, std::size_t size) {
  entry_ = &entry;
  available_ = given_;
  open_.clear();
  auto const train = entry.name == "train";
  for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
    auto const& tensor = program_.tensors[i];
    auto const mine = tensor.name.starts_with(entry.name);
    if ((train && tensor.role == TensorRole::gradient) || (mine && !is_state(tensor.role)) ||
        (mine && tensor.role == TensorRole::statistic))
      open_.emplace_back(i);
  }
  while (entry.instructions.size() < size) {
    switch (below(8)) {
      case 0:
      case 1:
        add_reshape();
        break;
      case 2:
        add_product();
        break;
      case 3:
        add_reduce();
        break;
      case 4:
        add_collective();
        break;
      default:
        add_map();
    }
  }
  if (train) add_updates();
}

Program Generator::generate(std::size_t size) {
  auto const shapes = std::to_array<Shape>({{{4}, {4}},
                                            {{4}},
                                            {{2}, {2}},
                                            {{4}},
                                            {{4}, {4}},
                                            {{2}, {2}},
                                            {{4}},
                                            {{37}},
                                            {},
                                            {{20}},
                                            {{4}},
                                            {{20}}});
  given_ = {add_single("x", {batch, {4}}, TensorRole::input),
            add_single("y", {batch, {2}, {2}}, TensorRole::input)};
  rate_ = add_single("rate", {}, TensorRole::statistic);
  given_.push_back(rate_);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    auto const name = "w" + std::to_string(i);
    TensorType const type{any_type(), shapes[i]};
    weights_.push_back(add(name, type, TensorRole::weights));
    add(name + "/gradient", type, TensorRole::gradient, weights_.back());
    given_.push_back(add(name + "/velocity", type, TensorRole::moment, weights_.back()));
    given_.push_back(weights_.back());
  }
  for (auto const* entry : {"train", "evaluate"})
    for (std::size_t i = 0; i < 2; ++i) {
      auto const name = entry + std::to_string(i);
      add_single(name + "/result", i == 0 ? Shape{batch, {4}} : Shape{{2}, {2}},
                 TensorRole::result);
      given_.push_back(
          add_single(name + "/statistic", i == 0 ? Shape{{4}} : Shape{}, TensorRole::statistic));
    }
  program_.entry_points = {{"train", {}}, {"evaluate", {}}};
  fill(program_.entry_points[0], size);
  fill(program_.entry_points[1], size);
  return std::move(program_);
}

}  // namespace

Program random_program(std::uint64_t seed, std::size_t size) {
  return with_batch_split(Generator(seed).generate(size));
}

}  // namespace lbann::tests
