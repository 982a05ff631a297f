// Which thread of a team reads and writes which memory, page by page, found by page faults: the
// parts of kernels run one after the other, and before each all pages are protected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lbann::testing {

/// Bytes in whole pages that come from the cache of another thread's core, or have to leave it.
struct ExchangedBytes {
  std::int64_t read = 0;         ///< that another thread has written, and this one not read since
  std::int64_t overwritten = 0;  ///< that another thread has written, or read since
  std::int64_t sum() const { return read + overwritten; }
};

/// One at a time, on one thread.
class TouchedPages {
 public:
  /// Of memory that begins and ends with pages. What nobody has touched while threads touched
  /// `cached` bytes of others has left all caches.
  explicit TouchedPages(std::vector<std::span<std::byte>> const& memory,
                        std::int64_t cached = std::int64_t{64} << 20);
  ~TouchedPages();
  TouchedPages(TouchedPages const&) = delete;
  TouchedPages& operator=(TouchedPages const&) = delete;

  /// Whatever is touched from now on, `thread` touches.
  void begin(std::int64_t thread);
  /// Nobody has written `memory`, a part of what this was made with.
  void forget(std::span<std::byte> memory);
  /// Since the last call.
  ExchangedBytes take();

 private:
  struct Page {
    std::int8_t writer = -1;    ///< the last one
    std::uint64_t holders = 0;  ///< the writer and those that have read since
    std::int64_t time = 0;      ///< of the last touch, in bytes that threads had touched
  };
  struct Region {
    std::span<std::byte> memory;
    std::vector<Page> pages;
  };

  static void on_fault(int signal, void* info, void* context);
  bool touch(std::byte const* address, bool writes);

  std::vector<Region> regions_;
  std::int64_t cached_ = 0, time_ = 0;
  std::int64_t thread_ = 0;
  ExchangedBytes exchanged_;
};

}  // namespace lbann::testing
