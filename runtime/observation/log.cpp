// Plain console lines, as scripts parse them; the file through spdlog, with time stamps.
#include "runtime/observation/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lbann::runtime {

struct Log::LogFile {
  spdlog::logger logger;
};

Log::Log(std::FILE* console, LogStyle style)
    : console_(console),
      style_(style),
      terminal_(console != nullptr && ::isatty(::fileno(console)) == 1) {}

Log::~Log() { flush(); }

Result<Success> Log::open(std::filesystem::path const& path, bool append) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(path.string(), !append);
    file_ = std::make_unique<LogFile>(LogFile{spdlog::logger("run", std::move(sink))});
    file_->logger.set_pattern("%Y-%m-%d %H:%M:%S.%e %v");
  } catch (spdlog::spdlog_ex const& error) {
    return Problem{error.what()};
  }
  return Success{};
}

void Log::line(std::string_view text) {
  table(text);
  note(text);
}

void Log::detail(std::string_view text) {
  if (style_ == LogStyle::lbann)
    line(text);
  else
    note(text);
}

void Log::table(std::string_view text) {
  if (has_status_) show("\r\x1b[K");
  show(text);
  show("\n");
  flush_console();
  has_status_ = false;
}

void Log::show(std::string_view text) {
  if (console_ == nullptr) return;
  if (std::fwrite(text.data(), 1, text.size(), console_) != text.size()) disable_console();
}

void Log::flush_console() {
  if (console_ != nullptr && std::fflush(console_) != 0) disable_console();
}

void Log::disable_console() {
  note(std::string("the console cannot be written (") + std::strerror(errno) +
       "): all further lines stand here only");
  console_ = nullptr;
  terminal_ = false;
}

void Log::note(std::string_view text) {
  if (file_ != nullptr) file_->logger.info(text);
}

void Log::status(std::string_view text) {
  if (!terminal_) return;
  show("\r\x1b[K");
  show(text);
  flush_console();
  has_status_ = terminal_;
}

void Log::flush() {
  // A row of the table takes the place of its bar.
  if (has_status_) show(style_ == LogStyle::table ? "\r\x1b[K" : "\n");
  has_status_ = false;
  flush_console();
  if (file_ != nullptr) file_->logger.flush();
}

}  // namespace lbann::runtime
