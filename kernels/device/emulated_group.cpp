// Sums over emulated devices of processes of one machine, by sockets: what NCCL does for GPUs. What
// is posted travels while later work runs; until a sum is complete its memory holds NaN.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "kernels/device/device.hpp"
#include "kernels/device/emulated.hpp"
#include "kernels/device/group.hpp"

namespace lbann::device {

namespace {

using Bytes = std::vector<std::byte>;

/// Address of a process' socket: a name that goes with it.
struct Address {
  sockaddr_un name{};
  socklen_t length = 0;

  Address(GroupName const& group, std::int64_t rank) {
    // A path that begins with 0 is no file.
    auto const text =
        std::string(reinterpret_cast<char const*>(group.data())) + '.' + std::to_string(rank);
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path + 1, text.data(), text.size());
    length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  }
  sockaddr const* get() const { return reinterpret_cast<sockaddr const*>(&name); }
};

[[noreturn]] void fail_to(char const* what) {
  fail("the emulated device cannot " + std::string(what) + ": " + std::strerror(errno));
}

/// A connection to another process of the group.
class Peer {
 public:
  explicit Peer(int socket) : socket_(socket) {}
  ~Peer() { ::close(socket_); }
  Peer(Peer const&) = delete;

  void send(Bytes bytes) {
    if (!bytes.empty()) unsent_.push_back(std::move(bytes));
  }

  /// Sends what the socket takes.
  void progress() {
    while (!unsent_.empty()) {
      auto const& bytes = unsent_.front();
      auto const taken =
          ::send(socket_, bytes.data() + sent_, bytes.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (taken <= 0) return;  // full, or the process is gone, which others have to find
      sent_ += static_cast<std::size_t>(taken);
      if (sent_ < bytes.size()) return;
      unsent_.pop_front();
      sent_ = 0;
    }
  }
  bool idle() const { return unsent_.empty(); }

  /// Bytes that have arrived, at most so many.
  std::size_t receive(std::byte* to, std::size_t bytes) {
    auto const taken = ::recv(socket_, to, bytes, MSG_DONTWAIT);
    return taken > 0 ? static_cast<std::size_t>(taken) : 0;
  }

 private:
  int socket_;
  std::deque<Bytes> unsent_;
  std::size_t sent_ = 0;  ///< of the first
};

/// A sum on its way: the parts of all ranks, and how much of each is there.
struct InFlight {
  std::vector<Bytes> parts;
  std::vector<std::size_t> there;

  bool complete() const {
    for (std::size_t rank = 0; rank < parts.size(); ++rank)
      if (there[rank] < parts[rank].size()) return false;
    return true;
  }
};

/// The processes of a group. All post the same sums in the same order, so that parts need no names.
class Members {
 public:
  Members(GroupName const& name, std::size_t rank, std::size_t size) : rank_(rank), peers_(size) {
    int const listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    Address const own(name, static_cast<std::int64_t>(rank));
    if (listener < 0 || ::bind(listener, own.get(), own.length) != 0 ||
        ::listen(listener, static_cast<int>(size)) != 0)
      fail_to("listen to other processes");
    for (std::size_t other = 0; other < rank; ++other) connect(name, other);
    for (auto more = size - rank - 1; more > 0; --more) {
      int const socket = ::accept(listener, nullptr, nullptr);
      std::size_t other = 0;
      if (socket < 0 || ::recv(socket, &other, sizeof other, MSG_WAITALL) != sizeof other)
        fail_to("accept another process");
      peers_[other] = std::make_unique<Peer>(socket);
    }
    ::close(listener);
  }

  std::shared_ptr<InFlight> post(std::byte const* part, std::size_t bytes) {
    auto sum = std::make_shared<InFlight>();
    sum->parts.assign(peers_.size(), Bytes(bytes));
    sum->there.assign(peers_.size(), 0);
    sum->parts[rank_].assign(part, part + bytes);
    sum->there[rank_] = bytes;
    for (auto const& peer : peers_)
      if (peer != nullptr) peer->send(sum->parts[rank_]);
    in_flight_.push_back(sum);
    progress();
    return sum;
  }

  /// Whether the parts of `sum` are here, and this rank's with all others.
  bool complete(InFlight const& sum) {
    progress();
    return sum.complete() &&
           std::ranges::all_of(peers_, [](auto const& peer) { return !peer || peer->idle(); });
  }

