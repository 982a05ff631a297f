// Putting together what is known about the shapes of samples.
#include "compiler/experiment/data_fields.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "compiler/diagnostics/render.hpp"
#include "compiler/experiment/probe.hpp"
#include "schemas/data_readers/mnist.hpp"
#include "schemas/data_readers/numpy.hpp"
#include "schemas/diagnostics/catalogue.hpp"

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

std::vector<FieldDims> read_arguments(std::vector<std::string> const& arguments,
                                      std::vector<Source>& sources, Report& report) {
  constexpr std::string_view option = "--field ";
  std::vector<FieldDims> fields;
  for (auto const& argument : arguments) {
    auto const file = static_cast<std::uint32_t>(sources.size());
    sources.push_back({std::string(command_line_name), std::string(option) + argument});
    Span const span{file, static_cast<std::uint32_t>(option.size()),
                    static_cast<std::uint32_t>(option.size() + argument.size())};
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

/// One file of a reader and the field it gives.
struct DataFile {
  std::string field;    ///< of the language, e.g. `data_filename`
  std::string path;     ///< as written, in its folder
  std::string gives;    ///< data field whose dims it tells; empty: only its count
  bool labels = false;  ///< class numbers, one per sample
  Result<FileHeader> (*probe)(std::string const& path) = nullptr;
};

std::string in_folder(std::string const& folder, std::string const& name) {
  return folder.empty() ? name : (std::filesystem::path(folder) / name).string();
}

std::vector<DataFile> files_of(Declaration const& declaration) {
  if (declaration.type->name == data_readers::mnist::name) {
    auto const& reader = declaration.as<data_readers::mnist>();
    return {{"data_filename", in_folder(reader.data_filedir, reader.data_filename), "samples",
             false, probe_idx},
            {"label_filename", in_folder(reader.data_filedir, reader.label_filename), "", true,
             probe_idx}};
  }
  if (declaration.type->name == data_readers::numpy::name) {
    auto const& reader = declaration.as<data_readers::numpy>();
    std::vector<DataFile> files;
    auto const add = [&](std::string field, std::string const& name, std::string gives) {
      bool const labels = gives.empty();
      if (!name.empty())
        files.push_back({std::move(field), in_folder(reader.data_filedir, name), std::move(gives),
                         labels, probe_npy});
    };
    add("data_filename", reader.data_filename, "samples");
    add("label_filename", reader.label_filename, "");
    add("response_filename", reader.response_filename, "responses");
    return files;
  }
  return {};
}

class Completion {
 public:
  Completion(ReaderEntry& entry, Report& report) : entry_(entry), report_(report) {}

  /// Takes what the reader itself knows; reports declared fields that it does not give.
  void take_given(std::vector<data_readers::GivenField> const& given, std::int64_t samples) {
    entry_.samples = samples;
    std::vector<std::string_view> names;
    for (auto const& field : given) names.push_back(field.name);
    for (auto const& field : entry_.fields)
      if (std::find(names.begin(), names.end(), field.name.text) == names.end())
        report_
            .add(diagnostics::unknown_field, field.name.span,
                 {field.name.text, std::string(entry_.declaration.type->name)})
            .suggestions = nearest(field.name.text, names);
    std::erase_if(entry_.fields, [&](FieldDims const& field) {
      return std::find(names.begin(), names.end(), field.name.text) == names.end();
    });
    for (auto const& field : given)
      if (!field.dims.empty())
        learn(field.name, field.dims, "the reader gives " + dims_text(field.dims));
      else if (find(field.name) == nullptr)
        entry_.fields.push_back({{field.name, entry_.declaration.type_span}, {}, {}});
  }

  /// Takes what the command line says instead of what is declared.
  void take_argument(FieldDims const& argument) {
    if (auto* field = find(argument.name.text); field != nullptr)
      *field = argument;
    else
      entry_.fields.push_back(argument);
  }

  void probe(DataFile const& file, DataPlaces const& places) {
    auto const place = entry_.declaration.place_of(file.field);
    auto const found = find_file(file.path, places);
    if (!found) {
      if (auto* field = find(file.gives); field != nullptr && field->dims.empty())
        field->unknown_because = "there is no file `" + file.path + "` here to tell";
      return;
    }
    auto const header = file.probe(*found);
    if (!header.good()) {
      refuse(place, file, header.problem().message);
      return;
    }
    auto const& dims = header.value().dims;
    bool const is_list = dims.empty() || (dims.size() == 1 && dims[0] == 1);
    if (file.labels && !is_list)
      return refuse(place, file, "it holds samples of " + dims_text(dims) + ", not class numbers");
    if (!file.labels && dims.empty())
      return refuse(place, file, "it holds single numbers, not samples");
    if (!file.gives.empty())
      learn(file.gives, dims, "`" + file.path + "` holds samples of " + dims_text(dims));
    auto const samples = header.value().samples;
    if (entry_.samples >= 0 && samples != entry_.samples)
      return refuse(place, file,
                    "it holds " + std::to_string(samples) + " samples, but the files before it " +
                        std::to_string(entry_.samples));
    entry_.samples = samples;
  }

 private:
  FieldDims* find(std::string_view name) {
    for (auto& field : entry_.fields)
      if (field.name.text == name) return &field;
    return nullptr;
  }

  void refuse(Span place, DataFile const& file, std::string words) {
    report_.add(diagnostics::data_header, place,
                {file.path, std::string(entry_.declaration.type->name), std::move(words)});
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
  Report& report_;
};

}  // namespace

std::optional<std::string> find_file(std::string const& path, DataPlaces const& places) {
  std::error_code error;
  auto const exists = [&](std::filesystem::path const& candidate) {
    return std::filesystem::is_regular_file(candidate, error);
  };
  if (std::filesystem::path(path).is_absolute())
    return exists(path) ? std::optional(path) : std::nullopt;
  for (auto const& folder : {places.root, std::string("."), places.beside}) {
    if (folder.empty()) continue;
    auto const candidate = std::filesystem::path(folder) / path;
    if (exists(candidate)) return candidate.string();
  }
  return std::nullopt;
}

void complete_data_fields(Experiment& experiment, Vocabulary const& vocabulary,
                          std::vector<std::string> const& arguments, DataPlaces const& places,
                          std::vector<Source>& sources, Report& report) {
  auto const arguments_read = read_arguments(arguments, sources, report);
  std::vector<std::string> all_given;
  std::vector<bool> taken(arguments_read.size(), false);
  for (auto& entry : experiment.readers) {
    auto const* type = vocabulary.find_reader(entry.declaration.type->name);
    auto const* reader = entry.declaration.object.get();
    auto const given = type->gives(reader);
    Completion completion(entry, report);
    for (std::size_t i = 0; i < arguments_read.size(); ++i)
      for (auto const& field : given)
        if (field.name == arguments_read[i].name.text) {
          completion.take_argument(arguments_read[i]);
          taken[i] = true;
        }
    completion.take_given(given, type->samples(reader));
    for (auto const& file : files_of(entry.declaration)) completion.probe(file, places);
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

}  // namespace lbann::compiler
