// Console lines bare, as scripts parse them; the file through spdlog, with times.
#include "runtime/observation/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <unistd.h>

namespace lbann::runtime {

struct Log::LogFile {
  spdlog::logger logger;
};

Log::Log(std::FILE* console)
    : console_(console), terminal_(console != nullptr && ::isatty(::fileno(console)) == 1) {}

Log::~Log() { flush(); }

Result<Success> Log::open(std::filesystem::path const& path) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(path.string(), true);
    file_ = std::make_unique<LogFile>(LogFile{spdlog::logger("run", std::move(sink))});
    file_->logger.set_pattern("%Y-%m-%d %H:%M:%S.%e %v");
  } catch (spdlog::spdlog_ex const& error) {
    return Problem{error.what()};
  }
  return Success{};
}

void Log::line(std::string_view text) {
  if (console_ != nullptr) {
    if (has_status_) std::fputs("\r\x1b[K", console_);
    std::fwrite(text.data(), 1, text.size(), console_);
    std::fputc('\n', console_);
    std::fflush(console_);
  }
  has_status_ = false;
  note(text);
}

void Log::note(std::string_view text) {
  if (file_ != nullptr) file_->logger.info(text);
}

void Log::status(std::string_view text) {
  if (!terminal_) return;
  std::fputs("\r\x1b[K", console_);
  std::fwrite(text.data(), 1, text.size(), console_);
  std::fflush(console_);
  has_status_ = true;
}

void Log::flush() {
  if (console_ != nullptr && has_status_) std::fputc('\n', console_);
  has_status_ = false;
  if (console_ != nullptr) std::fflush(console_);
  if (file_ != nullptr) file_->logger.flush();
}

}  // namespace lbann::runtime
