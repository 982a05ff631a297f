// Products, with the collectives before and behind them.
#include "schemas/reports/products.hpp"

#include <cmath>
#include <ranges>

#include "schemas/program/distribution.hpp"
#include "schemas/specialization/exchange.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

namespace {

class Products {
 public:
  Products(SpecializedProgram const& program, SpecializedEntry const& entry)
      : program_(program), entry_(entry) {}

  std::vector<SplitProduct> all() const {
    std::vector<SplitProduct> products;
    for (auto const& instruction : entry_.instructions)
      if (is_split_product(instruction)) products.push_back(product(instruction));
    return products;
  }

 private:
  bool is_split_product(Instruction const& instruction) const {
    if (!std::holds_alternative<operators::matmul>(instruction.op)) return false;
    // What its panels send is all told with the first of them.
    if (instruction.panel && instruction.panel->index > 0) return false;
    auto const weights = instruction.inputs[1];
    auto const& split = program_.distribution(weights).split;
    return program_.tensors[weights.index()].role == TensorRole::weights &&
           program_.whole_shapes[instruction.inputs[0].index()].has_batch() &&
           (split[0] | split[1]) == (rows_axis | columns_axis) && split[0] != 0 && split[1] != 0;
  }

  SplitProduct product(Instruction const& instruction) const {
    auto const& weights = program_.whole_shapes[instruction.inputs[1].index()].extents;
    bool const outputs_first = std::get<operators::matmul>(instruction.op).transpose_b;
    SplitProduct product;
    product.layer = instruction.origin.name;
    product.outputs = weights[outputs_first ? 0 : 1].size;
    product.inputs = weights[outputs_first ? 1 : 0].size;
    // What is gathered along two axes is in two steps.
    auto gathered = instruction.inputs[0];
    for (auto const& other : entry_.instructions | std::views::reverse) {
      if (!is_collective(other)) continue;
      bool const scatters = other.inputs[0] == instruction.outputs[0];
      bool const gathers = other.outputs[0] == gathered &&
                           !std::holds_alternative<operators::reduce_scatter>(other.op);
      if (gathers || scatters) product.sent += sent_by(program_, other).bytes;
      // Panels of one exchange have the same operands.
      if (gathers && (!other.panel || other.panel->index == 0)) gathered = other.inputs[0];
    }
    auto const factor = instruction.inputs[0];
    auto const element = bytes_of(program_.tensors[factor.index()].type.type);
    // A sample may be several rows of the product.
    auto const rows =
        program_.whole_shapes[factor.index()].elements(program_.mini_batch) / product.inputs;
    auto const inputs = static_cast<double>(product.inputs),
               outputs = static_cast<double>(product.outputs),
               ranks = static_cast<double>(program_.mesh.size(rows_axis | columns_axis)),
               samples =
                   static_cast<double>(rows) / static_cast<double>(program_.mesh.size(data_axis));
    auto const words =
        2 * samples * std::sqrt(inputs * outputs / ranks) - samples * (inputs + outputs) / ranks;
    product.bound = words * static_cast<double>(element);
    return product;
  }

  SpecializedProgram const& program_;
  SpecializedEntry const& entry_;
};

}  // namespace

std::vector<SplitProduct> report_products(SpecializedProgram const& program) {
  auto const* entry = program.entry("evaluate");
  if (entry == nullptr) entry = program.entry(predict_entry);
  return entry == nullptr ? std::vector<SplitProduct>() : Products(program, *entry).all();
}

}  // namespace lbann
