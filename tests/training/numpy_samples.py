"""Samples in .npy files, and the readers of them as LBANN's texts have them."""
import struct

READERS = """
data_reader {
  reader { name: "numpy" role: "train" data_filename: "samples.npy" fraction_of_data_to_use: 1.0
           disable_labels: true disable_responses: true }
  reader { name: "numpy" role: "test" data_filename: "samples.npy" fraction_of_data_to_use: 1.0
           disable_labels: true disable_responses: true }
}
"""


def npy(values, *dims, type='f4'):
    """The bytes of a .npy file of numbers of one of the types f4, f8 and i4, in C order."""
    head = str({'descr': '<' + type, 'fortran_order': False, 'shape': dims})
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    code = {'f4': 'f', 'f8': 'd', 'i4': 'i'}[type]
    return (b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode()
            + struct.pack(f'<{len(values)}{code}', *values))
