// Messages say what to write instead.
#include "runtime/command/validators.hpp"

#include <CLI/CLI.hpp>

#include "runtime/checkpoints/export_weights.hpp"
#include "runtime/inspection/pack_data.hpp"
#include "runtime/prediction/row_file.hpp"
#include "schemas/callbacks/checkpoint_interval.hpp"

namespace lbann::runtime {

namespace {

/// A check that says `words` of a text that is not `good`.
template <class Good, class Words>
CLI::Validator check(char const* name, Good good, Words words) {
  return CLI::Validator(
      [good, words](std::string& text) { return good(text) ? std::string() : words(text); }, "",
      name);
}

}  // namespace

CLI::Validator not_empty() {
  return check(
      "not_empty", [](std::string const& text) { return !text.empty(); },
      [](std::string const&) { return std::string("is empty; name a path"); });
}

CLI::Validator a_name() {
  return check(
      "a_name", [](std::string const& text) { return !text.empty(); },
      [](std::string const&) { return std::string("is empty; write a name, or leave it out"); });
}

CLI::Validator an_interval() {
  return check(
      "an_interval",
      [](std::string const& text) {
        return callbacks::parse_checkpoint_interval(text).has_value();
      },
      [](std::string const& text) {
        return "`" + text + "` is no interval; write `500 steps`, `1 epoch` or `10 min`";
      });
}

CLI::Validator exportable() {
  return check(
      "exportable", [](std::string const& text) { return can_export(text); },
      [](std::string const& text) {
        return text + ": weights are exported to .safetensors or .npz files";
      });
}

CLI::Validator packable() {
  return check(
      "packable", [](std::string const& text) { return can_pack(text); },
      [](std::string const& text) { return text + ": samples are packed to .h5 or .npz files"; });
}

CLI::Validator predictable() {
  return check(
      "predictable", [](std::string const& text) { return names_predictions(text); },
      [](std::string const& text) {
        return text + ": predictions are written to .npy, .npz, .csv or .h5 files";
      });
}

}  // namespace lbann::runtime
