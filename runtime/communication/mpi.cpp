// MPI's initialisation, and the communicator on it. All collectives are non-blocking underneath, so
// that the watchdog can run while a rank waits.
#include "runtime/communication/mpi.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "runtime/communication/shared_memory.hpp"
#include "runtime/communication/waiting.hpp"
#include "runtime/process/position.hpp"

#if defined(__SANITIZE_ADDRESS__)
/// Read by LeakSanitizer at exit: off after MPI, as it would report Open MPI's leaks, not ours.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() {
  int initialised = 0;
  MPI_Initialized(&initialised);
  return initialised;
}
#endif

namespace lbann::runtime {

namespace {

MPI_Datatype mpi_type(DataType type) {
  switch (type) {
    case DataType::f32:
      return MPI_FLOAT;
    case DataType::f64:
      return MPI_DOUBLE;
    case DataType::i32:
      return MPI_INT32_T;
    case DataType::i64:
      return MPI_INT64_T;
    default:
      return MPI_DATATYPE_NULL;  // reported by MPI as an invalid type
  }
}

/// Progresses pending sums while a rank waits in shared memory: other ranks may wait for them.
void make_progress() {
  int found = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
}

void report_mpi_error(MPI_Comm*, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0, rank = 0;
  MPI_Error_string(*code, text, &length);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto const* const description = position().load();
  std::fprintf(stderr, "lbann-run: error: rank %d: MPI: %s%s%s\n", rank, text,
               description == nullptr ? "" : ", in ", description == nullptr ? "" : description);
  end_job(1);
}

void wait_for(MPI_Request& request) {
  wait_until([&] {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
}

class MpiSum final : public Transfer {
 public:
  MpiSum(MPI_Comm communicator, void const* parts, void* sum, int count, MPI_Datatype type)
      : communicator_(communicator),
        parts_(parts == sum ? MPI_IN_PLACE : parts),
        sum_(sum),
        count_(count),
        type_(type) {}
  void post() override {
    MPI_Iallreduce(parts_, sum_, count_, type_, MPI_SUM, communicator_, &request_);
  }
  bool arrived() override {
    int done = 0;
    MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }
  void await() override { wait_for(request_); }

 private:
  MPI_Comm communicator_;
  void const* parts_;
  void* sum_;
  int count_;
  MPI_Datatype type_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

class MpiMessages final : public Messages {
 public:
  MpiMessages(MPI_Comm communicator, std::int64_t most) : communicator_(communicator) {
    requests_.reserve(static_cast<std::size_t>(most));
  }
  void send(std::int64_t to, std::span<std::byte const> bytes) override {
    each_piece(bytes, [&](std::span<std::byte const> piece) {
      MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, static_cast<int>(to), tag,
                communicator_, &requests_.emplace_back());
    });
  }
  void receive(std::int64_t from, std::span<std::byte> bytes) override {
    each_piece(bytes, [&](std::span<std::byte> piece) {
      MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, static_cast<int>(from), tag,
                communicator_, &requests_.emplace_back());
    });
  }
  bool arrived() override {
    int done = 1;
    if (!requests_.empty())
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) requests_.clear();
    return done != 0;
  }

 private:
  /// MPI 3 counts in int: both ends cut a longer message alike.
  template <class Bytes, class Visit>
  static void each_piece(Bytes bytes, Visit const& visit) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (; bytes.size() > most; bytes = bytes.subspan(most)) visit(bytes.first(most));
    visit(bytes);
  }

  static constexpr int tag = 1;
  MPI_Comm communicator_;
  std::vector<MPI_Request> requests_;
};

class MpiCommunicator final : public Communicator {
 public:
  /// Takes ownership of `communicator`.
  explicit MpiCommunicator(MPI_Comm communicator) : communicator_(communicator) {
    MPI_Comm_rank(communicator, &rank_);
    MPI_Comm_size(communicator, &size_);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(&report_mpi_error, &handler);
    MPI_Comm_set_errhandler(communicator, handler);
    MPI_Errhandler_free(&handler);
  }
  ~MpiCommunicator() override {
    if (std::uncaught_exceptions() == 0) MPI_Comm_free(&communicator_);
  }

