// Loops that operators declare, tried on reference kernels: parts of a split loop make up the
// whole.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "schemas/operators/loops.hpp"
#include "tests/schemas/operators/operator_cases.hpp"
#include "tests/support/kernel_case.hpp"

using namespace lbann;
using testing::KernelCase, testing::Values;

namespace {

constexpr std::int64_t samples = 3;

/// A range of the iterations of one loop.
struct LoopPart {
  std::size_t loop = 0;
  std::int64_t begin = 0, end = 0;
};

/// One instruction on random data, as a whole or for a part of a loop.
class SplitCase {
 public:
  SplitCase(Operator op, TensorTypes inputs)
      : op_(std::move(op)),
        inputs_(std::move(inputs)),
        outputs_(infer(op_, inputs_).value()),
        loops_(loops(op_, {inputs_, outputs_})) {
    KernelCase all(op_, inputs_, samples);
    all.fill(7, 0, 6);
    for (std::size_t i = 0; i < inputs_.size(); ++i) values_.push_back(all.input(i));
    whole_ = run(all);
  }

  /// Splits a loop in two and compares; false if it is none that can be split as it is.
  bool check(std::size_t loop) const {
    auto const [kind, extent] = loops_.loops[loop];
    // What goes into an epilogue is a sum of parts, not what comes out of it.
    bool const has_epilogue = std::visit(
        [](auto const& op) {
          if constexpr (requires { op.epilogue; }) return !op.epilogue.empty();
          return false;
        },
        op_);
    if (kind == LoopKind::summed && has_epilogue) return false;
    auto const windowed = [&](LoopDimension const& d) { return d.loop == loop && d.window; };
    if (kind == LoopKind::whole || kind == LoopKind::merged ||
        std::ranges::any_of(loops_.dimensions, windowed))
      return false;
    auto const count = extent.at(samples);
    // Whole samples where the loop runs over them.
    auto const cut = extent.batch ? extent.size * (samples / 2) : count / 2;
    LoopPart const first{loop, 0, cut}, second{loop, cut, count};
    auto const a = run(first), b = run(second);
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      CAPTURE(o);
      auto const dimensions = loops_.output(o);
      if (std::ranges::find(dimensions, loop, &LoopDimension::loop) != dimensions.end()) {
        compare(a[o], slice(whole_[o], outputs_[o].shape, dimensions, first));
        compare(b[o], slice(whole_[o], outputs_[o].shape, dimensions, second));
      } else if (kind == LoopKind::summed) {
        auto sum = a[o];
        for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += b[o][e];
        compare(sum, whole_[o]);
      } else {
        compare(a[o], whole_[o]);
        compare(b[o], whole_[o]);
      }
    }
    return true;
  }

  Loops const& all_loops() const { return loops_; }

 private:
  using Dimensions = std::span<LoopDimension const>;

  std::vector<Values> run(KernelCase& call) const {
    return call.run(*testing::implementation_of(op_, "reference"));
  }

  std::vector<Values> run(LoopPart const& part) const {
    auto const extent = loops_.loops[part.loop].extent;
    auto types = inputs_;
    for (std::size_t i = 0; i < types.size(); ++i) narrow(types[i].shape, loops_.input(i), part);
    KernelCase call(narrowed(part), types,
                    extent.batch ? (part.end - part.begin) / extent.size : samples);
    for (std::size_t i = 0; i < types.size(); ++i)
      call.set(i, slice(values_[i], inputs_[i].shape, loops_.input(i), part));
    // Numbers that follow from their place.
    auto const whole = outputs_[0].shape.at(samples);
    std::vector<std::int64_t> begin(whole.size(), 0);
    for (std::size_t d = 0; d < whole.size(); ++d)
      if (auto const& dimension = loops_.output(0)[d]; dimension.loop == part.loop)
        begin[d] = part.begin * dimension.granule;
    call.part(begin, whole);
    return run(call);
  }

  /// Extents of a part. The mini-batch stays symbolic: a part of it has fewer samples.
  void narrow(Shape& shape, Dimensions dimensions, LoopPart const& part) const {
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      if (dimensions[d].loop == part.loop && !shape.extents[d].batch)
        shape.extents[d].size = (part.end - part.begin) * dimensions[d].granule;
  }

  /// The operator with the shapes of a part in its fields.
  Operator narrowed(LoopPart const& part) const {
    auto op = op_;
    auto const set = [&]<class T>(T& o) {
      if constexpr (std::is_same_v<T, operators::reduce>) {
        // Its loops are the axes of its shape.
        if (part.loop < o.shape.rank() && !o.shape.extents[part.loop].batch)
          o.shape.extents[part.loop].size = part.end - part.begin;
      } else if constexpr (requires { o.shape; }) {
        narrow(o.shape, loops_.output(0), part);
      }
      if constexpr (std::is_base_of_v<operators::KernelSteps, T>)
        if (o.groups > 1 && loops_.input(0)[1].loop == part.loop) o.groups = part.end - part.begin;
    };
    std::visit(set, op);
    return op;
  }

  static Values slice(Values const& values, Shape const& shape, Dimensions dimensions,
                      LoopPart const& part) {
    auto const extents = shape.at(samples);
    Values taken;
    for (std::size_t e = 0; e < values.size(); ++e) {
      bool inside = true;
      auto rest = static_cast<std::int64_t>(e);
      for (auto d = extents.size(); d-- > 0;) {
        auto const at = rest % extents[d];
        rest /= extents[d];
        if (dimensions[d].loop == part.loop)
          inside = inside && at >= part.begin * dimensions[d].granule &&
                   at < part.end * dimensions[d].granule;
      }
      if (inside) taken.push_back(values[e]);
    }
    return taken;
  }

  void compare(Values const& found, Values const& expected) const {
    REQUIRE(found.size() == expected.size());
    for (std::size_t e = 0; e < found.size(); ++e) {
      if (std::isnan(found[e]) && std::isnan(expected[e])) continue;
      REQUIRE(std::abs(found[e] - expected[e]) <= 1e-5 * (1 + std::abs(expected[e])));
    }
  }

  Operator op_;
  TensorTypes inputs_, outputs_;
  Loops loops_;
  std::vector<Values> values_, whole_;
};

}  // namespace

TEST_CASE("parts of a split loop make up the whole") {
  std::set<std::string_view> parallel, summed;
  // Their kernel is a user's library, or the ranks themselves.
  auto const has_no_kernel = [](std::string_view name) {
    return name.starts_with("external") || name.starts_with("all_") || name == "reduce_scatter";
  };
  for (auto const& each : tests::operator_cases()) {
    auto const name = name_of(each.op);
    if (each.outputs.empty() || has_no_kernel(name)) continue;
    SplitCase const call(each.op, each.inputs);
    for (std::size_t l = 0; l < call.all_loops().loops.size(); ++l) {
      CAPTURE(name);
      CAPTURE(l);
      if (!call.check(l)) continue;
      auto const kind = call.all_loops().loops[l].kind;
      (kind == LoopKind::summed ? summed : parallel).insert(name);
    }
  }
  CHECK(summed == std::set<std::string_view>{"reduce", "matmul", "batched_matmul", "convolution",
                                             "convolution_input_gradient",
                                             "convolution_kernel_gradient", "normalise_gradient",
                                             "scatter", "attention_gradient"});
  for (auto const& info : describe_operators())
    if (!has_no_kernel(info.name) && info.name != "iota" && info.name != "constant")
      CHECK_MESSAGE((parallel.contains(info.name) || summed.contains(info.name)), info.name);
}
