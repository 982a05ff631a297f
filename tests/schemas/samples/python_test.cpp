// Samples from Python processes: values, order, and every way in which they can fail.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "schemas/processes/python_interpreter.hpp"
#include "schemas/samples/open_samples.hpp"
#include "schemas/samples/python_workers.hpp"
#include "tests/schemas/samples/scratch_folder.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
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
  OpenedSamples open() const { return load_samples(reader, {}, true); }
  std::shared_ptr<Samples const> samples() const {
    auto opened = open();
    if (!opened) FAIL(opened.problem().message);
    return std::move(opened).value();
  }
  /// What is wrong with the module or with sample 3.
  std::string problem() const {
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

TEST_CASE("python gives several fields, by name or in order") {
  for (auto const* get :
       {"  return {'labels': [i], 'samples': [1, 2, 8]}\n", "  return [1, 2, 8], i\n"}) {
    PythonCase c(get, "{'samples': [3], 'labels': 1}");
    c.reader.data_fields = {"samples", "labels"};
    auto const samples = c.samples();
    std::vector<float> x(3, 9), label(1);
    FieldColumn const columns[] = {{1, {label.data(), DataType::f32, 1}},
                                   {0, {x.data(), DataType::f32, 3}}};
    std::int64_t const index = 5;
    CHECK(samples->read_batch({&index, 1}, columns).good());
    CHECK(x == std::vector<float>{1, 2, 8});
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
  auto const raised = PythonCase("  return 1 / (3 - i)\n").problem();
  CHECK(contains(raised, "`numbers_of_test.get_sample(3)` failed:\nTraceback"));
  CHECK(contains(raised, "numbers_of_test.py\", line 5, in get_sample"));
  CHECK(contains(raised, "ZeroDivisionError"));
  CHECK_FALSE(contains(raised, "<stdin>"));
  CHECK(contains(PythonCase("  raise SystemExit(3)\n").problem(), "SystemExit"));
  CHECK(contains(PythonCase(plain, "[0]").problem(), "sample_dims gives for `samples` dims [0]"));
  CHECK(contains(PythonCase("  syntax error\n").problem(), "SyntaxError"));
  PythonCase none(plain);
  none.reader.module = "no_such_module";
  CHECK(contains(none.problem(), "module `no_such_module` cannot be used:\n"));
  none.reader.module_dir = "/no/such/folder";
  CHECK(contains(none.problem(), "there is no folder `/no/such/folder`"));
}

TEST_CASE("a Python sample of other sizes than its dims is refused") {
  // Value, dims, words; none: it is taken.
  std::array<std::string, 3> const cases[] = {
      {"[1, 2, 3, 4]", "[2, 2]", ""},
      {"[[1], [2], [3], [4]]", "[4]", ""},
      {"(j for j in range(4))", "[1, 4, 1]", ""},
      {"104", "[4]", "get_sample(3) gives for `samples` 1 number, its dims [4] hold 4"},
      {"[104]", "[4]", "get_sample(3) gives for `samples` 1 number, its dims [4] hold 4"},
      {"[1] * 5", "[2, 2]", "get_sample(3) gives for `samples` 5 numbers, its dims [2, 2] hold 4"},
      {"[]", "[4]", "gives for `samples` 0 numbers, its dims [4] hold 4"},
      {"[[1, 2], [3, 4]]", "[4]", "an array of shape (2, 2), its dims are [4]"},
      {"[[1, 2, 3], [4, 5, 6]]", "[3, 2]", "an array of shape (2, 3), its dims are [3, 2]"},
      {"[[1, 2, 3], [4]]", "[4]", "entry 1 of a list has shape (1,), those before it (3,)"},
      {"[[1, 2], 3, 4]", "[4]", "entry 1 of a list has shape (), those before it (2,)"},
      {"'words'", "[4]", "what is no array of numbers: 'words' is a text"},
      {"['1', '2', '3', '4']", "[4]", "'1' is a text"},
      {"[1, None, 3, 4]", "[4]", "None is no number"},
      {"[10**400] * 4", "[4]", "too large"}};
  for (auto const& row : cases) {
    auto const &value = row[0], &dims = row[1], &words = row[2];
    CAPTURE(value);
    auto const problem = PythonCase("  return " + value + "\n", dims).problem();
    if (words.empty())
      CHECK(problem == "");
    else
      CHECK(contains(problem, words));
    CHECK_FALSE(contains(problem, "Traceback"));
  }
  PythonCase one("  return 5\n", "{'samples': [4], 'labels': [2]}");
  one.reader.data_fields = {"samples", "labels"};
  CHECK(contains(one.problem(), "get_sample gives 1 value for the 2 fields samples, labels"));
}

TEST_CASE("Python numbers of samples and dims that cannot be are refused") {
  auto const with_count = [](std::string const& count) {
    PythonCase c(plain);
    c.folder.write_text("numbers_of_test.py", "def num_samples(): return " + count +
                                                  "\ndef sample_dims(): return [4]\n"
                                                  "def get_sample(i): return [1, 2, 3, 4]\n");
    return c.problem();
  };
  auto const most = "a reader has 0 to " + std::to_string(data_readers::most_samples) + " samples";
  for (auto const* count : {"2**62", "2**70", "-1"}) CHECK(contains(with_count(count), most));
  CHECK(contains(with_count("3.5"), "num_samples gives 3.5, not a whole number"));
  CHECK(with_count("60.0") == "");
  CHECK(contains(PythonCase(plain, "[2.5, 2]").problem(), "2.5, not a whole number"));
  CHECK(contains(PythonCase(plain, "[2**40, 2**40]").problem(), "too large"));
}

TEST_CASE("a process that a Python function forks answers nothing") {
  for (auto const* how : {"os.fork()", "os.fork() or sys.exit(3)", "os.fork() or 1 / 0"}) {
    CAPTURE(how);
    PythonCase c("  import sys\n  if i % 3 == 0: " + std::string(how) + "\n  return [i] * 4\n");
    auto const samples = c.samples();
    for (std::int64_t i = 0; i < 40; ++i) {
      std::vector<float> values(4);
      auto const read = samples->read(i, 0, {values.data(), DataType::f32, 4});
      if (!read) FAIL(read.problem().message);
      CHECK(values == std::vector<float>(4, static_cast<float>(i)));
    }
  }
  // Nor does one that goes on hold the stream open when its parent ends.
  PythonCase c(
      "  if os.fork() == 0:\n    os.close(1)\n    os.close(2)\n    time.sleep(60)\n"
      "  os._exit(4)\n");
  c.reader.sample_timeout = 20;
  CHECK(contains(c.problem(), "the Python process ended with code 4 while it made sample 3"));
  PythonCase pool(
      "  import multiprocessing\n"
      "  with multiprocessing.get_context('fork').Pool(2) as pool: return pool.map(abs, [i] * "
      "4)\n");
  CHECK(pool.problem() == "");
  PythonCase import(plain);
  import.folder.write_text("numbers_of_test.py",
                           "import os\nos.fork()\ndef num_samples(): return 4\n"
                           "def sample_dims(): return [4]\ndef get_sample(i): return [i] * 4\n");
  CHECK(import.problem() == "");
}

TEST_CASE("a Python process that ends or hangs is told, and tells no more") {
  CHECK(contains(PythonCase("  os._exit(4)\n").problem(),
                 "the Python process ended with code 4 while it made sample 3"));
  CHECK(contains(PythonCase("  os.kill(os.getpid(), 9)\n").problem(),
                 "killed by signal Killed (out of memory?) while it made sample 3"));
  PythonCase hanging("  time.sleep(1000 if i == 3 else 0)\n  return [0] * 4\n");
  hanging.reader.sample_timeout = 5;  // long enough for those that do not hang
  CHECK(contains(hanging.problem(), "has not answered for 5 s while it made sample 3"));
  PythonCase slow_start(plain, "time.sleep(1000)");
  slow_start.reader.start_timeout = 0.5;
  CHECK(contains(slow_start.problem(), "has not answered for 0.5 s while it imported"));

  PythonCase once("  if i == 3: raise ValueError('once')\n  return [i] * 4\n");
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
  auto const started =
      start_python(python_program(c.reader, {}).value(), {{}, "/no/such/python"}, 1);
  REQUIRE_FALSE(started.good());
  CHECK(contains(started.problem().message, "`/no/such/python`"));
  CHECK(contains(started.problem().message, "--python"));
  CHECK(python_interpreter("mine") == "mine");
}
