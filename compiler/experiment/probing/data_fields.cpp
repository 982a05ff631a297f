// Putting together what is known about the shapes of samples.
#include "compiler/experiment/probing/data_fields.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "compiler/diagnostics/render.hpp"
#include "compiler/experiment/sections.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/samples/joined_samples.hpp"
#include "schemas/samples/sample_range.hpp"
#include "schemas/transforms/apply_transforms.hpp"

namespace lbann::compiler {

namespace {

using FieldDims = ReaderEntry::FieldDims;

std::string dims_text(std::vector<std::int64_t> const& dims) { return to_text(Shape(dims)); }

/// `1x28x28`, nothing if it is something else.
std::optional<std::vector<std::int64_t>> parse_dims(std::string_view text) {
  std::vector<std::int64_t> dims;
  for (;;) {
    std::int64_t size = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc{} || size < 1) return std::nullopt;
    dims.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) break;
    if (text[0] != 'x') return std::nullopt;
    text.remove_prefix(1);
  }
  if (!checked_product(dims)) return std::nullopt;
  return dims;
}

std::vector<FieldDims> read_arguments(std::vector<GivenDims> const& arguments,
                                      std::vector<Source>& sources, Report& report) {
  std::vector<FieldDims> fields;
  for (auto const& [source, begin, end] : arguments) {
    Span const span{static_cast<std::uint32_t>(sources.size()), begin, end};
    sources.push_back(source);
    auto const argument = source.text.substr(begin, end - begin);
    auto const equals = argument.find('=');
    auto dims =
        equals == std::string::npos ? std::nullopt : parse_dims(argument.substr(equals + 1));
    if (equals == 0 || !dims) {
      report.add(diagnostics::field_syntax, span, {argument});
      continue;
    }
    fields.push_back({{argument.substr(0, equals), span}, std::move(*dims), {}});
  }
  return fields;
}

class Completion {
 public:
  Completion(ReaderEntry& entry, bool runs_user_code, Report& report)
      : entry_(entry), runs_user_code_(runs_user_code), report_(report) {}

  /// Takes what the reader itself knows; reports declared fields that it does not give.
  void take_given(std::vector<data_readers::GivenField> given, std::int64_t samples) {
    entry_.samples = samples;
    for (auto& field : given) field = transformed(std::move(field));
    std::vector<std::string_view> names;
    for (auto const& field : given) names.push_back(field.name);
    for (auto const& field : entry_.fields)
      if (std::find(names.begin(), names.end(), field.name.text) == names.end())
        report_
            .add(diagnostics::data_field_not_given, field.name.span,
                 {std::string(entry_.declaration.type->name), field.name.text})
            .suggestions = nearest(field.name.text, names);
    std::erase_if(entry_.fields, [&](FieldDims const& field) {
      return std::find(names.begin(), names.end(), field.name.text) == names.end();
    });
    for (auto const& field : given)
      if (!field.dims.empty())
        learn(field.name, field.dims, "the reader gives " + dims_text(field.dims));
      else if (find(field.name) == nullptr)
        entry_.fields.push_back(
            {{field.name, entry_.declaration.type_span}, {}, field.unknown_because});
  }

  /// Takes what the command line says instead of what is declared.
  void take_argument(FieldDims const& argument) {
    if (auto* field = find(argument.name.text); field != nullptr)
      *field = argument;
    else
      entry_.fields.push_back(argument);
  }

