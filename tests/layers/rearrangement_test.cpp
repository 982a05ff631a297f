// Layers that cut, repeat and reorder entries, and dft_abs.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "tests/layers/layer_run.hpp"

using namespace lbann;
using namespace lbann::testing;

namespace {

/// Entries of `samples` samples of `out` dims, each that entry of `x` (samples of `in` dims) that
/// `from` names for its place.
Values rearranged(Values const& x, Dims const& in, Dims const& out, std::int64_t samples,
                  std::function<Dims(std::int64_t sample, Dims const& place)> const& from) {
  Values y;
  for (std::int64_t sample = 0; sample < samples; ++sample)
    for (std::int64_t flat = 0; flat < entries(out); ++flat) {
      Dims place(out.size());
      auto rest = flat;
      for (auto axis = out.size(); axis-- > 0; rest /= out[axis]) place[axis] = rest % out[axis];
      auto const source = from(sample, place);
      std::int64_t at = 0;
      for (std::size_t axis = 0; axis < in.size(); ++axis) at = at * in[axis] + source[axis];
      y.push_back(x[static_cast<std::size_t>(sample * entries(in) + at)]);
    }
  return y;
}

void check_rearranged(std::string const& declaration, Dims const& in, Dims const& out,
                      std::function<Dims(Dims const& place)> const& from) {
  CAPTURE(declaration);
  LayerRun layer(declaration, {in});
  CHECK(layer.output_dims() == out);
  for (std::int64_t const samples : {0, 1, 3}) {
    auto const x = random_samples(in, samples, 1);
    check_close(layer.output({x}, samples),
                rearranged(x, in, out, samples,
                           [&](std::int64_t, Dims const& place) { return from(place); }));
    if (samples > 0) layer.check_gradients({x}, samples);
  }
}

}  // namespace

TEST_CASE("tessellate") {
  auto check = [](Dims const& in, Dims const& out) {
    check_rearranged("tessellate {dims: " + compiler::to_text(out) + "}", in, out, [&](Dims place) {
      place.erase(place.begin(),
                  place.begin() + static_cast<std::ptrdiff_t>(out.size() - in.size()));
      for (std::size_t i = 0; i < in.size(); ++i) place[i] %= in[i];
      return place;
    });
  };
  check({3, 1, 4}, {7, 4, 3});
  check({2, 3}, {4, 9});
  check({1}, {5, 6, 7});
  check({2, 3, 2}, {2, 3, 2});
  check({4, 5}, {2, 1});
  check({2, 1, 2, 3, 1}, {3, 2, 5, 3, 4});
}

TEST_CASE("upsample") {
  auto check = [](Dims const& in, Dims const& factors) {
    auto out = in;
    for (std::size_t i = 1; i < in.size(); ++i)
      out[i] *= factors.size() == 1 ? factors[0] : factors[i - 1];
    check_rearranged("upsample {scale_factors: " + compiler::to_text(factors) + "}", in, out,
                     [&](Dims place) {
                       for (std::size_t i = 1; i < in.size(); ++i)
                         place[i] /= factors.size() == 1 ? factors[0] : factors[i - 1];
                       return place;
                     });
  };
  check({2, 3}, {3});
  check({2, 3, 4}, {2, 3});
  check({1, 2, 1, 3}, {2});
  check({3, 5, 5}, {1});
}

TEST_CASE("unpooling: values go where max pooling has found them") {
  struct Case {
    Dims images, window, stride, padding;
  };
  for (auto const& c : {Case{{2, 5, 4}, {2, 2}, {2, 2}, {0, 0}},
                        {{1, 5, 4}, {3, 2}, {1, 2}, {1, 0}},
                        {{3, 7}, {3}, {2}, {1}},
                        {{1, 3, 4, 3}, {2, 3, 2}, {1, 2, 2}, {0, 1, 1}},
                        {{1, 1, 1}, {1, 1}, {1, 1}, {0, 0}}}) {
    auto const axes = c.window.size();
    Dims values{c.images[0]};
    for (std::size_t i = 0; i < axes; ++i)
      values.push_back((c.images[i + 1] + 2 * c.padding[i] - c.window[i]) / c.stride[i] + 1);
    auto const declaration = "unpooling {pool_dims: " + compiler::to_text(c.window) +
                             ", pool_strides: " + compiler::to_text(c.stride) +
                             ", pool_pads: " + compiler::to_text(c.padding) + "}";
    CAPTURE(declaration);
    LayerRun layer(declaration, {values, c.images});
    CHECK(layer.output_dims() == c.images);
    // Counts through `extents`; false after the last place.
    auto const next = [](Dims& place, Dims const& extents) {
      for (auto axis = extents.size(); axis-- > 0; place[axis] = 0)
        if (++place[axis] < extents[axis]) return true;
      return false;
    };
    Dims const plane(c.images.begin() + 1, c.images.end()),
        positions(values.begin() + 1, values.end());
    for (std::int64_t const samples : {0, 1, 3}) {
      auto const given = random_samples(values, samples, 1);
      auto images = random_samples(c.images, samples, 2);
      if (samples == 3) std::fill(images.begin(), images.begin() + entries(plane), -1.0);  // equals
      Values expected(images.size());
      std::size_t number = 0;
      for (std::int64_t of = 0; of < samples * values[0]; ++of) {
        Dims position(axes);
        do {
          Dims tap(axes);
          std::int64_t best = -1;
          do {
            std::int64_t flat = of;
            bool inside = true;
            for (std::size_t i = 0; i < axes; ++i) {
              auto const at = position[i] * c.stride[i] + tap[i] - c.padding[i];
              inside = inside && at >= 0 && at < plane[i];
              flat = flat * plane[i] + at;
            }
            auto const entry = [&](std::int64_t i) { return images[static_cast<std::size_t>(i)]; };
            if (inside && (best < 0 || entry(flat) > entry(best))) best = flat;
          } while (next(tap, c.window));
          expected[static_cast<std::size_t>(best)] += given[number++];
        } while (next(position, positions));
      }
      check_close(layer.output({given, images}, samples), expected);
      if (samples == 1) layer.check_gradients({given, images}, samples);
    }
  }
}

