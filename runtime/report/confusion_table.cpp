// Cells are coloured by their part of the label.
#include "runtime/report/confusion_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>

namespace lbann::runtime {

namespace {

/// More do not fit on a screen.
constexpr std::size_t most_columns = 40;
constexpr std::size_t most_pairs = 20;

struct Pair {
  std::size_t predicted, label;
};

std::string pairs_table(ConfusionMatrix const& matrix) {
  std::vector<Pair> pairs;
  for (std::size_t predicted = 0; predicted < matrix.classes; ++predicted)
    for (std::size_t label = 0; label < matrix.classes; ++label)
      if (predicted != label && matrix.at(predicted, label) > 0)
        pairs.push_back({predicted, label});
  auto const count = std::min(pairs.size(), most_pairs);
  std::ranges::partial_sort(
      pairs, pairs.begin() + static_cast<std::ptrdiff_t>(count), std::ranges::greater{},
      [&](Pair const& pair) { return matrix.at(pair.predicted, pair.label); });
  auto text = fmt::format(
      "<table><caption>the pairs of {} classes that are confused most</caption><thead><tr>"
      "<th>label</th><th>predicted</th><th>of all samples</th><th>of the label</th></tr></thead>"
      "<tbody>",
      matrix.classes);
  for (std::size_t i = 0; i < count; ++i) {
    auto const [predicted, label] = pairs[i];
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.3f} %</td><td>{:.1f} %</td></tr>", label,
                        predicted, 100 * matrix.at(predicted, label),
                        100 * matrix.part_of_label(predicted, label));
  }
  return text + "</tbody></table>";
}

}  // namespace

double ConfusionMatrix::part_of_label(std::size_t predicted, std::size_t label) const {
  double all = 0;
  for (std::size_t row = 0; row < classes; ++row) all += at(row, label);
  return all > 0 ? at(predicted, label) / all : 0;
}

double ConfusionMatrix::accuracy() const {
  double sum = 0;
  for (std::size_t i = 0; i < classes; ++i) sum += at(i, i);
  return sum;
}

Result<ConfusionMatrix> read_confusion_matrix(std::filesystem::path const& path) {
  std::ifstream file(path);
  if (!file) return Problem{path.string() + ": cannot be read"};
  ConfusionMatrix matrix;
  std::size_t rows = 0;
  auto const problem = [&](std::string const& what) {
    return Problem{path.string() + ":" + std::to_string(rows + 1) + ": " + what};
  };
  for (std::string line; std::getline(file, line); ++rows) {
    std::size_t columns = 0;
    auto const* at = line.data();
    auto const* const end = at + line.size();
    for (; at != end; ++columns) {
      double value = 0;
      auto const [after, error] = std::from_chars(at, end, value);
      if (error != std::errc{} || (after != end && *after != ','))
        return problem("is not a row of numbers, separated by commas");
      matrix.fractions.push_back(value);
      at = after == end ? end : after + 1;
    }
    if (rows == 0) matrix.classes = columns;
    if (columns != matrix.classes || rows >= matrix.classes)
      return problem("is not a square of " + std::to_string(matrix.classes) + " columns");
  }
  if (rows == 0 || rows != matrix.classes)
    return problem("is not a square of " + std::to_string(matrix.classes) + " columns");
  return matrix;
}

std::string table_of(ConfusionMatrix const& matrix) {
  if (matrix.classes > most_columns) return pairs_table(matrix);
  std::string text =
      "<table class=\"confusion\"><caption>% of each label</caption><thead><tr><th>predicted \\ "
      "label</th>";
  for (std::size_t label = 0; label < matrix.classes; ++label)
    text += fmt::format("<th>{}</th>", label);
  text += "</tr></thead><tbody>";
  for (std::size_t predicted = 0; predicted < matrix.classes; ++predicted) {
    text += fmt::format("<tr><th>{}</th>", predicted);
    for (std::size_t label = 0; label < matrix.classes; ++label) {
      auto const part = matrix.part_of_label(predicted, label);
      auto const color = predicted == label ? "0,158,115" : "213,94,0";
      text += part == 0
                  ? std::string("<td/>")
                  : fmt::format(
                        "<td style=\"background:rgba({},{:.2f})\" title=\"{:.3f} % of all "
                        "samples\">{:.3g}</td>",
                        color, 0.1 + 0.8 * part, 100 * matrix.at(predicted, label), 100 * part);
    }
    text += "</tr>";
  }
  return text + "</tbody></table>";
}

}  // namespace lbann::runtime
