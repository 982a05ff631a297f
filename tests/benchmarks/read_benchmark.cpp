// Reads the training data of a plan as a run does, without training: prints samples and bytes in a
// second as JSON.
//
//   read_benchmark PLAN DATA_ROOT THREADS EPOCHS
//
// The clock starts at the second epoch where there is one: what is read once at the start is left
// out then.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "runtime/data/batch_stream.hpp"
#include "runtime/data/decode_image.hpp"
#include "runtime/loading/plan_file.hpp"
#include "schemas/samples/read_totals.hpp"

using namespace lbann;
using namespace lbann::runtime;
using Clock = std::chrono::steady_clock;

namespace {

int fail(Problem const& problem) {
  std::fprintf(stderr, "%s\n", problem.message.c_str());
  return 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) return fail({"read_benchmark PLAN DATA_ROOT THREADS EPOCHS"});
  auto const file = lbann::runtime::read_plan(std::filesystem::path(words[1]));
  if (!file) return fail(file.problem());
  auto const& plan = file.value().plan;
  OpenContext context{{words[2]}};
  context.decode_image = decode_image;
  auto begin = Clock::now();
  auto splits = open_splits(plan, context, false);
  if (!splits) return fail(splits.problem());
  BatchStream::Options options;
  options.mini_batch = plan.mini_batch_size;
  options.threads = std::strtol(words[3], nullptr, 10);
  auto opened = BatchStream::open(plan, std::move(splits).value().front(), options);
  if (!opened) return fail(opened.problem());
  auto& stream = *opened.value();
  auto const epochs = std::strtol(words[4], nullptr, 10);
  std::int64_t samples = 0;
  double sum = 0;  // so that the values are needed
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    if (epoch == 1) {
      begin = Clock::now();
      samples = 0;
    }
    stream.start_epoch(epoch);
    while (true) {
      auto const batch = stream.next();
      if (!batch) return fail(batch.problem());
      if (batch.value() == nullptr) break;
      samples += batch.value()->local_size;
      sum += static_cast<double>(*batch.value()->fields[0]);
    }
  }
  auto const seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf(
      "{\"samples\": %lld, \"seconds\": %.6f, \"samples_s\": %.3f, \"bytes\": %lld, \"sum\": %g}\n",
      static_cast<long long>(samples), seconds, static_cast<double>(samples) / seconds,
      static_cast<long long>(read_totals().bytes.load()), sum);
  return 0;
}