TEST_CASE("tensor_permute") {
  for (auto const& axes : {Dims{0, 1, 2}, {2, 0, 1}, {1, 0, 2}, {2, 1, 0}}) {
    Dims const in{2, 3, 5};
    Dims out;
    for (auto const axis : axes) out.push_back(in[static_cast<std::size_t>(axis)]);
    check_rearranged("tensor_permute {axes: " + compiler::to_text(axes) + "}", in, out,
                     [&](Dims const& place) {
                       Dims from(3);
                       for (std::size_t i = 0; i < 3; ++i)
                         from[static_cast<std::size_t>(axes[i])] = place[i];
                       return from;
                     });
  }
}

TEST_CASE("crop: the part each sample's position tells") {
  Dims const in{4, 5, 3}, out{2, 5, 1};
  LayerRun layer("crop {dims: [2, 5, 1]}", {in, {3}});
  CHECK(layer.output_dims() == out);
  auto const x = random_values(4 * 60, 1);
  Values const positions{0, 0, 0, 1, 1, 1, 0.34, 0.5, 0.7, -3, 0.2, 9};
  auto const expected = rearranged(x, in, out, 4, [&](std::int64_t sample, Dims place) {
    for (std::size_t i = 0; i < 3; ++i) {
      auto const room = in[i] - out[i];
      auto const position = positions[static_cast<std::size_t>(sample) * 3 + i];
      auto const offset =
          static_cast<std::int64_t>(std::floor(position * static_cast<double>(room + 1)));
      place[i] += std::max<std::int64_t>(0, std::min(offset, room));
    }
    return place;
  });
  check_close(layer.output({x, positions}, 4), expected);
  CHECK(layer.output({{}, {}}, 0).empty());
  layer.check_gradients({x, positions}, 4);
}

TEST_CASE("dft_abs: the transform by its definition") {
  for (auto const& dims : {Dims{2, 5}, {1, 4, 3}, {2, 2, 3, 4}, {1, 1, 6}, {3, 1}}) {
    CAPTURE(compiler::to_text(dims));
    LayerRun layer("dft_abs", {dims});
    CHECK(layer.output_dims() == dims);
    auto const plane = entries(dims) / dims[0];
    auto const x = random_samples(dims, 3, 1);
    Values expected;
    for (std::size_t begin = 0; begin < x.size(); begin += static_cast<std::size_t>(plane))
      for (std::int64_t to = 0; to < plane; ++to) {
        std::complex<double> sum = 0;
        for (std::int64_t from = 0; from < plane; ++from) {
          double turns = 0;
          auto a = to, b = from;
          for (auto axis = dims.size(); axis-- > 1; a /= dims[axis], b /= dims[axis])
            turns += static_cast<double>((a % dims[axis]) * (b % dims[axis])) /
                     static_cast<double>(dims[axis]);
          sum += x[begin + static_cast<std::size_t>(from)] *
                 std::polar(1.0, -2 * std::numbers::pi * turns);
        }
        expected.push_back(std::abs(sum));
      }
    check_close(layer.output({x}, 3), expected);
    CHECK(layer.output({{}}, 0).empty());
    layer.check_gradients({x}, 3);
    // Where the output is 0, so is the gradient.
    layer.output({Values(x.size(), 0)}, 3);
    check_close(layer.gradient("w0_weights"), Values(static_cast<std::size_t>(entries(dims)), 0));
  }
}
