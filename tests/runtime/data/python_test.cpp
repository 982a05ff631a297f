// Samples from Python processes: values, order, and every way in which they can fail.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "runtime/data/python_workers.hpp"
#include "runtime/data/readers.hpp"
#include "tests/runtime/data/scratch_folder.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;

namespace {

struct PythonCase {
  tests::ScratchFolder folder;
  data_readers::python reader;

  explicit PythonCase(std::string const& get_sample, std::string const& dims = "[2, 2]") {
    folder.write_text("numbers_of_test.py",
                      "import os, time\ndef num_samples(): return 40\n"
                      "def sample_dims(): return " +
                          dims + "\ndef get_sample(i):\n" + get_sample);
    reader.module = "numbers_of_test";
    reader.module_dir = folder.path();
  }
  OpenedSamples open() const { return open_samples(reader, Lookup{}); }
  std::shared_ptr<Samples const> samples() const {
    auto opened = open();
    if (!opened) FAIL(opened.problem().message);
    return std::move(opened).value();
  }
  /// What is wrong with the module or with sample 3.
  std::string fault() const {
    auto const opened = open();
    if (!opened) return opened.problem().message;
    std::vector<float> values(4);
    auto const read = opened.value()->read(3, 0, {values.data(), DataType::f32, 4});
    return read ? "" : read.problem().message;
  }
};

constexpr auto plain = "  return [[i, i + 0.5], [-i, 7]]\n";

}  // namespace

TEST_CASE("python gives samples in order, whatever the number of processes and the type") {
  for (std::int64_t const workers : {1, 3}) {
    PythonCase c("  if i % 5 == 0: time.sleep(0.01)\n" + std::string(plain));
    c.reader.num_workers = workers;
    auto const samples = c.samples();
    CHECK(samples->count() == 40);
    CHECK(samples->fields()[0].dims == std::vector<std::int64_t>{2, 2});
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 39; i >= 0; --i) indices.push_back(i * 7 % 40);
    std::vector<float> narrow(160);
    std::vector<double> wide(160);
    FieldColumn const narrow_column{0, {narrow.data(), DataType::f32, 4}},
        wide_column{0, {wide.data(), DataType::f64, 4}};
    CHECK(samples->read_batch(indices, {&narrow_column, 1}).good());
    CHECK(samples->read_batch(indices, {&wide_column, 1}).good());
    CHECK(samples->read_batch({}, {&wide_column, 1}).good());
    for (std::size_t i = 0; i < 40; ++i) {
      auto const number = static_cast<double>(indices[i]);
      CHECK(wide[4 * i] == number);
      CHECK(wide[4 * i + 1] == number + 0.5);
      CHECK(wide[4 * i + 2] == -number);
      CHECK(wide[4 * i + 3] == 7);
      for (std::size_t k = 0; k < 4; ++k) CHECK(narrow[4 * i + k] == wide[4 * i + k]);
    }
  }
}

TEST_CASE("python gives several fields, by name or in order; fewer numbers are filled up") {
  for (auto const* get :
       {"  return {'labels': [i], 'samples': [1, 2]}\n", "  return [1, 2], i\n"}) {
    PythonCase c(get, "{'samples': [3], 'labels': 1}");
    c.reader.data_fields = {"samples", "labels"};
    auto const samples = c.samples();
    std::vector<float> x(3, 9), label(1);
    FieldColumn const columns[] = {{1, {label.data(), DataType::f32, 1}},
                                   {0, {x.data(), DataType::f32, 3}}};
    std::int64_t const index = 5;
    CHECK(samples->read_batch({&index, 1}, columns).good());
    CHECK(x == std::vector<float>{1, 2, 0});
    CHECK(label[0] == 5);
  }
}

TEST_CASE("python serves several threads") {
  PythonCase c(plain);
  c.reader.num_workers = 2;
  auto const samples = c.samples();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      std::vector<float> values(4);
      for (std::int64_t i = 0; i < 40; ++i)
        if (!samples->read(i, 0, {values.data(), DataType::f32, 4}) ||
            values[0] != static_cast<float>(i))
          ++wrong;
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("what Python raises is told with its traceback") {
  auto const raised = PythonCase("  return 1 / (3 - i)\n").fault();
  CHECK(contains(raised, "`numbers_of_test.get_sample(3)` failed:\nTraceback"));
  CHECK(contains(raised, "numbers_of_test.py\", line 5, in get_sample"));
  CHECK(contains(raised, "ZeroDivisionError"));
  CHECK_FALSE(contains(raised, "<stdin>"));
  CHECK(contains(PythonCase("  return [1] * 5\n").fault(), "gives 5 numbers for `samples`"));
  CHECK(contains(PythonCase("  return 'words'\n").fault(), "TypeError"));
  CHECK(contains(PythonCase("  raise SystemExit(3)\n").fault(), "SystemExit"));
  CHECK(contains(PythonCase(plain, "[0]").fault(), "sample_dims gives dims [0]"));
  CHECK(contains(PythonCase("  syntax error\n").fault(), "SyntaxError"));
  PythonCase none(plain);
  none.reader.module = "no_such_module";
  CHECK(contains(none.fault(), "module `no_such_module` cannot be used:\n"));
  none.reader.module_dir = "/no/such/folder";
  CHECK(contains(none.fault(), "there is no folder `/no/such/folder`"));
}

TEST_CASE("a Python process that ends or hangs is told, and tells no more") {
  CHECK(contains(PythonCase("  os._exit(4)\n").fault(),
                 "the Python process ended with code 4 while it made sample 3"));
  CHECK(contains(PythonCase("  os.kill(os.getpid(), 9)\n").fault(),
                 "killed by signal Killed (out of memory?) while it made sample 3"));
  PythonCase hanging("  time.sleep(1000 if i == 3 else 0)\n  return [0]\n");
  hanging.reader.sample_timeout = 5;  // long enough for those that do not hang
  CHECK(contains(hanging.fault(), "has not answered for 5 s while it made sample 3"));
  PythonCase slow_start(plain, "time.sleep(1000)");
  slow_start.reader.start_timeout = 0.5;
  CHECK(contains(slow_start.fault(), "has not answered for 0.5 s while it imported"));

  PythonCase once("  if i == 3: raise ValueError('once')\n  return [i]\n");
  auto const samples = once.samples();
  std::vector<float> values(4);
  CHECK(samples->read(1, 0, {values.data(), DataType::f32, 4}).good());
  CHECK_FALSE(samples->read(3, 0, {values.data(), DataType::f32, 4}).good());
  auto const after = samples->read(1, 0, {values.data(), DataType::f32, 4});
  REQUIRE_FALSE(after.good());
  CHECK(contains(after.problem().message, "once"));
}

TEST_CASE("an interpreter that is not there is named with what to do") {
  PythonCase const c(plain);
  auto const started = start_python(c.reader, "", "/no/such/python");
  REQUIRE_FALSE(started.good());
  CHECK(contains(started.problem().message, "`/no/such/python`"));
  CHECK(contains(started.problem().message, "--python"));
  CHECK(python_interpreter("mine") == "mine");
}