  std::int64_t rank() const override { return rank_; }
  std::int64_t size() const override { return size_; }

  void all_reduce(void* data, std::int64_t count, DataType type) override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, data, checked(count), mpi_type(type), MPI_SUM, communicator_,
                   &request);
    wait_for(request);
  }

  void broadcast(std::span<std::byte> bytes, std::int64_t root) override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(bytes.data(), checked(static_cast<std::int64_t>(bytes.size())), MPI_BYTE,
               static_cast<int>(root), communicator_, &request);
    wait_for(request);
  }

  std::vector<std::vector<std::byte>> gather(std::span<std::byte const> bytes) override {
    auto const many = static_cast<std::size_t>(size_);
    std::vector<int> counts(many), begins(many);
    int const mine = checked(static_cast<std::int64_t>(bytes.size()));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Igather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator_, &request);
    wait_for(request);
    std::int64_t all = 0;
    for (std::size_t i = 0; i < many && rank_ == 0; ++i) {
      begins[i] = checked(all);
      all += counts[i];
    }
    std::vector<std::byte> received(static_cast<std::size_t>(checked(all)));
    MPI_Igatherv(bytes.data(), mine, MPI_BYTE, received.data(), counts.data(), begins.data(),
                 MPI_BYTE, 0, communicator_, &request);
    wait_for(request);
    std::vector<std::vector<std::byte>> parts;
    for (std::size_t i = 0; i < many && rank_ == 0; ++i)
      parts.emplace_back(received.begin() + begins[i], received.begin() + begins[i] + counts[i]);
    return parts;
  }

  void barrier() override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(communicator_, &request);
    wait_for(request);
  }

  std::unique_ptr<Transfer> sum(void const* parts, void* sum, std::int64_t count,
                                DataType type) override {
    return std::make_unique<MpiSum>(communicator_, parts, sum, checked(count), mpi_type(type));
  }

  std::unique_ptr<Messages> messages(std::int64_t most) override {
    return std::make_unique<MpiMessages>(communicator_, most);
  }

  std::unique_ptr<Communicator> split(std::int64_t group) override {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(communicator_, checked(group), rank_, &part);
    return std::make_unique<MpiCommunicator>(part);
  }

  std::unique_ptr<Communicator> on_this_node() override {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &part);
    return std::make_unique<MpiCommunicator>(part);
  }

  bool on_one_node() override { return on_this_node()->size() == size_; }

  std::unique_ptr<SharedMemory> share(std::int64_t bytes) override {
    return on_one_node() ? map_shared(*this, bytes) : nullptr;
  }

 private:
  /// MPI 3 counts in int.
  int checked(std::int64_t count) const {
    if (count >= 0 && count <= std::int64_t{0x7fffffff}) return static_cast<int>(count);
    std::fprintf(stderr,
                 "lbann-run: error: rank %d: a message of %lld elements is too long for MPI\n",
                 rank_, static_cast<long long>(count));
    end_job(1);
  }

  MPI_Comm communicator_;
  int rank_ = 0, size_ = 1;
};

}  // namespace

Mpi::Mpi() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  while_waiting(&make_progress);
}

Mpi::~Mpi() {
  // During stack unwinding the other ranks would not reach MPI_Finalize; `main` ends the job.
  while_waiting(nullptr);
  if (std::uncaught_exceptions() == 0) MPI_Finalize();
}

std::unique_ptr<Communicator> Mpi::world() {
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  return std::make_unique<MpiCommunicator>(own);
}

std::string mpi_description() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string const version = text;  // Open MPI's length counts the terminating 0
  return version.substr(0, version.find('\n'));
}

bool built_with_mpi() { return true; }

void end_job(int code) {
  int initialised = 0, finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  std::fflush(nullptr);
  if (initialised != 0 && finalised == 0) MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace lbann::runtime
