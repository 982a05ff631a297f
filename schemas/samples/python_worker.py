# Makes samples by a user's code, in a process of its own. Started by lbann-run (and, to learn dims, by
# lbann-compile), with this text as standard input and the words
#   module FOLDER MODULE SAMPLE_FUNCTION NUM_SAMPLES_FUNCTION SAMPLE_DIMS_FUNCTION FIELD...
#   dataset FOLDER FILE, a pickled object
# The text of lbann/util/data.py comes before, as LBANN_UTIL_DATA. File 3 is a stream to and from who started it; numbers are 64-bit integers of this machine:
#   first, and in answer to every request: status (0: good), length of a text, the text
#   a request: how many samples, bytes of a number (4 or 8), bytes of the memory, their numbers
# The first text holds the number of samples and in a line each the dims of a field, a tab and its name; that of a failure the
# number of the sample and the traceback. File 4 is memory: how many samples of the request are done, in
# 64 bytes; then each sample, its fields one behind the other.
import array
import importlib
import mmap
import os
import pickle
import signal
import struct
import sys
import traceback
import types

STREAM, MEMORY, HEAD = 3, 4, 64
MOST_SAMPLES = 1 << 36  # most_samples of schemas/data_readers/reader.hpp
MOST_NUMBERS = 1 << 45  # of a sample
LONGEST_WORDS = 20000  # of what is wrong
own_files = []
PROCESS = os.getpid()  # a process forked from this one by a user's function never gets beyond that function


def receive(count):
    data = b''
    while len(data) < count:
        try:
            piece = os.read(STREAM, count - len(data))
        except ConnectionError:
            piece = b''
        if not piece:
            end_quietly()
        data += piece
    return data


def send(status, text):
    data = text.encode('utf-8', 'replace')
    data = struct.pack('=qq', status, len(data)) + data
    while data:
        try:
            data = data[os.write(STREAM, data):]
        except ConnectionError:
            end_quietly()


def end_quietly():
    """Who asked for samples has ended, and has said why."""
    try:
        sys.stdout.flush()
    except Exception:
        pass
    os._exit(0)


def hold_signals(hold):
    """Around a fork, so that none is lost before the new process has its own way of taking them."""
    signal.pthread_sigmask(signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK, [signal.SIGTERM])


def leave():
    """In a process forked from this one, which must not keep the stream open when this one ends, and ends itself
    when the pool it belongs to asks it to."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    hold_signals(False)
    while own_files:  # nothing in its children: there the numbers are those of other files
        os.close(own_files.pop())


def call(function, *arguments):
    """What a user's function gives. A process that it has forked, and that returns from it too, ends here."""
    try:
        value = function(*arguments)
    except BaseException as error:
        if os.getpid() == PROCESS:
            raise
        code = 1
        if isinstance(error, SystemExit) and (error.code is None or isinstance(error.code, int)):
            code = error.code or 0
        else:
            print(words_of(error), file=sys.stderr, flush=True)
        os._exit(code & 0xff)
    if os.getpid() != PROCESS:
        os._exit(0)
    return value


