// A change for each kind of value, and where in a plan such values are.
#include "tests/runtime/mutations/plan_mutator.hpp"

#include <algorithm>

namespace lbann::testing {

namespace {

class Mutator {
 public:
  Mutator(Plan& plan, Choices& choices) : plan_(plan), choices_(choices) {}

  void change() {
    switch (choices_.below(14)) {
      case 0:
        return change_numbers();
      case 1:
        return list_or(plan_.program.tensors, 40, [&](Tensor& tensor) { change(tensor); });
      case 2:
      case 3:
        return list_or(plan_.program.entry_points, 40, [&](EntryPoint& entry) {
          if (!choices_.one_in(8))
            return list_or(entry.instructions, 4,
                           [&](Instruction& instruction) { change(instruction); });
          if (!entry.timing) entry.timing.emplace();
          change(*entry.timing);
        });
      case 4:
        return choices_.one_in(2)
                   ? change(plan_.objective)
                   : list_or(plan_.metrics, 4, [&](Measure& measure) { change(measure); });
      case 5:
        return list_or(plan_.weights, 8, [&](WeightsInfo& weights) { change(weights); });
      case 6:
        return list_or(plan_.layers, 8, [&](LayerInfo& layer) { change(layer); });
      case 7:
        return list_or(plan_.data, 8, [&](DataSource& source) { change(source); });
      case 8:
        return list_or(plan_.observations, 4, [&](Observation& each) { change(each); });
      case 9:
        return list_or(plan_.training.mini_batches, 4,
                       [&](MiniBatchChange& each) { change(each); });
      case 10:
        return list_or(plan_.sources, 8, [&](Source& source) { change(source); });
      default:
        return list_or(plan_.callbacks, 10, [&](Declared& callback) { change(callback); });
    }
  }

 private:
  /// Changes an element, or, once in so many times, the list itself.
  template <class T, class Change>
  void list_or(std::vector<T>& list, std::size_t times, Change const& change_element) {
    if (list.empty()) return list.resize(choices_.below(2));
    auto const at = choices_.below(list.size()), other = choices_.below(list.size());
    if (!choices_.one_in(times)) return change_element(list[at]);
    auto const place = list.begin() + static_cast<std::ptrdiff_t>(at);
    switch (choices_.below(5)) {
      case 0:
        list.erase(place);
        return;
      case 1: {
        auto copy = list[other];
        list.insert(place, std::move(copy));
        return;
      }
      case 2:
        return std::swap(list[at], list[other]);
      case 3:
        return list.clear();
      default:
        return list.resize(at);
    }
  }

  void change(std::int64_t& number) {
    switch (choices_.below(5)) {
      case 0:
        number = static_cast<std::int64_t>(static_cast<std::uint64_t>(number) + 1);
        return;
      case 1:
        number = static_cast<std::int64_t>(static_cast<std::uint64_t>(number) - 1);
        return;
      case 2:
        number = static_cast<std::int64_t>(static_cast<std::uint64_t>(number) * 2);
        return;
      case 3:
        number = static_cast<std::int64_t>(choices_.below(12));
        return;
      default:
        number = choices_.of(edge_integers());
    }
  }
  void change(double& number) {
    switch (choices_.below(3)) {
      case 0:
        number = -number;
        return;
      case 1:
        number *= 1000;
        return;
      default:
        number = choices_.of(edge_reals());
    }
  }
  void change(bool& value) { value = !value; }
  void change(std::uint8_t& value) { value = static_cast<std::uint8_t>(choices_.bits()); }