 private:
  void connect(GroupName const& name, std::size_t other) {
    int const socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    Address const address(name, static_cast<std::int64_t>(other));
    while (socket >= 0 && ::connect(socket, address.get(), address.length) != 0) {
      if (errno != ECONNREFUSED) fail_to("reach another process");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // it does not listen yet
    }
    if (socket < 0 || ::send(socket, &rank_, sizeof rank_, MSG_NOSIGNAL) != sizeof rank_)
      fail_to("reach another process");
    peers_[other] = std::make_unique<Peer>(socket);
  }

  void progress() {
    for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
      if (peers_[rank] == nullptr) continue;
      peers_[rank]->progress();
      for (auto const& sum : in_flight_) {
        auto& part = sum->parts[rank];
        auto& there = sum->there[rank];
        while (there < part.size()) {
          auto const more = peers_[rank]->receive(part.data() + there, part.size() - there);
          if (more == 0) break;
          there += more;
        }
        if (there < part.size()) break;
      }
    }
    while (!in_flight_.empty() && in_flight_.front()->complete()) in_flight_.pop_front();
  }

  std::size_t rank_;
  std::vector<std::unique_ptr<Peer>> peers_;  ///< null: this process
  std::deque<std::shared_ptr<InFlight>> in_flight_;
};

template <class T>
void add(std::vector<Bytes> const& parts, T* sum, std::size_t count) {
  std::memcpy(sum, parts[0].data(), parts[0].size());
  for (std::size_t rank = 1; rank < parts.size(); ++rank) {
    auto const* const part = reinterpret_cast<T const*>(parts[rank].data());
    for (std::size_t i = 0; i < count; ++i) sum[i] += part[i];
  }
}

/// A sum's operands, and where it is. Graphs keep it.
struct Posted {
  std::shared_ptr<Members> members;
  void const* parts;
  void* sum;
  std::size_t count;
  DataType type;
  std::shared_ptr<InFlight> in_flight;

  void post() {
    auto const bytes = count * bytes_of(type);
    in_flight = members->post(static_cast<std::byte const*>(parts), bytes);
    std::memset(sum, 0xFF, bytes);
  }
  bool ready() { return members->complete(*in_flight); }
  void finish() {
    switch (type) {
      case DataType::f64:
        return add(in_flight->parts, static_cast<double*>(sum), count);
      case DataType::i32:
        return add(in_flight->parts, static_cast<std::int32_t*>(sum), count);
      case DataType::i64:
        return add(in_flight->parts, static_cast<std::int64_t*>(sum), count);
      default:
        return add(in_flight->parts, static_cast<float*>(sum), count);
    }
  }
};

class EmulatedSum final : public GroupSum {
 public:
  explicit EmulatedSum(Posted posted) : posted_(std::make_shared<Posted>(std::move(posted))) {}
  void post() override {
    enqueue([posted = posted_] { posted->post(); });
  }
  void await() override {
    enqueue_when([posted = posted_] { return posted->ready(); },
                 [posted = posted_] { posted->finish(); });
  }

 private:
  std::shared_ptr<Posted> posted_;
};

class EmulatedGroup final : public Group {
 public:
  explicit EmulatedGroup(std::shared_ptr<Members> members) : members_(std::move(members)) {}
  std::unique_ptr<GroupSum> sum(void const* parts, void* sum, std::int64_t count,
                                DataType type) override {
    return std::make_unique<EmulatedSum>(
        Posted{members_, parts, sum, static_cast<std::size_t>(count), type, nullptr});
  }

 private:
  std::shared_ptr<Members> members_;
};

}  // namespace

std::optional<GroupName> new_group() {
  std::random_device random;
  auto const text = "lbann." + std::to_string(::getpid()) + '.' + std::to_string(random());
  GroupName name{};
  std::memcpy(name.data(), text.data(), text.size());
  return name;
}

std::string identity() { return std::to_string(chosen_device()); }

std::unique_ptr<Group> join_group(GroupName const& name, std::int64_t rank, std::int64_t size) {
  return std::make_unique<EmulatedGroup>(std::make_shared<Members>(
      name, static_cast<std::size_t>(rank), static_cast<std::size_t>(size)));
}

}  // namespace lbann::device
