// Samples of pickled data sets: values, what they need of LBANN, and every way in which they can
// fail.
#include "schemas/processes/python_interpreter.hpp"
#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"

using namespace lbann;
using testing::contains;
using tests::numbers_of;

namespace {

using Numbers = std::vector<double>;

/// An object of a class of `module`, as pickle.dump writes one without state.
std::string pickled(std::string const& type, std::string const& module = "shapes") {
  return "\x80\x02"
         "c" +
         module + "\n" + type + "\n)\x81.";
}

constexpr auto shapes = R"(
from lbann.util.data import Dataset, DistConvDataset, Sample, SampleDims
import lbann.util.data

class Whole(Dataset):
    def __len__(self): return 20
    def get_sample_dims(self): return SampleDims(sample=[2, 2], label=3, response=[1])
    def __getitem__(self, i):
        return Sample(sample=[[i, i + 0.5], [-i, 7]], label=[float(i % 3 == k) for k in range(3)], response=[i * i])

class Parts(DistConvDataset):
    def __len__(self): return 5
    def get_sample_dims(self): return lbann.util.data.SampleDims(sample=(4,))
    def __getitem__(self, i):
        part = 4 // self.num_io_partitions
        return Sample(sample=[10 * i + k for k in range(4)][part * self.rank:part * (self.rank + 1)])

class Plain:  # no base class at all
    def __len__(self): return 1
    def get_sample_dims(self): return SampleDims(response=2)
    def __getitem__(self, i): return Sample(response=(1, 2))

class NoLabel(Whole):
    def __getitem__(self, i): return Sample(sample=[1, 2, 3, 4], response=[1])
class Short(Whole):
    def __getitem__(self, i): return Sample(sample=[1, 2, 3], label=[1, 0, 0], response=[1])
class Raises(Whole):
    def __getitem__(self, i): raise KeyError('no such shape')
class NoDims(Whole):
    def get_sample_dims(self): return SampleDims()
class Abstract(Dataset):
    pass
)";

struct DatasetCase : tests::ReaderCase<data_readers::python_dataset> {
  explicit DatasetCase(std::string const& pickle) {
    folder.write_text("shapes.py", shapes);
    folder.write_text("data.pkl", pickle);
    reader.dataset_path = folder.path() + "/data.pkl";
    reader.module_dir = folder.path();
  }
};

}  // namespace

TEST_CASE("python_dataset gives samples, labels and responses, whatever the number of processes") {
  for (std::int64_t const workers : {1, 3}) {
    DatasetCase c(pickled("Whole"));
    c.reader.num_workers = workers;
    auto const samples = c.open();
    CHECK(samples->count() == 20);
    REQUIRE(samples->fields().size() == 3);
    CHECK(samples->fields()[0].name == "samples");
    CHECK(samples->fields()[0].dims == std::vector<std::int64_t>{2, 2});
    CHECK(samples->fields()[1].name == "labels");
    CHECK(samples->fields()[2].name == "responses");
    CHECK(samples->place(4, 0) == "`data.pkl[4]`");
    for (std::int64_t const i : {19, 0, 7}) {
      auto const x = static_cast<double>(i);
      CHECK(numbers_of(*samples, i, 0).value() == Numbers{x, x + 0.5, -x, 7});
      CHECK(numbers_of(*samples, i, 1).value()[static_cast<std::size_t>(i % 3)] == 1);
      CHECK(numbers_of(*samples, i, 2).value() == Numbers{x * x});
    }
  }
}

TEST_CASE("python_dataset asks for whole samples, and needs no base class") {
  auto const parts = DatasetCase(pickled("Parts")).open();
  CHECK(parts->count() == 5);
  CHECK(numbers_of(*parts, 2, 0).value() == Numbers{20, 21, 22, 23});
  auto const plain = DatasetCase(pickled("Plain")).open();
  REQUIRE(plain->fields().size() == 1);
  CHECK(plain->fields()[0].name == "responses");
  CHECK(numbers_of(*plain, 0, 0).value() == Numbers{1, 2});
}

TEST_CASE("python_dataset tells what is wrong with an object") {
  auto const problem = [](std::string const& type) { return DatasetCase(pickled(type)).problem(); };
  CHECK(contains(problem("NoLabel"), "[0] gives no `label`"));
  CHECK(contains(problem("Short"), "[0] gives for `samples` 3 numbers, its dims [2, 2] hold 4"));
  auto const raises = problem("Raises");
  CHECK(contains(raises, "`data.pkl[0]` failed:"));
  CHECK(contains(raises, "KeyError: 'no such shape'"));
  CHECK(contains(problem("NoDims"), "get_sample_dims gives dims of neither sample nor label"));
  auto const missing = problem("Missing");
  CHECK(contains(missing, "`data.pkl` cannot be used:"));
  CHECK(contains(missing, "Can't get attribute 'Missing'"));
  CHECK(contains(DatasetCase(pickled("Own", "__main__")).problem(), "move it to a module"));
  CHECK(contains(DatasetCase(pickled("Whole", "no_such_module")).problem(), "No module named"));
}

TEST_CASE("python_dataset refuses files that are no pickled data set") {
  auto const good = pickled("Whole");
  for (std::size_t size = 0; size < good.size(); size += 4)
    CHECK(contains(DatasetCase(good.substr(0, size)).problem(), "`data.pkl` cannot be used:"));
  for (auto const* other : {"K\x05.", "N.", "text"})
    CHECK(contains(DatasetCase(other).problem(), "`data.pkl` cannot be used:"));
  DatasetCase gone(good);
  gone.reader.dataset_path = "no/such.pkl";
  CHECK(contains(gone.problem(), "no/such.pkl"));
  DatasetCase folder(good);
  folder.reader.module_dir = "no/such";
  CHECK(contains(folder.problem(), "no/such"));
}