  /// Another name of the plan, or no name at all; nothing that leads out of a folder.
  void change(std::string& text) {
    auto const name = [&](auto const& list) { return list.empty() ? "" : choices_.of(list).name; };
    switch (choices_.below(7)) {
      case 0:
        text = name(plan_.layers);
        return;
      case 1:
        text = name(plan_.weights);
        return;
      case 2:
        text = name(plan_.metrics);
        return;
      case 3:
        text = name(plan_.program.tensors);
        return;
      case 4:
        text += 'x';
        return;
      case 5:
        text = name(plan_.program.entry_points);
        return;
      default:
        text = choices_.of(edge_texts());
    }
    std::erase(text, '/');
  }
  void change(TensorId& id) {
    auto const count = plan_.program.tensors.size();
    switch (choices_.below(4)) {
      case 0:
        id = {};
        return;
      case 1:
        id.value += 1;
        return;
      case 2:
        id.value = static_cast<std::uint32_t>(choices_.bits());
        return;
      default:
        id = TensorId(choices_.below(count));
    }
  }
  void change(Span& span) {
    auto& number = choices_.one_in(3) ? span.file : choices_.one_in(2) ? span.begin : span.end;
    number = choices_.one_in(2) ? number + 1 : static_cast<std::uint32_t>(choices_.bits());
  }
  template <class Enum, std::size_t count>
  void change(Enum& value, std::array<std::string_view, count> const&) {
    value = static_cast<Enum>(choices_.below(count));
  }
  template <class T>
  void change(std::vector<T>& list) {
    list_or(list, 3, [&](T& element) { change(element); });
  }
  void change(Shape& shape) {
    list_or(shape.extents, 3, [&](Extent& extent) {
      choices_.one_in(4) ? change(extent.batch) : change(extent.size);
    });
  }
  void change(Expression& expression) {
    if (choices_.one_in(5)) return change(expression.outputs);
    list_or(expression.nodes, 4, [&](Node& node) {
      switch (choices_.below(4)) {
        case 0:
          node.kind = static_cast<Node::Kind>(choices_.below(4));
          return;
        case 1:
          node.function = static_cast<Function>(choices_.below(60));
          return;
        case 2:
          node.arguments[choices_.below(3)] = static_cast<std::uint32_t>(choices_.below(6));
          return;
        default:
          change(node.constant);
      }
    });
  }
  void change(std::uint32_t& number) {
    number = static_cast<std::uint32_t>(choices_.one_in(4) ? choices_.bits() : choices_.below(8));
  }
  void change(Value& value) {
    if (choices_.one_in(12)) {
      Value const others[] = {true,
                              std::int64_t{1},
                              1.0,
                              std::string("a"),
                              std::vector<std::int64_t>{1},
                              std::vector<double>{1},
                              std::vector<std::string>{"a"},
                              Shape{},
                              Expression{}};
      value = choices_.of(others);
      return;
    }
    std::visit([&](auto& held) { change(held); }, value);
  }
  void change(Record& record) {
    switch (choices_.below(16)) {
      case 0:
        return change(record.type);
      default:
        list_or(record.fields, 30, [&](auto& field) {
          choices_.one_in(40) ? change(field.first) : change(field.second);
        });
    }
  }
  void change(Declared& declared) {
    choices_.one_in(10) ? change(declared.span) : change(declared.record);
  }
  void change(Origin& origin) {
    switch (choices_.below(3)) {
      case 0:
        return change(origin.name);
      case 1:
        return change(origin.pass);
      default:
        return change(origin.span);
    }
  }

  void change(Tensor& tensor) {
    switch (choices_.below(9)) {
      case 0:
        return change(tensor.name);
      case 1:
        return change(tensor.type.type, data_type_names);
      case 2:
      case 3:
        return change(tensor.type.shape);
      case 4:
        return change(tensor.role, tensor_role_names);
      case 5:
        return change(tensor.owner);
      case 6:
        return change(tensor.slot);
      case 7:
        return choices_.one_in(2) ? change(tensor.distribution.split)
                                  : change(tensor.distribution.partial);
      default:
        return change(tensor.origin);
    }
  }

  /// A shape that instructions agree on is seldom changed alone: all tensors of it change.
  void change_shapes() {
    auto const& tensors = plan_.program.tensors;
    if (tensors.empty()) return;
    auto const before = choices_.of(tensors).type.shape;
    auto after = before;
    change(after);
    for (auto& tensor : plan_.program.tensors)
      if (tensor.type.shape == before) tensor.type.shape = after;
  }

  void change(Instruction& instruction) {
    switch (choices_.below(6)) {
      case 0:
        return change(instruction.inputs);
      case 1:
        return change(instruction.outputs);
      case 2:
        return change(instruction.origin);
      default:
        return change(instruction.op);
    }
  }
  /// Tries until the operator takes the change.
  void change(Operator& op) {
    for (int i = 0; i < 8; ++i) {
      auto record = to_record(op);
      list_or(record.fields, 1000, [&](auto& field) { change(field.second); });
      auto changed = operator_from(record);
      if (!changed || to_record(*changed) == to_record(op)) continue;
      op = std::move(*changed);
      return;
    }
  }

