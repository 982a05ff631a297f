"""LBANN's messages in protobuf's binary encoding, made by protobuf's own library from the lists of
`compiler/importer/messages`. Debian's package python3-protobuf belongs to the system's python3, so that it is asked
as a program of its own where this one lacks it."""
import functools
import subprocess
import sys
from pathlib import Path

SCALARS = {'double': 1, 'float': 2, 'int64': 3, 'uint64': 4, 'int32': 5, 'bool': 8, 'string': 9, 'bytes': 12,
           'uint32': 13}
MESSAGE, ENUM = 11, 14
OPTIONAL, REPEATED = 1, 3


def lines(folder):
    """The lines of the lists, those that go on joined."""
    joined = []
    for path in sorted(Path(folder).glob('*.txt')):
        for line in path.read_text().splitlines():
            if line.startswith('  '):
                joined[-1] += ' ' + line.strip()
            elif line and not line.startswith('#'):
                joined.append(line)
    return joined


def describe(folder):
    """The lists as one file of descriptors."""
    from google.protobuf import descriptor_pb2
    file = descriptor_pb2.FileDescriptorProto(name='lbann.proto', package='lbann_data', syntax='proto3')
    file.dependency.append('google/protobuf/any.proto')
    heads = [line.partition(':') for line in lines(folder)]
    enums = {head.split()[1] for head, _, _ in heads if head.startswith('enum ')}
    for head, _, rest in heads:
        entries = [entry.split() for entry in rest.split(',') if entry.strip()]
        if head.startswith('enum '):
            enum = file.enum_type.add(name=head.split()[1])
            for name, number in entries:
                enum.value.add(name=name, number=int(number))
            continue
        for message in head.split():
            if message == 'Any':
                continue
            described = file.message_type.add(name=message.replace('.', '_'))
            for name, number, kind in entries:
                field = described.field.add(name=name.removesuffix('[]'), number=int(number),
                                            label=REPEATED if name.endswith('[]') else OPTIONAL)
                field.type = SCALARS.get(kind, ENUM if kind in enums else MESSAGE)
                if kind == 'Any':
                    field.type_name = '.google.protobuf.Any'
                elif kind not in SCALARS:
                    field.type_name = '.lbann_data.' + kind.replace('.', '_')
    return file


def encode_here(folder, text):
    from google.protobuf import any_pb2, descriptor_pool, message_factory, text_format
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(any_pb2.DESCRIPTOR.serialized_pb)
    pool.Add(describe(folder))
    types = message_factory.MessageFactory(pool)
    message = types.GetPrototype(pool.FindMessageTypeByName('lbann_data.LbannPB'))()
    text_format.Parse(text, message, descriptor_pool=pool)
    return message.SerializeToString(deterministic=True)


@functools.cache
def interpreter():
    """A Python with protobuf, or None."""
    for python in (sys.executable, '/usr/bin/python3'):
        try:
            if subprocess.run([python, '-c', 'import google.protobuf'], capture_output=True).returncode == 0:
                return python
        except OSError:
            continue
    return None


def schema(folder):
    """What `encode` needs, or None where there is no protobuf."""
    return Path(folder) if interpreter() else None


def encode(folder, text):
    """The bytes of an experiment in protobuf's text format."""
    done = subprocess.run([interpreter(), __file__, str(folder)], input=text.encode(), capture_output=True, check=True)
    return done.stdout


if __name__ == '__main__':
    sys.stdout.buffer.write(encode_here(sys.argv[1], sys.stdin.buffer.read().decode()))
