"""Data sets for the reader `python_dataset`: what LBANN's module of this name gives, for users without LBANN.

Processes of the reader have it without being told. A program that pickles a data set finds it with
PYTHONPATH=schemas/samples/python.
"""
import abc
import inspect
import os
import pickle


class _Parts:
    """Those of `sample`, `label` and `response` that there are."""

    def __init__(self, sample=None, label=None, response=None):
        for name, part in (("sample", sample), ("label", label), ("response", response)):
            if part is not None:
                setattr(self, name, part)


class Sample(_Parts):
    """Arrays of one sample."""


class SampleDims(_Parts):
    """Sizes of the arrays of one sample: a number, or a list of them."""


class Dataset(abc.ABC):
    """A data set. Its class must be defined in a module, not in the program that is run."""

    @abc.abstractmethod
    def __len__(self):
        """Number of samples."""

    @abc.abstractmethod
    def __getitem__(self, index):
        """Sample number `index`, from 0: a `Sample`."""

    @abc.abstractmethod
    def get_sample_dims(self):
        """`SampleDims` of every sample."""


class DistConvDataset(Dataset):
    """A data set that can give part `rank` of `num_io_partitions` of a sample; readers ask for whole ones."""

    rank = 0
    num_io_partitions = 1


def construct_python_dataset_reader(dataset, dataset_path=None, role="train", shuffle=True,
                                    fraction_of_data_to_use=1.0, validation_fraction=0.0, load_module=True,
                                    prefetch_factor=1):
    """Writes the data set to `dataset_path`, by default ROLE_dataset.pkl in the working directory; the entry of
    `data_reader` in an experiment, as a dictionary."""
    path = dataset_path or os.path.join(os.getcwd(), f"{role}_dataset.pkl")
    with open(path, "wb") as file:
        pickle.dump(dataset, file)
    reader = {"role": role, "shuffle": shuffle, "fraction_of_data_to_use": fraction_of_data_to_use,
              "validation_fraction": validation_fraction, "dataset_path": path, "prefetch_factor": prefetch_factor}
    if load_module:
        try:
            reader["module_dir"] = os.path.dirname(os.path.abspath(inspect.getsourcefile(type(dataset))))
        except (OSError, TypeError):  # its class is defined in no file
            pass
    return {"python_dataset": reader}
