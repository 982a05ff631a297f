// Events in the JSON of the Trace Event Format: complete events of instructions and reads, pairs of
// asynchronous ones for messages, which overlap them.
#include "runtime/observation/trace.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace lbann::runtime {

namespace {

/// Capacity for events of a rank: some megabytes, thousands of small steps.
constexpr std::size_t most_events = 200'000;
constexpr std::size_t most_messages = 4096;

std::string json_text(std::string const& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Trace::Trace(Communicator& world) : world_(world), posted_(most_messages), arrived_(most_messages) {
  events_.reserve(most_events);
  world.barrier();
  origin_ = Clock::now();
}

void Trace::record(Event const& event) {
  if (events_.size() < events_.capacity())
    events_.push_back(event);
  else
    ++dropped_;
}

void Trace::run(BoundEntry const& entry) {
  using Step = BoundEntry::Kind;
  auto const record_arrival = [&](BoundEntry::Step const& step, Clock::time_point now) {
    if (step.message >= most_messages || arrived_[step.message]) return;
    arrived_[step.message] = true;
    record({Kind::message, &entry, step.instruction, runs_, posted_[step.message], now});
  };
  Executor::run(entry, [&](BoundEntry::Step const& step) {
    auto const begin = Clock::now();
    bool const arrived = step.kind == Step::poll && entry.transfers[step.message]->arrived();
    if (step.kind != Step::poll) step.kernel->run();
    if (step.kind == Step::compute) wait_for_device();
    auto const end = Clock::now();
    if (step.kind == Step::compute)
      record({Kind::instruction, &entry, step.instruction, runs_, begin, end});
    if (step.kind == Step::post && step.message < most_messages) {
      posted_[step.message] = begin;
      arrived_[step.message] = false;
    }
    if (step.kind == Step::await || step.kind == Step::barrier)
      record({Kind::wait, &entry, step.instruction, runs_, begin, end});
    if (arrived || step.kind == Step::await) record_arrival(step, end);
  });
  ++runs_;
}

void Trace::read(MiniBatch const& batch) {
  for (auto const& part : batch.parts)
    if (part.samples > 0)
      record({Kind::read, nullptr, static_cast<std::size_t>(part.thread), runs_, part.begin,
              part.end});
}

/// The events of this rank, one per line, each but the last of all ranks followed by a comma.
std::string Trace::json() const {
  auto const rank = world_.rank();
  auto const micros = [&](Clock::time_point time) {
    return std::chrono::duration<double, std::micro>(time - origin_).count();
  };
  std::string text;
  auto const name = [&](char const* what, std::int64_t thread, std::string const& value) {
    text += fmt::format(R"({{"name":"{}","ph":"M","pid":{},"tid":{},"args":{{"name":{}}}}},)"
                        "\n",
                        what, rank, thread, json_text(value));
  };
  name("process_name", 0, "rank " + std::to_string(rank));
  name("thread_name", 0, "instructions");
  if (dropped_ > 0)
    name("process_labels", 0, std::to_string(dropped_) + " later events were not kept");
  std::int64_t number = 0;
  for (auto const& event : events_) {
    auto const begin = micros(event.begin), time = micros(event.end) - begin;
    if (event.kind == Kind::read) {
      text += fmt::format(
          R"({{"name":"read mini-batch","cat":"data","ph":"X","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f}}},)"
          "\n",
          rank, event.index + 1, begin, time);
      continue;
    }
    auto const& instruction = event.entry->entry->instructions[event.index];
    auto const name =
        json_text(std::string(name_of(instruction.op)) + ' ' + instruction.origin.name);
    auto const arguments = fmt::format(R"({{"entry":{},"run":{},"instruction":{},"where":{}}})",
                                       json_text(event.entry->entry->name), event.run, event.index,
                                       json_text(event.entry->descriptions[event.index]));
    if (event.kind == Kind::message) {
      ++number;
      for (auto const& [phase, time_point] : {std::pair{'b', begin}, std::pair{'e', begin + time}})
        text += fmt::format(
            R"({{"name":{},"cat":"message","ph":"{}","id":{},"pid":{},"tid":0,"ts":{:.3f},"args":{}}},)"
            "\n",
            name, phase, number, rank, time_point, arguments);
    } else {
      text += fmt::format(
          R"({{"name":{},"cat":"{}","ph":"X","pid":{},"tid":0,"ts":{:.3f},"dur":{:.3f},"args":{}}},)"
          "\n",
          name, event.kind == Kind::wait ? "wait" : "instruction", rank, begin, time, arguments);
    }
  }
  return text;
}

Result<Success> Trace::write(std::filesystem::path const& path) const {
  auto const own = json();
  auto const all = world_.gather(std::as_bytes(std::span(own)));
  if (world_.rank() != 0) return Success{};
  auto const part = path.string() + ".part";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(part.c_str(), "wb"),
                                                       &std::fclose);
  bool good = file != nullptr && std::fputs("{\"traceEvents\":[\n", file.get()) >= 0;
  for (std::size_t i = 0; good && i < all.size(); ++i) {
    // JSON allows no comma after the last event.
    auto const size = all[i].size() - (i + 1 == all.size() ? 2 : 0);
    good = std::fwrite(all[i].data(), 1, size, file.get()) == size;
  }
  good = good && std::fputs("\n]}\n", file.get()) >= 0 && std::fclose(file.release()) == 0;
  std::error_code error;
  if (good) std::filesystem::rename(part, path, error);
  if (!good || error) {
    std::filesystem::remove(part, error);
    return Problem{path.string() + ": the trace cannot be written"};
  }
  return Success{};
}

}  // namespace lbann::runtime
