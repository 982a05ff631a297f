// A layer of any kind, compiled with its gradients and run by every kernel.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/layers/layer.hpp"
#include "kernels/kernel.hpp"

namespace lbann::testing {

using compiler::Dims;
using Values = std::vector<double>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// One layer `l` on inputs of given dims, in f64 unless told otherwise. Each input is the sum of a
/// data field and of trained weights that begin at 0: so a gradient with respect to an input,
/// summed over samples, is one with respect to weights. The objective is the mean over samples of
/// the sum of squares of the layer's output, entry by entry times a data field of its own
/// (`factors`). A full mini-batch has 4 samples.
class LayerRun {
 public:
  /// A failed check if the compiler complains. `options` follow the declaration in the text of the
  /// graph, `given w hint h`; `others` are lines of layers and weights before it.
  LayerRun(std::string_view declaration, std::vector<Dims> inputs, DataType type = DataType::f64,
           std::string_view options = {}, std::string_view others = {});

  Dims const& output_dims() const { return output_dims_; }
  /// Weights of the layer by their names, and the random counters (`seed`, `step`, `first_sample`).
  LayerRun& set(std::string const& tensor, Values values);

  /// The layer's output in `entry`; the best kernels agree with the reference.
  Values output(std::vector<Values> const& inputs, std::int64_t samples,
                std::string_view entry = "train");
  /// Gradients with respect to each input (summed over samples) and to the weights of the layer
  /// against finite differences of the objective, at up to 20 entries of each.
  void check_gradients(std::vector<Values> const& inputs, std::int64_t samples);
  /// The gradient with respect to `weights` (`w0` for input 0) in the last run.
  Values const& gradient(std::string const& weights) { return values_.at(weights + "/gradient"); }

 private:
  void run(std::vector<Values> const& inputs, std::int64_t samples, std::string_view entry,
           kernels::Selection selection);
  double objective(std::vector<Values> const& inputs, std::int64_t samples);

  std::vector<Dims> inputs_;
  DataType type_;
  Dims output_dims_;
  Program program_;
  std::map<std::string, Values, std::less<>> given_, values_;
};

/// Entries of one sample.
std::int64_t entries(Dims const& dims);

/// Numbers uniform in [low, high); as many, or those of so many samples.
Values random_values(std::size_t count, unsigned seed, double low = -2, double high = 2);
Values random_samples(Dims const& dims, std::int64_t samples, unsigned seed, double low = -2,
                      double high = 2);

/// The entries `check` compares are within `tolerance` x (1 + |expected|), NaN where NaN is
/// expected.
void check_close(Values const& found, Values const& expected, double tolerance = 1e-12);

}  // namespace lbann::testing
