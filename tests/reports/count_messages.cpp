// Preloaded into lbann-run: notes every message that it hands to MPI, and how many bytes, in a file
// per rank, COUNT_MESSAGES_TO.<rank>, a line each.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace {

std::mutex guard;
std::vector<std::string> noted;

void note(char const* kind, long long count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  std::lock_guard const lock(guard);
  noted.push_back(std::string(kind) + ' ' + std::to_string(count * size));
}

}  // namespace

extern "C" {

int MPI_Iallreduce(void const* parts, void* sum, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm ranks, MPI_Request* request) {
  note("all_reduce", count, type);
  return PMPI_Iallreduce(parts, sum, count, type, op, ranks, request);
}

int MPI_Allreduce(void const* parts, void* sum, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm ranks) {
  note("all_reduce", count, type);
  return PMPI_Allreduce(parts, sum, count, type, op, ranks);
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm ranks,
               MPI_Request* request) {
  note("broadcast", count, type);
  return PMPI_Ibcast(data, count, type, root, ranks, request);
}

int MPI_Igatherv(void const* part, int count, MPI_Datatype type, void* all, int const* counts,
                 int const* begins, MPI_Datatype all_type, int root, MPI_Comm ranks,
                 MPI_Request* request) {
  note("gather", count, type);
  return PMPI_Igatherv(part, count, type, all, counts, begins, all_type, root, ranks, request);
}

int MPI_Send(void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks) {
  note("send", count, type);
  return PMPI_Send(data, count, type, to, tag, ranks);
}

int MPI_Isend(void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks,
              MPI_Request* request) {
  note("send", count, type);
  return PMPI_Isend(data, count, type, to, tag, ranks, request);
}

int MPI_Finalize() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (char const* const path = std::getenv("COUNT_MESSAGES_TO")) {
    if (std::FILE* const file = std::fopen((path + ("." + std::to_string(rank))).c_str(), "w")) {
      for (auto const& line : noted) std::fprintf(file, "%s\n", line.c_str());
      std::fclose(file);
    }
  }
  return PMPI_Finalize();
}

}  // extern "C"
