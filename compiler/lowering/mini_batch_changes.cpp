// Mini-batch sizes that callbacks change from epoch to epoch: which callback says so, and checks.
#include "compiler/lowering/mini_batch_changes.hpp"

#include "compiler/graph/check_callbacks.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

using callbacks::minibatch_schedule;
using callbacks::minibatch_schedule_step;
using callbacks::step_minibatch;

std::vector<Declaration const*> callbacks_with_sizes(Experiment const& experiment) {
  auto found = all_callbacks(experiment);
  std::erase_if(found, [](Declaration const* callback) {
    auto const& name = callback->type->name;
    return name != step_minibatch::name && name != minibatch_schedule::name;
  });
  return found;
}

std::int64_t starting_size(Declaration const& callback) {
  return callback.type->name == step_minibatch::name
             ? callback.as<step_minibatch>().starting_mbsize
             : callback.as<minibatch_schedule>().starting_mbsize;
}

}  // namespace

std::vector<MiniBatchChange> mini_batch_changes(Experiment const& experiment) {
  auto const found = callbacks_with_sizes(experiment);
  if (found.empty()) return {};
  auto const& callback = *found.front();
  auto const largest = experiment.mini_batch_size;
  return callback.type->name == step_minibatch::name
             ? changes_of(callback.as<step_minibatch>(), largest)
             : changes_of(callback.as<minibatch_schedule>(), steps_of(callback), largest);
}

void check_mini_batch_changes(Experiment const& experiment, Report& report) {
  auto const check_size = [&](Declaration const& declaration, std::string_view field,
                              std::int64_t size) {
    if (size > experiment.mini_batch_size)
      report.add(diagnostics::mini_batch_limited, declaration.place_of(field),
                 {std::to_string(size), std::to_string(experiment.mini_batch_size)});
  };
  auto const refuse = [&](Span second, Span first, std::string what) {
    report.add(diagnostics::mini_batch_sizes_twice, second, {std::move(what)})
        .labels.push_back({first, "the first"});
  };
  Declaration const* first = nullptr;
  for (auto const* callback : callbacks_with_sizes(experiment)) {
    if (first != nullptr)
      refuse(callback->type_span, first->type_span, "`" + std::string(callback->type->name) + "`");
    else
      first = callback;
    check_size(*callback, "starting_mbsize", starting_size(*callback));
    Declaration const* before = nullptr;
    for (auto const* step : steps_of(*callback)) {
      auto const& [epoch, size, rate, ramp_time] = step->as<minibatch_schedule_step>();
      check_size(*step, "mbsize", size);
      if (before != nullptr && before->as<minibatch_schedule_step>().epoch == epoch)
        refuse(step->place_of("epoch"), before->place_of("epoch"),
               "a step at epoch " + std::to_string(epoch));
      before = step;
    }
  }
}

}  // namespace lbann::compiler
