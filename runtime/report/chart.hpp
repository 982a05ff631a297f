// Lines over an axis, as SVG.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lbann::runtime {

/// A line. Values that are not finite are gaps.
struct Series {
  std::string label;        ///< shown when the pointer is over it
  std::size_t run = 0;      ///< decides on the colour, and on the class `run<n>` of its elements
  std::size_t pattern = 0;  ///< 0: solid; else a pattern of dashes
  bool marker_only = false;
  std::vector<double> x, y;
};

struct Chart {
  std::string title;
  std::string x_label, y_label;
  std::string note;  ///< below the title
  std::vector<Series> series;

  bool empty() const;
};

enum class AxisScale : unsigned char { linear, logarithmic };

/// The colour of a run, as CSS has it.
std::string color_of(std::size_t run);

/// An `svg` element. A line of more points than the chart is wide is drawn by means of neighbours,
/// in a band from the least to the largest of them. On a logarithmic axis what is not positive is
/// left out.
std::string svg_of(Chart const& chart, AxisScale scale);

/// Round numbers from `least` to `most`, about `count` of them, at least `least_step` apart.
std::vector<double> ticks(double least, double most, int count, double least_step = 0);

/// Powers of ten from `least` to `most`, which are positive, with their double and fivefold where
/// that gives few numbers.
std::vector<double> logarithmic_ticks(double least, double most);

}  // namespace lbann::runtime
