# Makes samples by functions of a user's module, in a process of its own. Started by lbann-run (and, to learn
# dims, by lbann-compile), with this text as standard input and the words
#   MODULE FOLDER SAMPLE_FUNCTION NUM_SAMPLES_FUNCTION SAMPLE_DIMS_FUNCTION FIELD...
# File 3 is a stream to and from who started it; numbers are 64-bit integers of this machine:
#   first, and in answer to every request: status (0: good), length of a text, the text
#   a request: how many samples, bytes of a number (4 or 8), bytes of the memory, their numbers
# The first text holds the number of samples and in a line each the dims of the fields; that of a failure the
# number of the sample and the traceback. File 4 is memory: how many samples of the request are done, in
# 64 bytes; then each sample, its fields one behind the other.
import array
import importlib
import mmap
import os
import signal
import struct
import sys
import traceback

STREAM, MEMORY, HEAD = 3, 4, 64


def receive(count):
    data = b''
    while len(data) < count:
        piece = os.read(STREAM, count - len(data))
        if not piece:
            sys.stdout.flush()
            os._exit(0)
        data += piece
    return data


def send(status, text):
    data = text.encode('utf-8', 'replace')
    data = struct.pack('=qq', status, len(data)) + data
    while data:
        data = data[os.write(STREAM, data):]


def words_of(error):
    """The traceback without the frames of this text."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == '<stdin>':
        trace = trace.tb_next
    return ''.join(traceback.format_exception(type(error), error, trace)).rstrip()


def by_field(value, fields, function):
    """What belongs to each field: a mapping of names, or with several fields a sequence in their order."""
    if isinstance(value, dict):
        missing = [name for name in fields if name not in value]
        if missing:
            raise KeyError(f'{function} gives no `{missing[0]}`')
        return [value[name] for name in fields]
    if len(fields) == 1:
        return [value]
    if len(value) != len(fields):
        raise ValueError(f'{function} gives {len(value)} values for the {len(fields)} fields {", ".join(fields)}')
    return list(value)


def dims_of(value, name, function):
    dims = [int(value)] if isinstance(value, int) else [int(size) for size in value]
    if not dims or min(dims) < 1:
        raise ValueError(f'{function} gives dims {dims} for `{name}`')
    return dims


def flatten(value, numbers):
    if isinstance(value, str):  # whose parts are texts again
        raise TypeError(f'a sample holds the text {value!r}, not a number')
    try:
        parts = iter(value)
    except TypeError:
        numbers.append(value)
        return
    for part in parts:
        flatten(part, numbers)


def numbers_of(value, code):
    """The numbers of a value in C order, as memory of their type."""
    numpy = sys.modules.get('numpy')
    if numpy is not None:
        return memoryview(numpy.ascontiguousarray(value, dtype=code).reshape(-1))
    numbers = array.array(code)
    flatten(value, numbers)
    return memoryview(numbers)


class Worker:
    def __init__(self, module, folder, sample, count, dims, *fields):
        self.names, self.fields, self.memory = (sample, count, dims), fields, None
        sys.path.insert(0, folder)
        module = importlib.import_module(module)
        self.sample = getattr(module, sample)
        self.count = int(getattr(module, count)())
        if self.count < 0:
            raise ValueError(f'{count} gives {self.count}')
        self.dims = [dims_of(value, name, dims)
                     for value, name in zip(by_field(getattr(module, dims)(), fields, dims), fields)]
        self.sizes = []
        for dims in self.dims:
            size = 1
            for extent in dims:
                size *= extent
            self.sizes.append(size)

    def description(self):
        return '\n'.join([str(self.count)] + [' '.join(map(str, dims)) for dims in self.dims])

    def write(self, number, begin, code):
        parts = by_field(self.sample(number), self.fields, self.names[0])
        for part, size, name in zip(parts, self.sizes, self.fields):
            numbers = numbers_of(part, code)
            given = len(numbers)
            if given > size:
                raise ValueError(f'{self.names[0]}({number}) gives {given} numbers for `{name}`, its dims hold {size}')
            self.values[begin:begin + given] = numbers
            if given < size:
                self.values[begin + given:begin + size] = memoryview(array.array(code, bytes(
                    (size - given) * self.values.itemsize)))
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
    # Who started this decides when it ends, and is told by the end of the stream.
    for name in ('SIGINT', 'SIGTERM', 'SIGUSR1'):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
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
