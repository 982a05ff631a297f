// Places of points, then markup.
#include "runtime/report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "runtime/report/markup.hpp"

namespace lbann::runtime {

namespace {

constexpr double width = 560, height = 300, left = 78, right = 14, top = 12, bottom = 42;
/// Most points of a line; more are drawn by means.
constexpr std::size_t most_points = 500;
/// Most points that have a mark of their own.
constexpr std::size_t most_marks = 60;

/// Okabe and Ito's colours, which are told apart without red or green.
constexpr std::array<std::string_view, 8> colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#8c564b", "#7f7f7f"};
constexpr std::array<std::string_view, 4> patterns = {"", "6 4", "2 3", "9 3 2 3"};

/// A point, and the range of those it stands for.
struct Point {
  double x = 0, y = 0, least = 0, most = 0;
};

class Axis {
 public:
  Axis(double least, double most, AxisScale scale, double begin, double end)
      : least_(transformed(least, scale)),
        span_(transformed(most, scale) - least_),
        scale_(scale),
        begin_(begin),
        end_(end) {}
  double place(double value) const {
    auto const part = span_ > 0 ? (transformed(value, scale_) - least_) / span_ : 0.5;
    return begin_ + part * (end_ - begin_);
  }

 private:
  static double transformed(double value, AxisScale scale) {
    return scale == AxisScale::logarithmic ? std::log10(value) : value;
  }
  double least_, span_;
  AxisScale scale_;
  double begin_, end_;
};

bool is_drawn(double x, double y, AxisScale scale) {
  return std::isfinite(x) && std::isfinite(y) && (scale == AxisScale::linear || y > 0);
}

/// The points of a line; those without a place split it.
std::vector<std::vector<Point>> parts_of(Series const& series, AxisScale scale) {
  std::vector<std::vector<Point>> parts(1);
  auto const group = (series.x.size() + most_points - 1) / most_points;
  for (std::size_t begin = 0; begin < series.x.size(); begin += group) {
    Point point{0, 0, std::numeric_limits<double>::infinity(),
                -std::numeric_limits<double>::infinity()};
    std::size_t count = 0;
    for (auto i = begin; i < std::min(begin + group, series.x.size()); ++i) {
      if (!is_drawn(series.x[i], series.y[i], scale)) continue;
      ++count;
      point.x += series.x[i];
      point.y += series.y[i];
      point.least = std::min(point.least, series.y[i]);
      point.most = std::max(point.most, series.y[i]);
    }
    if (count == 0) {
      if (!parts.back().empty()) parts.emplace_back();
      continue;
    }
    point.x /= static_cast<double>(count);
    point.y /= static_cast<double>(count);
    parts.back().push_back(point);
  }
  return parts;
}

std::string point_list(std::vector<Point> const& points, Axis const& x, Axis const& y) {
  std::string text;
  for (auto const& point : points)
    text += fmt::format("{:.1f},{:.1f} ", x.place(point.x), y.place(point.y));
  return text;
}

std::string band(std::vector<Point> const& points, Axis const& x, Axis const& y,
                 std::string_view color) {
  std::string text;
  for (auto const& point : points)
    text += fmt::format("{:.1f},{:.1f} ", x.place(point.x), y.place(point.most));
  for (auto point = points.rbegin(); point != points.rend(); ++point)
    text += fmt::format("{:.1f},{:.1f} ", x.place(point->x), y.place(point->least));
  return fmt::format(R"(<polygon points="{}" fill="{}" opacity="0.18"/>)", text, color);
}

std::string mark(Point const& point, Axis const& x, Axis const& y, Series const& series) {
  auto const color = color_of(series.run);
  auto const at_x = x.place(point.x), at_y = y.place(point.y);
  auto const title =
      fmt::format("<title>{}: {:.6g} at {:.6g}</title>", escaped(series.label), point.y, point.x);
  if (series.marker_only)
    return fmt::format(R"(<path d="M{:.1f} {:.1f}l5 5l-5 5l-5 -5z" fill="{}">{}</path>)", at_x,
                       at_y - 5, color, title);
  return fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.5" fill="{}">{}</circle>)", at_x, at_y,
                     color, title);
}

std::string line_of(Series const& series, Axis const& x, Axis const& y, AxisScale scale) {
  auto const color = color_of(series.run);
  std::string text = fmt::format(R"(<g class="run{}">)", series.run);
  bool const means = series.x.size() > most_points;
  for (auto const& part : parts_of(series, scale)) {
    if (means) text += band(part, x, y, color);
    if (!series.marker_only && part.size() > 1) {
      auto const pattern = patterns[series.pattern % patterns.size()];
      text += fmt::format(
          R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.7"{}><title>{}</title></polyline>)",
          point_list(part, x, y), color,
          pattern.empty() ? "" : fmt::format(R"( stroke-dasharray="{}")", pattern),
          escaped(series.label));
    }
    if (series.x.size() <= most_marks || part.size() == 1)
      for (auto const& point : part) text += mark(point, x, y, series);
  }
  return text + "</g>";
}

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool empty() const { return !(least <= most); }
};

