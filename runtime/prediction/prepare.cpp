// The outputs, the reader, and the data in place of its own.
#include "runtime/prediction/prepare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/loading/plan_file.hpp"
#include "runtime/prediction/choose_outputs.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/samples/open_samples.hpp"

namespace lbann::runtime {

namespace {

DataSource const* choose_source(Plan const& plan) {
  for (auto const role : {ExecutionMode::prediction, ExecutionMode::testing,
                          ExecutionMode::validation, ExecutionMode::training}) {
    auto const found = std::ranges::find(plan.data, role, &DataSource::role);
    if (found != plan.data.end()) return &*found;
  }
  return nullptr;
}

Value* find_field(Record& record, std::string_view name) {
  for (auto& [field, value] : record.fields)
    if (field == name) return &value;
  return nullptr;
}

void set(Record& record, std::string_view name, Value value) {
  if (auto* const field = find_field(record, name)) *field = std::move(value);
}

/// Numbers of characters stay those of `files`, where the reader takes them from what it reads.
void keep_vocabulary(Record& record, std::vector<std::string> const& files) {
  auto const* const said = find_field(record, "vocabulary");
  auto* const from = find_field(record, "vocabulary_filenames");
  if (said == nullptr || from == nullptr || !std::get<std::string>(*said).empty()) return;
  if (auto& named = std::get<std::vector<std::string>>(*from); named.empty()) named = files;
}

/// Lets `source` read `path` in place of its file or folder, all samples of it.
Result<Success> replace_data(Plan const& plan, DataSource& source, std::string path,
                             OpenContext const& context) {
  auto& record = source.reader.record;
  auto const reader = reader_of(source);
  auto const file = reader ? file_of_samples(*reader, context) : FileOfSamples{};
  auto* const field = find_field(record, file.field);
  auto* const one = field == nullptr ? nullptr : std::get_if<std::string>(field);
  auto* const several = field == nullptr ? nullptr : std::get_if<std::vector<std::string>>(field);
  if ((one == nullptr && several == nullptr) || file.field == "module")
    return Problem{
        located(plan.sources, source.reader.span,
                fmt::format("reader `{}` reads no file that --data could replace", record.type))};
  // What the user's shell completes is not looked up in --data-root.
  std::error_code error;
  if (std::filesystem::exists(path, error)) path = std::filesystem::absolute(path, error).string();
  if (several != nullptr) {
    keep_vocabulary(record, *several);
    several->assign({path});
  } else {
    *one = path;
  }
  // Other files of the reader stay where they are.
  if (file.in_folder && !std::filesystem::path(path).is_absolute())
    set(record, "data_filedir", std::string());
  if (file.field != "sample_list") set(record, "sample_list", std::string());
  for (auto const* each : {"sample_list_per_trainer", "sample_list_per_model"})
    set(record, each, false);
  set(record, "sample_range", std::vector<std::int64_t>());
  set(record, "first_n", std::int64_t{0});
  set(record, "absolute_sample_count", std::int64_t{0});
  set(record, "fraction_of_data_to_use", 1.0);
  source.samples = -1;
  return Success{};
}

/// Names of the inputs of `predict` with samples that `source` does not fill.
std::vector<std::string> unfilled(Plan const& plan, DataSource const* source) {
  std::vector<std::string> names;
  auto const* predict = plan.program.entry_point(predict_entry);
  if (predict == nullptr) return names;
  for (auto const& instruction : predict->instructions)
    for (auto const id : instruction.inputs) {
      auto const& tensor = plan.program[id];
      if (tensor.role != TensorRole::input || !tensor.type.shape.has_batch()) continue;
      if (source != nullptr &&
          std::ranges::find(source->fields, id, &DataField::tensor) != source->fields.end())
        continue;
      if (std::ranges::find(names, tensor.name) == names.end()) names.push_back(tensor.name);
    }
  return names;
}

SampleField sample_field(std::string name, TensorType const& type) {
  SampleField field{std::move(name), type.type, {}};
  for (std::size_t i = 1; i < type.shape.rank(); ++i)
    field.dims.push_back(type.shape.extents[i].size);
  return field;
}

}  // namespace

std::vector<SampleField> PreparedPrediction::inputs() const {
  std::vector<SampleField> fields;
  if (plan.data.empty()) return fields;
  for (auto const& field : plan.data.front().fields)
    fields.push_back(sample_field(field.name, plan.program[field.tensor].type));
  return fields;
}

std::vector<SampleField> PreparedPrediction::predictions() const {
  std::vector<SampleField> fields;
  for (auto const& output : outputs) {
    bool const several = std::ranges::count(outputs, output.layer, &ModelOutput::layer) > 1;
    fields.push_back(sample_field(
        several ? fmt::format("{}_output{}", output.layer, output.index) : output.layer,
        plan.program[output.tensor].type));
  }
  return fields;
}

std::string words(std::vector<SampleField> const& fields) {
  std::string text;
  for (auto const& field : fields)
    text += fmt::format("{}`{}` [{}]", text.empty() ? "" : ", ", field.name,
                        fmt::join(field.dims, ", "));
  return text;
}

Result<PreparedPrediction> prepare_prediction(std::filesystem::path const& path,
                                              PredictionOptions const& options,
                                              OpenContext const& context, bool reads) {
  auto file = read_plan(path);
  if (!file) return file.problem();
  auto& plan = file.value().plan;
  auto const problem = [&](std::string const& message) {
    return Problem{path.string() + ": " + message};
  };
  if (!plan.unimplemented.empty())
    return problem(
        fmt::format("the plan was compiled with --allow-unbuilt and asks for what is not "
                    "supported yet: {}",
                    fmt::join(plan.unimplemented, ", ")));
  auto outputs = choose_outputs(plan, options.layers);
  if (!outputs) return problem(outputs.problem().message);
  PreparedPrediction prepared{{}, std::move(outputs).value(), {}, {}};
  prepared.plan = prediction_plan(std::move(plan), prepared.outputs);
  auto& data = prepared.plan.data;
  auto const* const chosen = choose_source(prepared.plan);
  if (chosen != nullptr) data = {*chosen};
  if (auto const missing = unfilled(prepared.plan, chosen == nullptr ? nullptr : &data.front());
      !missing.empty())
    return problem(fmt::format("no reader gives the data that predictions depend on: `{}`",
                               fmt::join(missing, "`, `")));
  if (chosen == nullptr)
    return reads ? Result<PreparedPrediction>(problem(
                       "the experiment has no data reader whose samples could be predicted"))
                 : Result<PreparedPrediction>(std::move(prepared));
  auto& source = data.front();
  prepared.role = source.role;
  source.role = ExecutionMode::testing;
  set(source.reader.record, "role", reader_role(ExecutionMode::testing));
  set(source.reader.record, "validation_fraction", 0.0);
  set(source.reader.record, "tournament_fraction", 0.0);
  if (!options.data.empty())
    if (auto done = replace_data(prepared.plan, source, options.data, context); !done)
      return done.problem();
  if (reads) prepared.python.emplace(prepared.plan, context);
  return prepared;
}

}  // namespace lbann::runtime