  /// Opens a source for what it tells of its samples; a file that is not here is no error. `named`:
  /// all paths that the reader names.
  void open(SampleSource const& source, DataPlaces const& places,
            std::vector<std::string> const& named) {
    std::vector<std::string> found;
    for (auto const& path : source.paths) {
      auto const place = source.find(path, places);
      if (!place) {
        std::string const kind = source.are_folders ? "folder" : "file";
        auto similar = places.similar(path);
        std::erase_if(similar, [&](std::string const& other) {
          return std::ranges::find(named, other) != named.end();
        });
        if (!similar.empty())
          report_
              .add(diagnostics::data_not_here, entry_.declaration.place_of(source.field),
                   {kind, path})
              .suggestions = std::move(similar);
        return leave_unknown(source.tells, "there is no " + kind + " `" + path + "` here to tell",
                             entry_.declaration.place_of(source.field));
      }
      found.push_back(place.value());
    }
    auto const opened = source.open(found);
    if (!opened)
      return refuse(source, found.size() == 1
                                ? without_name(opened.problem().message, found.front())
                                : opened.problem().message);
    auto const& samples = *opened.value();
    for (auto const& field : samples.fields())
      if (std::find(source.tells.begin(), source.tells.end(), field.name) != source.tells.end())
        learn_or_say(transformed(field), source);
    for (auto const& name : source.tells)
      if (std::ranges::find(samples.fields(), name, &data_readers::GivenField::name) ==
          samples.fields().end())
        leave_unknown({name}, "`" + source.name + "` has none");
    if (auto const good = check_count(samples.count(), entry_.samples); !good)
      refuse(source, good.problem().message);
    else
      entry_.samples = samples.count();
  }

  /// Counts the samples of `sample_range` alone.
  void take_range(std::vector<std::int64_t> const& range) {
    auto const count = count_in_range(range, entry_.samples);
    if (count)
      entry_.samples = count.value();
    else
      report_.add(diagnostics::contradicting_fields, entry_.declaration.place_of("sample_range"),
                  {"sample_range", count.problem().message});
  }

  void leave_unknown(std::vector<std::string> const& fields, std::string const& because,
                     std::optional<Span> missing_file = std::nullopt) {
    for (auto const& name : fields)
      if (auto* field = find(name); field != nullptr && field->dims.empty()) {
        field->unknown_because = because;
        field->missing_file = missing_file;
      }
  }

 private:
  /// The field as its transforms leave it in the phase of the reader. One that does not fit is
  /// reported; then the dims are not known.
  data_readers::GivenField transformed(data_readers::GivenField field) {
    if (field.dims.empty()) return field;
    for (auto const& entry : entry_.transforms) {
      if (entry.field != field.name || (entry.phase && *entry.phase != entry_.role)) continue;
      auto after = dims_after(entry.transform, field.dims);
      if (!after) {
        report_.add(diagnostics::transform_misfit, entry.declaration.type_span,
                    {std::string(entry.declaration.type->name), after.problem().message});
        entry_.transforms.clear();  // told once
        return {field.name, {}, "a transform does not fit"};
      }
      field.dims = std::move(after).value();
    }
    if (std::ranges::find(field.dims, 0) != field.dims.end())
      return {
          field.name,
          {},
          "samples have different sizes; `resize` or a crop among the transforms makes them equal"};
    return field;
  }

  void learn_or_say(data_readers::GivenField const& field, SampleSource const& source) {
    if (field.dims.empty())
      leave_unknown({field.name}, field.unknown_because);
    else
      learn(field.name, field.dims, source.told_by + " " + dims_text(field.dims));
  }

  FieldDims* find(std::string_view name) {
    for (auto& field : entry_.fields)
      if (field.name.text == name) return &field;
    return nullptr;
  }

  /// What a program wrote is a note; its last line says what it comes to.
  void refuse(SampleSource const& source, std::string const& words) {
    auto const first = words.find('\n'), last = words.rfind('\n');
    auto& diagnostic =
        report_.add(runs_user_code_ ? diagnostics::module_failed : diagnostics::data_header,
                    entry_.declaration.place_of(source.field),
                    {source.name, std::string(entry_.declaration.type->name),
                     last == words.npos ? words : words.substr(last + 1)});
    if (first != words.npos) diagnostic.notes.push_back(words.substr(first + 1));
  }

  /// Dims that are certain; what was declared must agree.
  void learn(std::string const& name, std::vector<std::int64_t> const& dims, std::string source) {
    auto* field = find(name);
    if (field == nullptr) {
      entry_.fields.push_back({{name, entry_.declaration.type_span}, dims, {}});
    } else if (field->dims.empty()) {
      field->dims = dims;
    } else if (field->dims != dims) {
      report_.add(diagnostics::field_dims_differ, field->name.span,
                  {name, dims_text(field->dims), std::move(source)});
    }
  }

