// Sums over GPUs by NCCL, on a stream of their own: they overlap with kernels, and are recorded
// into graphs with them. The library is looked for when it is first needed.
#include <nccl.h>

#include <cstring>

#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/group.hpp"
#include "kernels/device/shared_library.hpp"

namespace lbann::device {

namespace {

/// The library's functions, found by name: programs start without it.
struct Nccl {
  decltype(&ncclGetUniqueId) unique_id = nullptr;
  decltype(&ncclCommInitRank) join = nullptr;
  decltype(&ncclCommAbort) abort = nullptr;
  decltype(&ncclAllReduce) all_reduce = nullptr;
  decltype(&ncclGetErrorString) error_text = nullptr;
};

std::optional<Nccl> open_nccl() {
  SharedLibrary library({"libnccl.so.2"});
  Nccl nccl;
  library.find(nccl.unique_id, "ncclGetUniqueId");
  library.find(nccl.join, "ncclCommInitRank");
  library.find(nccl.abort, "ncclCommAbort");
  library.find(nccl.all_reduce, "ncclAllReduce");
  library.find(nccl.error_text, "ncclGetErrorString");
  return library.is_whole() ? std::optional(nccl) : std::nullopt;
}

std::optional<Nccl> const& nccl() {
  static auto const opened = open_nccl();
  return opened;
}

void check_nccl(ncclResult_t status, char const* call) {
  if (status != ncclSuccess && status != ncclInProgress)
    fail("the CUDA device failed in " + std::string(call) + ": " + nccl()->error_text(status));
}

ncclDataType_t type_of(DataType type) {
  switch (type) {
    case DataType::f64:
      return ncclFloat64;
    case DataType::i32:
      return ncclInt32;
    case DataType::i64:
      return ncclInt64;
    default:
      return ncclFloat32;
  }
}

cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  return event;
}

class NcclSum final : public GroupSum {
 public:
  NcclSum(ncclComm_t group, cudaStream_t sums, void const* parts, void* sum, std::int64_t count,
          DataType type)
      : group_(group),
        sums_(sums),
        parts_(parts),
        sum_(sum),
        count_(static_cast<std::size_t>(count)),
        type_(type_of(type)) {}
  ~NcclSum() override {
    cudaEventDestroy(computed_);
    cudaEventDestroy(summed_);
  }
  NcclSum(NcclSum const&) = delete;

  void post() override {
    check(cudaEventRecord(computed_, stream()), "cudaEventRecord");
    check(cudaStreamWaitEvent(sums_, computed_), "cudaStreamWaitEvent");
    check_nccl(nccl()->all_reduce(parts_, sum_, count_, type_, ncclSum, group_, sums_),
               "ncclAllReduce");
    check(cudaEventRecord(summed_, sums_), "cudaEventRecord");
  }
  void await() override { check(cudaStreamWaitEvent(stream(), summed_), "cudaStreamWaitEvent"); }

 private:
  ncclComm_t group_;
  cudaStream_t sums_;
  void const* parts_;
  void* sum_;
  std::size_t count_;
  ncclDataType_t type_;
  cudaEvent_t computed_ = new_event(), summed_ = new_event();
};

class NcclGroup final : public Group {
 public:
  NcclGroup(ncclUniqueId const& id, std::int64_t rank, std::int64_t size) {
    check(cudaStreamCreateWithFlags(&sums_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check_nccl(nccl()->join(&group_, static_cast<int>(size), id, static_cast<int>(rank)),
               "ncclCommInitRank");
  }
  // Nothing is in flight when a run ends; when it fails, nothing may wait for the others.
  ~NcclGroup() override {
    nccl()->abort(group_);
    cudaStreamDestroy(sums_);
  }
  NcclGroup(NcclGroup const&) = delete;

  std::unique_ptr<GroupSum> sum(void const* parts, void* sum, std::int64_t count,
                                DataType type) override {
    return std::make_unique<NcclSum>(group_, sums_, parts, sum, count, type);
  }

 private:
  ncclComm_t group_ = nullptr;
  cudaStream_t sums_ = nullptr;
};

}  // namespace

std::optional<GroupName> new_group() {
  if (!nccl()) return {};
  ncclUniqueId id;
  check_nccl(nccl()->unique_id(&id), "ncclGetUniqueId");
  GroupName name{};
  static_assert(sizeof id == std::tuple_size_v<GroupName>);
  std::memcpy(name.data(), &id, sizeof id);
  return name;
}

std::string identity() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  return {properties.uuid.bytes, sizeof properties.uuid.bytes};
}

std::unique_ptr<Group> join_group(GroupName const& name, std::int64_t rank, std::int64_t size) {
  ncclUniqueId id;
  std::memcpy(&id, name.data(), sizeof id);
  return std::make_unique<NcclGroup>(id, rank, size);
}

}  // namespace lbann::device
