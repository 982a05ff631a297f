// Field numbers are those of tensorflow's protobuf files.
#include "runtime/observation/event_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/process/host_name.hpp"

namespace lbann::runtime {

namespace {

namespace event_field {
constexpr std::uint32_t wall_time = 1, step = 2, file_version = 3, graph = 4, summary = 5,
                        session_log = 7;
}
namespace value_field {
constexpr std::uint32_t tag = 1, simple_value = 2, image = 4, histogram = 5, metadata = 9;
}

constexpr std::size_t buckets = 30;
constexpr double seconds_between_flushes = 5;

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  constexpr std::uint32_t polynomial = 0x82f63b78;  // reflected
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    auto value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? polynomial : 0);
    table[i] = value;
  }
  return table;
}();

/// As TFRecord stores it (tensorflow/core/lib/hash/crc32c.h).
std::uint32_t masked_crc(std::string_view bytes) {
  auto const crc = crc32c(bytes);
  return (crc >> 15 | crc << 17) + 0xa282ead8U;
}

template <class Number>
std::string little_endian(Number value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof value; ++i, value = static_cast<Number>(value >> 8))
    bytes += static_cast<char>(value);
  return bytes;
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (char const c : bytes)
    crc = crc >> 8 ^ crc_table[(crc ^ static_cast<unsigned char>(c)) & 255];
  return ~crc;
}

Result<EventFile> EventFile::create(std::filesystem::path const& folder, std::int64_t first_step) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  auto const path =
      folder / fmt::format("events.out.tfevents.{}.{}.{}", static_cast<std::int64_t>(seconds_now()),
                           host_name(), ::getpid());
  auto* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr)
    return Problem{path.string() + ": cannot be created: " + std::strerror(errno)};
  EventFile events(path, file);
  events.event_.number(event_field::wall_time, seconds_now());
  events.event_.text(event_field::file_version, "brain.Event:2");
  events.record(events.event_.bytes());
  if (first_step >= 0) {
    ProtobufMessage start;
    start.integer(1, 1);  // SessionLog.status START
    events.event(first_step, event_field::session_log, start);
  }
  return events;
}

EventFile::EventFile(std::filesystem::path path, std::FILE* file)
    : path_(std::move(path)), file_(file, &std::fclose) {}

void EventFile::scalar(std::string_view tag, std::int64_t step, double number) {
  value_.clear();
  value_.text(value_field::tag, tag);
  value_.number(value_field::simple_value, static_cast<float>(number));
  value(step);
}

void EventFile::histogram(std::string_view tag, std::int64_t step, std::span<double const> values) {
  auto least = std::numeric_limits<double>::infinity(), most = -least;
  double count = 0, sum = 0, squares = 0;
  for (auto const x : values) {
    if (!std::isfinite(x)) continue;
    least = std::min(least, x);
    most = std::max(most, x);
    ++count;
    sum += x;
    squares += x * x;
  }
  if (count == 0) return;
  std::array<double, buckets> limits{}, counts{};
  for (std::size_t i = 0; i < buckets; ++i)
    limits[i] = i + 1 == buckets ? most
                                 : least + (most - least) * static_cast<double>(i + 1) /
                                               static_cast<double>(buckets);
  for (auto const x : values) {
    if (!std::isfinite(x)) continue;
    auto const bucket = std::ranges::lower_bound(limits, x) - limits.begin();
    ++counts[static_cast<std::size_t>(bucket)];
  }
  ProtobufMessage histogram;
  histogram.number(1, least);
  histogram.number(2, most);
  histogram.number(3, count);
  histogram.number(4, sum);
  histogram.number(5, squares);
  histogram.numbers(6, limits);
  histogram.numbers(7, counts);
  value_.clear();
  value_.text(value_field::tag, tag);
  value_.message(value_field::histogram, histogram);
  value(step);
}

Result<Success> EventFile::image(std::string_view tag, std::int64_t step, Pixels const& pixels) {
  auto const bytes = encode_png(pixels);
  if (!bytes) return bytes.problem();
  ProtobufMessage image;
  image.integer(1, static_cast<std::int64_t>(pixels.height));
  image.integer(2, static_cast<std::int64_t>(pixels.width));
  image.integer(3, 3);  // RGB
  image.text(4, {reinterpret_cast<char const*>(bytes.value().data()), bytes.value().size()});
  value_.clear();
  value_.text(value_field::tag, tag);
  value_.message(value_field::image, image);
  value(step);
  return Success{};
}

void EventFile::graph(std::span<Node const> nodes) {
  ProtobufMessage graph;
  for (auto const& node : nodes) {
    ProtobufMessage definition;
    definition.text(1, node.name);
    definition.text(2, node.type);
    for (auto const& input : node.inputs) definition.text(3, input);
    graph.message(1, definition);
  }
  event(0, event_field::graph, graph);
}

void EventFile::hyper_parameters(std::string_view run, std::span<HyperParameter const> values) {
  // tensorboard/plugins/hparams/plugin_data.proto and api.proto; google/protobuf/struct.proto.
  ProtobufMessage start;
  for (auto const& [name, setting] : values) {
    ProtobufMessage content, entry;
    if (auto const* number = std::get_if<double>(&setting))
      content.number(2, *number);
    else
      content.text(3, std::get<std::string>(setting));
    entry.text(1, name);
    entry.message(2, content);
    start.message(1, entry);
  }
  start.text(4, run);
  start.number(5, seconds_now());
  ProtobufMessage data, plugin, metadata;
  data.message(3, start);
  plugin.text(1, "hparams");
  plugin.message(2, data);
  metadata.message(1, plugin);
  value_.clear();
  value_.text(value_field::tag, "_hparams_/session_start_info");
  value_.message(value_field::metadata, metadata);
  value(0);
}

Result<Success> EventFile::flush() {
  if (std::fflush(file_.get()) == 0 && std::ferror(file_.get()) == 0) return Success{};
  return Problem{path_.string() + ": cannot be written: " + std::strerror(errno)};
}

void EventFile::value(std::int64_t step) {
  summary_.clear();
  summary_.message(1, value_);
  event(step, event_field::summary, summary_);
}

void EventFile::event(std::int64_t step, std::uint32_t field, ProtobufMessage const& content) {
  auto const now = seconds_now();
  event_.clear();
  event_.number(event_field::wall_time, now);
  event_.integer(event_field::step, step);
  event_.message(field, content);
  record(event_.bytes());
  if (now - flushed_ < seconds_between_flushes) return;
  std::fflush(file_.get());
  flushed_ = now;
}

void EventFile::record(std::string_view bytes) {
  auto const write = [&](std::string_view part) {
    std::fwrite(part.data(), 1, part.size(), file_.get());
  };
  auto const length = little_endian(std::uint64_t{bytes.size()});
  write(length);
  write(little_endian(masked_crc(length)));
  write(bytes);
  write(little_endian(masked_crc(bytes)));
}

}  // namespace lbann::runtime