  ReaderEntry& entry_;
  bool runs_user_code_;
  Report& report_;
};

/// Fields that there are not; and values, bytes times `scale` that are no bytes where a transform
/// takes bytes.
void check_transforms(ReaderEntry& entry, std::vector<data_readers::GivenField> const& given,
                      double scale, Report& report) {
  std::vector<std::string_view> names;
  for (auto const& field : given) names.push_back(field.name);
  for (auto const& each : entry.transforms) {
    auto const& type = *each.declaration.type;
    if (std::ranges::find(names, each.field) == names.end())
      report
          .add(diagnostics::data_field_not_given, each.declaration.type_span,
               {std::string(entry.declaration.type->name), each.field})
          .suggestions = nearest(each.field, names);
    else if (scale != 1 && takes_bytes(each.transform))
      report.add(diagnostics::transform_takes_bytes, each.declaration.type_span,
                 {std::string(type.name), std::string(entry.declaration.type->name),
                  std::to_string(scale)});
  }
}

}  // namespace

std::string without_name(std::string const& words, std::string const& path) {
  auto const name = "`" + path + "`: ";
  return words.starts_with(name) ? words.substr(name.size()) : words;
}

void complete_data_fields(Experiment& experiment, Declarations const& declarations,
                          std::vector<GivenDims> const& arguments, OpenContext const& context,
                          std::vector<Source>& sources, Report& report) {
  auto const arguments_read = read_arguments(arguments, sources, report);
  std::vector<std::string> all_given;
  std::vector<bool> taken(arguments_read.size(), false);
  for (auto& entry : experiment.readers) {
    auto const* type = declarations.find_reader(entry.declaration.type->name);
    auto const* reader = entry.declaration.object.get();
    auto const given = type->gives(reader);
    Completion completion(entry, type->runs_user_code, report);
    for (std::size_t i = 0; i < arguments_read.size(); ++i)
      for (auto const& field : given)
        if (field.name == arguments_read[i].name.text) {
          completion.take_argument(arguments_read[i]);
          taken[i] = true;
        }
    check_transforms(entry, given, type->byte_scale(reader), report);
    completion.take_given(given, type->samples(reader));
    if (!type->conflict(reader)) {
      auto const sources_read = type->sources(reader, context);
      std::vector<std::string> named;
      for (auto const& source : sources_read)
        for (auto const& path : source.paths) {
          named.push_back(path);
          auto const found = source.find(path, context.places);
          experiment.files.push_back(found ? found.value() : context.places.last_place(path));
        }
      for (auto const& source : sources_read)
        if (type->runs_user_code && !context.probes_user_code)
          completion.leave_unknown(source.tells,
                                   "`--probe-python` asks the module `" + source.name + "`");
        else
          completion.open(source, context.places, named);
    }
    completion.take_range(type->common(reader).sample_range);
    if (entry.samples >= 0) entry.trained_on = type->common(reader).trained_on(entry.samples);
    for (auto const& field : given) all_given.push_back(field.name);
  }
  std::vector<std::string_view> const names(all_given.begin(), all_given.end());
  for (std::size_t i = 0; i < arguments_read.size(); ++i) {
    auto const& name = arguments_read[i].name;
    if (!taken[i])
      report.add(diagnostics::unknown_field, name.span, {name.text, "data_reader"}).suggestions =
          nearest(name.text, names);
  }
}

void cap_mini_batch(Experiment& experiment) {
  std::int64_t most = 0;
  for (auto const& reader : experiment.readers) {
    if (reader.samples < 0) return;
    most = std::max(most, reader.samples);
  }
  if (!experiment.caps_mini_batch || most == 0 || experiment.mini_batch_size <= most) return;
  experiment.uncapped_mini_batch = experiment.mini_batch_size;
  experiment.mini_batch_size = most;
  if (!experiment.trainer) return;
  auto trainer = experiment.trainer.as<sections::trainer>();
  trainer.mini_batch_size = most;
  experiment.trainer.object = std::make_shared<sections::trainer const>(std::move(trainer));
}

}  // namespace lbann::compiler
