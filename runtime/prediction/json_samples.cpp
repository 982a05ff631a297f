// Lists of numbers, checked against the dims of fields.
#include "runtime/prediction/json_samples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

namespace lbann::runtime {

namespace {

using Json = nlohmann::json;

std::string dims_text(std::vector<std::int64_t> const& dims) {
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

/// Lists in lists, at most: each is a call of a function.
constexpr std::size_t deepest = 64;

void without_ones(std::vector<std::int64_t>& dims) { std::erase(dims, 1); }

/// Appends the numbers of a sample to the bytes of its field.
class SampleReader {
 public:
  SampleReader(SampleField const& field, std::vector<std::byte>& to) : field_(field), to_(to) {}

  /// Nothing, or what is wrong with `sample`.
  std::string read(Json const& sample) {
    sizes_.clear();
    count_ = 0;
    wrong_.clear();
    look_at(sample, 0);
    if (!wrong_.empty()) return wrong_;
    auto found = sizes_, wanted = field_.dims;
    without_ones(found);
    without_ones(wanted);
    bool const flat = sizes_.size() == 1 && sizes_[0] == field_.elements();
    if (found != wanted && !flat)
      return "it is " + (sizes_.empty() ? "a number" : dims_text(sizes_)) + ", not " +
             dims_text(field_.dims);
    return {};
  }

 private:
  void look_at(Json const& value, std::size_t depth) {
    if (!wrong_.empty()) return;
    if (value.is_array()) {
      auto const size = static_cast<std::int64_t>(value.size());
      if (depth == deepest)
        wrong_ = fmt::format("it has lists within {} lists", deepest);
      else if (count_ == 0 && depth == sizes_.size())
        sizes_.push_back(size);
      else if (depth >= sizes_.size() || sizes_[depth] != size)
        wrong_ = "its lists are not all of the same size";
      for (auto const& entry : value) look_at(entry, depth + 1);
      return;
    }
    if (value.is_object())
      wrong_ = "an object is no number";
    else if (!value.is_number())
      wrong_ = fmt::format("`{}` is no number", value.dump().substr(0, 60));
    else if (depth != sizes_.size())
      wrong_ = "its lists are not all of the same size";
    else
      append(value.get<double>());
  }

  void append(double value) {
    if (++count_ > field_.elements()) return;
    auto const narrow = static_cast<float>(value);
    bool const wide = field_.type == DataType::f64;
    if (!(wide ? std::isfinite(value) : std::isfinite(narrow))) {
      wrong_ = fmt::format("{} is too large for {}", value, name_of(field_.type));
      return;
    }
    auto const* const from = wide ? reinterpret_cast<std::byte const*>(&value)
                                  : reinterpret_cast<std::byte const*>(&narrow);
    to_.insert(to_.end(), from, from + bytes_of(field_.type));
  }

  SampleField const& field_;
  std::vector<std::byte>& to_;
  std::vector<std::int64_t> sizes_;  ///< of the lists in lists
  std::int64_t count_ = 0;
  std::string wrong_;
};

Result<std::int64_t> read_field(Json const& list, SampleField const& field,
                                std::vector<std::byte>& values) {
  if (!list.is_array())
    return Problem{
        fmt::format("`{}` is no list of samples of {}", field.name, dims_text(field.dims))};
  SampleReader reader(field, values);
  for (std::size_t i = 0; i < list.size(); ++i)
    if (auto const wrong = reader.read(list[i]); !wrong.empty())
      return Problem{fmt::format("sample {} of `{}`: {}", i, field.name, wrong)};
  return static_cast<std::int64_t>(list.size());
}

std::string names_of(std::vector<SampleField> const& fields) {
  std::string text;
  for (auto const& field : fields) text += (text.empty() ? "`" : ", `") + field.name + "`";
  return text;
}

template <class T>
void append_number(std::string& text, std::byte const* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  if (std::isfinite(value))
    fmt::format_to(std::back_inserter(text), "{}", value);
  else
    text += "null";
}

/// Appends lists in lists of sizes `dims`; gives the byte behind them.
std::byte const* append_lists(std::string& text, DataType type, std::span<std::int64_t const> dims,
                              std::byte const* from) {
  if (dims.empty()) {
    if (type == DataType::f64)
      append_number<double>(text, from);
    else
      append_number<float>(text, from);
    return from + bytes_of(type);
  }
  text += '[';
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    if (i > 0) text += ',';
    from = append_lists(text, type, dims.subspan(1), from);
  }
  text += ']';
  return from;
}

}  // namespace

Result<JsonRequest> parse_request(std::string_view line, std::vector<SampleField> const& fields) {
  Json request;
  try {
    request = Json::parse(line);
  } catch (Json::exception const& error) {
    return Problem{std::string("no JSON: ") + error.what()};
  }
  if (request.is_array() && fields.size() == 1)
    request = Json{{fields.front().name, std::move(request)}};
  if (!request.is_object())
    return Problem{"a request is an object with a list of samples for each of " + names_of(fields) +
                   (fields.size() == 1 ? ", or that list alone" : "")};
  for (auto const& [key, value] : request.items())
    if (std::ranges::find(fields, key, &SampleField::name) == fields.end())
      return Problem{"`" + key + "` is nothing that predictions depend on; they take " +
                     names_of(fields)};
  JsonRequest read;
  for (auto const& field : fields) {
    auto const found = request.find(field.name);
    if (found == request.end()) return Problem{"`" + field.name + "` is missing"};
    auto const count = read_field(*found, field, read.values.emplace_back());
    if (!count) return count.problem();
    if (&field != &fields.front() && count.value() != read.samples)
      return Problem{fmt::format("`{}` has {} samples, `{}` has {}", fields.front().name,
                                 read.samples, field.name, count.value())};
    read.samples = count.value();
  }
  return read;
}

std::string answer_text(std::vector<SampleField> const& fields,
                        std::vector<std::vector<std::byte>> const& values, std::int64_t samples) {
  std::string text = "{";
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) text += ',';
    text += Json(fields[i].name).dump() + ":[";
    auto const* at = values[i].data();
    for (std::int64_t sample = 0; sample < samples; ++sample) {
      if (sample > 0) text += ',';
      at = append_lists(text, fields[i].type, fields[i].dims, at);
    }
    text += ']';
  }
  return text + '}';
}

std::string error_text(std::string const& message) {
  return Json{{"error", message}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lbann::runtime