std::string axes(Chart const& chart, Axis const& x, Axis const& y, std::vector<double> const& xs,
                 std::vector<double> const& ys) {
  std::string text;
  for (auto const value : ys)
    text += fmt::format(
        R"(<path class="grid" d="M{} {:.1f}H{}"/><text x="{}" y="{:.1f}" text-anchor="end">{:g}</text>)",
        left, y.place(value), width - right, left - 6, y.place(value) + 4, value);
  for (auto const value : xs)
    text += fmt::format(
        R"(<path class="grid" d="M{:.1f} {}V{}"/><text x="{:.1f}" y="{}" text-anchor="middle">{:g}</text>)",
        x.place(value), top, height - bottom, x.place(value), height - bottom + 16, value);
  text += fmt::format(R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)",
                      (left + width - right) / 2, height - 8, escaped(chart.x_label));
  text += fmt::format(
      R"~(<text x="10" y="{0}" text-anchor="middle" transform="rotate(-90 10 {0})">{1}</text>)~",
      (top + height - bottom) / 2, escaped(chart.y_label));
  return text;
}

}  // namespace

bool Chart::empty() const {
  return std::ranges::none_of(series, [](Series const& one) {
    return std::ranges::any_of(one.y, [](double value) { return std::isfinite(value); });
  });
}

std::string color_of(std::size_t run) { return std::string(colors[run % colors.size()]); }

std::vector<double> ticks(double least, double most, int count, double least_step) {
  auto const span = most - least;
  if (!(span > 0)) return {least};
  auto const rough = span / count;
  auto const power = std::pow(10.0, std::floor(std::log10(rough)));
  auto step = 10 * power;
  for (auto const factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough) step = factor * power;
  step = std::max(step, least_step);
  std::vector<double> values;
  for (auto i = std::ceil(least / step - 1e-9); i * step <= most + 1e-9 * step; ++i)
    values.push_back(i == 0 ? 0 : i * step);
  return values;
}

std::vector<double> logarithmic_ticks(double least, double most) {
  constexpr double few = 3;
  bool const dense = std::log10(most / least) < few;
  std::vector<double> values;
  for (auto power = std::floor(std::log10(least)); power <= std::ceil(std::log10(most)); ++power)
    for (auto const factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && !dense) continue;
      auto const value = factor * std::pow(10.0, power);
      if (value >= least * (1 - 1e-9) && value <= most * (1 + 1e-9)) values.push_back(value);
    }
  // Over many decades, powers at a distance.
  constexpr std::size_t most_ticks = 9;
  auto const every = (values.size() + most_ticks - 1) / most_ticks;
  std::vector<double> kept;
  for (std::size_t i = 0; i < values.size(); i += every) kept.push_back(values[i]);
  return kept;
}

std::string svg_of(Chart const& chart, AxisScale scale) {
  Range xs, ys;
  for (auto const& series : chart.series)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (is_drawn(series.x[i], series.y[i], scale)) {
        xs.add(series.x[i]);
        ys.add(series.y[i]);
      }
  auto const name = scale == AxisScale::logarithmic ? "log" : "linear";
  auto text = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="{}" viewBox="0 0 {} {}" role="img"><title>{}</title>)",
      name, width, height, escaped(chart.title));
  if (xs.empty())
    return text +
           fmt::format(R"(<text x="{}" y="{}" text-anchor="middle">nothing above 0</text></svg>)",
                       width / 2, height / 2);
  if (ys.least == ys.most) {
    auto const room = ys.least == 0 ? 1 : 0.1 * std::abs(ys.least);
    ys.add(ys.least + room);
    if (scale == AxisScale::linear || ys.least > room) ys.add(ys.least - room);
  }
  Axis const x(xs.least, xs.most, AxisScale::linear, left + 6, width - right - 6);
  Axis const y(ys.least, ys.most, scale, height - bottom - 6, top + 6);
  text += axes(chart, x, y, ticks(xs.least, xs.most, 6, 1),
               scale == AxisScale::linear ? ticks(ys.least, ys.most, 5)
                                          : logarithmic_ticks(ys.least, ys.most));
  for (auto const& series : chart.series) text += line_of(series, x, y, scale);
  return text + "</svg>";
}

}  // namespace lbann::runtime