  void change(Measure& measure) {
    switch (choices_.below(6)) {
      case 0:
        return change(measure.name);
      case 1:
        return change(measure.unit);
      case 2:
        return change(measure.step_value);
      case 3:
        return change(measure.train_sum);
      case 4:
        return change(measure.evaluate_sum);
      default:
        // Never one that runs a program.
        measure.external = Declared{{"print", {}}, {}};
    }
  }
  void change(WeightsInfo& weights) {
    switch (choices_.below(7)) {
      case 0:
        return change(weights.name);
      case 1:
        return change(weights.dims);
      case 2:
        return change(weights.tensor);
      case 3:
        return change(weights.optimizer);
      case 4:
        return change(weights.learning_rate);
      case 5:
        return change(weights.span);
      default:
        return change(weights.file);
    }
  }
  void change(LayerInfo& layer) {
    switch (choices_.below(9)) {
      case 0:
        return change(layer.name);
      case 1:
        return change(layer.type);
      case 2:
        return change(layer.parents);
      case 3:
        return change(layer.children);
      case 4:
        return change(layer.weights);
      case 5:
        return change(layer.dims);
      case 6:
        return change(layer.datatype, data_type_names);
      case 7:
        return change(layer.inserted_by);
      default:
        return change(layer.span);
    }
  }
  void change(DataSource& source) {
    switch (choices_.below(5)) {
      case 0:
        return change(source.role, reader_role_names);
      case 1:
        return change(source.samples);
      case 2:
        return list_or(source.fields, 4, [&](DataField& field) {
          choices_.one_in(3)   ? change(field.name)
          : choices_.one_in(2) ? change(field.dims)
                               : change(field.tensor);
        });
      default:
        return change(source.reader);
    }
  }
  void change(Observation& observation) {
    switch (choices_.below(5)) {
      case 0:
        return change(observation.observable, observable_names);
      case 1:
        return change(observation.name);
      case 2:
        return change(observation.index);
      case 3:
        return change(observation.entry);
      default:
        return change(observation.tensor);
    }
  }
  void change(MiniBatchChange& each) {
    return choices_.one_in(2) ? change(each.epoch) : change(each.mini_batch);
  }
  void change(Timing& timing) {
    switch (choices_.below(4)) {
      case 0:
        return change(timing.first);
      case 1:
        return change(timing.interval);
      case 2:
        return change(timing.last);
      default:
        timing.moment = static_cast<Moment>(choices_.below(6));
    }
  }
  void change(Source& source) {
    switch (choices_.below(5)) {
      case 0:
        return change(source.name);
      case 1:
        return change(source.text);
      case 2:
        return change(source.copy_of);
      case 3:
        return change(source.cause);
      default:
        return change(source.words);
    }
  }

  void change_numbers() {
    switch (choices_.below(16)) {
      case 0:
        return change(plan_.experiment);
      case 1:
        return change(plan_.type, data_type_names);
      case 2:
        return change(plan_.mini_batch_size);
      case 3:
        return change(plan_.random_seed);
      case 4:
        return change(plan_.training.max_epochs);
      case 5:
        return change(plan_.training.max_batches);
      case 6:
        return change(plan_.training.max_seconds);
      case 7:
        return change(plan_.mini_batch);
      case 8:
        return change(plan_.first_sample);
      case 9:
        return change(plan_.seed);
      case 10:
        return change(plan_.step);
      case 11:
        return change(plan_.overrides);
      case 12:
        return change(plan_.training.type);
      default:
        return change_shapes();
    }
  }

  Plan& plan_;
  Choices& choices_;
};

}  // namespace

void mutate(Plan& plan, Choices& choices) {
  Mutator mutator(plan, choices);
  for (std::size_t changes = choices.one_in(3) ? 1 + choices.below(4) : 1; changes > 0; --changes)
    mutator.change();
}

}  // namespace lbann::testing