def words_of(error):
    """The traceback without the frames of this text."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == '<stdin>':
        trace = trace.tb_next
    words = ''.join(traceback.format_exception(type(error), error, trace)).rstrip()
    if len(words) > LONGEST_WORDS:  # its begin and its end tell most
        words = words[:LONGEST_WORDS // 2] + '\n...\n' + words[-LONGEST_WORDS // 2:]
    return words


def by_field(value, fields, function):
    """What belongs to each field: a mapping of names, or with several fields a sequence in their order."""
    if isinstance(value, dict):
        missing = [name for name in fields if name not in value]
        if missing:
            raise KeyError(f'{function} gives no `{missing[0]}`')
        return [value[name] for name in fields]
    if len(fields) == 1:
        return [value]
    try:
        values = list(value)
    except TypeError:
        values = [value]
    if len(values) != len(fields):
        raise ValueError(f'{function} gives {len(values)} value{"s"[:len(values) != 1]} for the '
                         f'{len(fields)} fields {", ".join(fields)}')
    return values


def whole(value, what):
    """A whole number, whatever type it has."""
    number = int(value)
    if number != value:
        raise ValueError(f'{what} {value}, not a whole number')
    return number


def dims_of(value, name, function):
    what = f'{function} gives for `{name}`'
    try:
        sizes = list(value)
    except TypeError:
        sizes = [value]
    dims = [whole(size, what) for size in sizes]
    if not dims or min(dims) < 1:
        raise ValueError(f'{what} dims {dims}, but each is 1 at least')
    return dims


def flatten(value, numbers):
    """Appends the numbers of lists of lists in C order; the sizes of the lists, which must agree."""
    if isinstance(value, (list, tuple)):
        begin = len(numbers)
        try:
            numbers.extend(value)
            return [len(value)]
        except TypeError:  # something in it is no number
            del numbers[begin:]
    if isinstance(value, (str, bytes)):  # whose parts are texts again
        raise TypeError(f'{value!r:.60} is a text')
    try:
        parts = iter(value)
    except TypeError:
        if not hasattr(value, '__float__') and not hasattr(value, '__index__'):
            raise TypeError(f'{value!r:.60} is no number') from None
        numbers.append(value)
        return []
    count, first = 0, None
    for part in parts:
        sizes = flatten(part, numbers)
        if count > 0 and sizes != first:
            raise ValueError(f'entry {count} of a list has shape {tuple(sizes)}, those before it {tuple(first)}')
        count, first = count + 1, sizes
    return [count] + (first or [])


def count_words(count):
    return '1 number' if count == 1 else f'{count} numbers'


def numbers_of(value, code):
    """The numbers of a value in C order, as memory of their type, and its sizes."""
    numpy = sys.modules.get('numpy')
    if numpy is not None:
        try:
            values = numpy.asarray(value)
        except ValueError:  # lists of different lengths
            values = None
        if values is not None and values.dtype.kind in 'biuf':  # texts and None would become numbers
            return memoryview(numpy.ascontiguousarray(values, dtype=code).reshape(-1)), list(values.shape)
    numbers = array.array(code)
    sizes = flatten(value, numbers)
    return memoryview(numbers), sizes


def fits(sizes, dims):
    """Whether these are the dims, but for axes of size 1, or all numbers in one list."""
    sizes, dims = ([size for size in some if size != 1] for some in (sizes, dims))
    return sizes == dims or len(sizes) == 1


class Module:
    """Functions of a module."""

    def __init__(self, module, sample, count, dims, *fields):
        self.fields = fields
        module = call(importlib.import_module, module)
        self.sample, self.sample_name = getattr(module, sample), sample
        self.count, self.count_name = getattr(module, count), count
        self.dims, self.dims_name = getattr(module, dims), dims

    def field_dims(self):
        return by_field(call(self.dims), self.fields, self.dims_name)

    def name(self, number):
        return f'{self.sample_name}({number})'

    def parts(self, number):
        return by_field(call(self.sample, number), self.fields, self.sample_name)


class DataSet:
    """A pickled object with the methods of lbann.util.data.Dataset."""
    PARTS = {'samples': 'sample', 'labels': 'label', 'responses': 'response'}
    count_name, dims_name = '__len__', 'get_sample_dims'

    def __init__(self, path):
        provide_lbann()
        with open(path, 'rb') as file:
            self.object = call(self.load, file)
        if isinstance(self.object, sys.modules['lbann.util.data'].DistConvDataset):
            self.object.rank, self.object.num_io_partitions = 0, 1
        self.described = call(self.object.get_sample_dims)
        self.fields = [field for field, part in self.PARTS.items() if hasattr(self.described, part)]
        if not self.fields:
            raise ValueError('get_sample_dims gives dims of neither sample nor label nor response')

    @staticmethod
    def load(file):
        try:
            return pickle.load(file)
        except AttributeError as error:
            if '__main__' not in str(error):
                raise
            raise AttributeError(f'{error}: the class is defined in the program that was run; move it to a module, '
                                 'and name the folder by `module_dir`') from None

    def count(self):
        return len(self.object)

    def field_dims(self):
        return [getattr(self.described, self.PARTS[field]) for field in self.fields]

    def name(self, number):
        return f'[{number}]'

    def parts(self, number):
        sample = call(self.object.__getitem__, number)
        for field in self.fields:
            if not hasattr(sample, self.PARTS[field]):
                raise ValueError(f'[{number}] gives no `{self.PARTS[field]}`')
        return [getattr(sample, self.PARTS[field]) for field in self.fields]


def provide_lbann():
    """The module lbann.util.data, that of LBANN itself where it can be imported."""
    try:
        importlib.import_module('lbann.util.data')
        return
    except Exception:
        pass
    for name in ('lbann', 'lbann.util', 'lbann.util.data'):
        module = sys.modules[name] = types.ModuleType(name)
        parent, _, own = name.rpartition('.')
        if parent:
            setattr(sys.modules[parent], own, module)
        module.__path__ = []
    exec(compile(LBANN_UTIL_DATA, 'lbann/util/data.py', 'exec'), module.__dict__)


class Worker:
    def __init__(self, kind, folder, *words):
        self.memory = None
        sys.path.insert(0, folder)
        self.source = {'module': Module, 'dataset': DataSet}[kind](*words)
        self.fields, name = self.source.fields, self.source.count_name
        self.count = whole(call(self.source.count), f'{name} gives')
        if not 0 <= self.count <= MOST_SAMPLES:
            raise ValueError(f'{name} gives {self.count}; a reader has 0 to {MOST_SAMPLES} samples')
        self.dims = [dims_of(value, name, self.source.dims_name)
                     for value, name in zip(self.source.field_dims(), self.fields)]
        self.sizes = []
        for dims in self.dims:
            size = 1
            for extent in dims:
                size *= extent
            if size > MOST_NUMBERS:
                raise ValueError(f'a sample of dims {dims} is too large')
            self.sizes.append(size)

    def description(self):
        return '\n'.join([str(self.count)] + [' '.join(map(str, dims)) + '\t' + name
                                              for dims, name in zip(self.dims, self.fields)])

    def write(self, number, begin, code):
        for part, dims, size, name in zip(self.source.parts(number), self.dims, self.sizes, self.fields):
            what = f'{self.source.name(number)} gives for `{name}`'
            try:
                numbers, sizes = numbers_of(part, code)
            except (TypeError, ValueError, OverflowError) as error:
                raise ValueError(f'{what} what is no array of numbers: {error}') from None
            if len(numbers) != size:
                raise ValueError(f'{what} {count_words(len(numbers))}, its dims {dims} hold {size}')
            if not fits(sizes, dims):
                raise ValueError(f'{what} an array of shape {tuple(sizes)}, its dims are {dims}')
            self.values[begin:begin + size] = numbers
            begin += size

    def answer(self):
        count, width, size = struct.unpack('=qqq', receive(24))
        numbers = struct.unpack(f'={count}q', receive(8 * count))
        if self.memory is None:
            self.memory = memoryview(mmap.mmap(MEMORY, size))
            self.done = self.memory[:8].cast('q')
        code = 'f' if width == 4 else 'd'
        self.values = self.memory[HEAD:].cast(code)
        for place, number in enumerate(numbers):
            self.done[0] = place
            try:
                self.write(number, place * sum(self.sizes), code)
            except BaseException as error:
                return send(1, f'{number}\n{words_of(error)}')
        self.done[0] = count
        send(0, '')


def main():
    for file in (STREAM, MEMORY):
        try:
            os.set_inheritable(file, False)
            own_files.append(file)
        except OSError:  # there is no memory where no sample will be asked for
            pass
    os.register_at_fork(before=lambda: hold_signals(True), after_in_child=leave,
                        after_in_parent=lambda: hold_signals(False))
    # Who started this decides when it ends, and is told by the end of the stream. What a program that a user's
    # function starts ignores would be inherited: that one must end on SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    try:
        import ctypes
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: a function that hangs would not see it
    except Exception:
        pass
    try:
        worker = Worker(*sys.argv[1:])
    except BaseException as error:
        send(1, f'-1\n{words_of(error)}')
        return
    send(0, worker.description())
    while True:
        worker.answer()


main()
