// The learning rates a callback acts on.
#include "runtime/callbacks/learning_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lbann::runtime {

LearningRates::LearningRates(std::vector<std::string> const& names, RunView const& run)
    : run_(run) {
  std::set<double const*> known;
  for (auto const& weights : run.plan.weights) {
    if (!weights.learning_rate.valid()) continue;
    auto* const value = run.executor.view(weights.learning_rate, 0).as<double>();
    if (value == nullptr) continue;
    known.insert(value);
    if (!names.empty() && std::ranges::find(names, weights.name) == names.end()) continue;
    auto found = std::ranges::find(rates_, value, &Rate::value);
    if (found == rates_.end()) found = rates_.insert(found, Rate{value, {}});
    found->weights.push_back(weights.name);
  }
  all_ = known.size() == rates_.size();
}

void LearningRates::begin() {
  for (auto& rate : rates_) rate.first = rate.told = *rate.value;
}

void LearningRates::tell(std::int64_t epochs) {
  bool const one = all_ && std::ranges::all_of(rates_, [&](Rate const& rate) {
                     return *rate.value == *rates_.front().value;
                   });
  bool told = false;
  for (auto& rate : rates_) {
    if (*rate.value == rate.told) continue;
    rate.told = *rate.value;
    if (one && told) continue;
    told = true;
    std::string const whose =
        one ? "global learning rate"
            : "learning rate of `" + std::string(rate.weights.front()) + "`" +
                  (rate.weights.size() == 1 ? std::string()
                                            : fmt::format(" and {} more", rate.weights.size() - 1));
    run_.log.line(fmt::format("Model {}: changing {} to {:g} at epoch {}", run_.trainer, whose,
                              *rate.value, epochs));
  }
}

}  // namespace lbann::runtime
