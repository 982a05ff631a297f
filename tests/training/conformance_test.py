"""scripts/conformance decides each kind of case as its description says.

  conformance_test.py COMPILER RUNNER SCRIPT
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from numpy_samples import READERS, npy
from run_experiment import fail

compiler, runner, script = (pathlib.Path(path).resolve() for path in sys.argv[1:])
TEXT = READERS + """
model {
  objective_function { }
  metric { layer_metric { layer: "b" name: "length" } }
  layer { name: "a" children: "b" input { data_field: "samples" } }
  layer { name: "b" parents: "a" l2_norm2 { } }
  CALLBACK
}
trainer { mini_batch_size: 2 }
"""


def check(lower):
    return ('callback { check_metric { metric: "length" lower_bound: %s upper_bound: 100 error_on_failure: true '
            'execution_modes: "test" } }' % lower)


DUMP = 'callback { dump_outputs { layers: "a" execution_modes: "test" directory: "out" format: "%s" } }'
POST = 'dump_outputs of the named layers at test step 0 must equal the expected arrays'


with tempfile.TemporaryDirectory() as name:
    cases = pathlib.Path(name) / 'cases'

    def case(name, kind, callback='', data=True, **more):
        folder = cases / name
        folder.mkdir(parents=True)
        (folder / 'experiment.prototext').write_text(TEXT.replace('CALLBACK', callback))
        (folder / 'meta.json').write_text(json.dumps({'kind': kind, **more}))
        if data:
            (folder / 'samples.npy').write_bytes(npy([1, 2, 3, 4], 2, 2))
        return folder

    case('a_check', 'run+check', check(15))
    case('b_wrong_check', 'run+check', check(15.5))
    case('c_run', 'run')
    case('d_compile', 'compile-only', 'callback { export_onnx { output_filename: "t" } }')
    case('e_not_built', 'run', 'callback { export_onnx { output_filename: "t" } }')
    case('f_parse', 'parse-only', data=False)
    case('g_has_shapes', 'parse-only')
    case('g_no_shape', 'parse-only', 'layer { name: "z" parents: "a" reshape { dims: 7 } }')
    case('h_later', 'run', needs_later='a rocket')
    case('h_module', 'run', 'callback { timer { } } metric { python_metric { name: "m" module: "elsewhere" } }')
    case('i_kind', 'dance')
    for letter, form in (('j', 'npy'), ('k', 'csv')):
        expected = case(f'{letter}_post', 'run+post', DUMP % form, post_test=POST) / 'expected_a.npy'
        expected.write_bytes(npy([1, 2, 3, 4], 2, 2))
    expected = case('l_wrong_post', 'run+post', DUMP % 'npy', post_test=POST) / 'expected_a.npy'
    expected.write_bytes(npy([1, 2, 3, 5], 2, 2))
    case('m_unknown_post', 'run+post', post_test='the moon is full')
    (cases / 'n_broken').mkdir()
    (cases / 'n_broken' / 'meta.json').write_text('{')
    done = subprocess.run([script, cases.parent, '--compiler', compiler, '--run', runner, '--verbose'],
                          capture_output=True, text=True)
    print(done.stdout, done.stderr)
    lines = done.stdout.splitlines()
    failed = [line.split()[1].rstrip(':') for line in lines if line.startswith('failed ')]
    if failed != ['b_wrong_check', 'e_not_built', 'g_no_shape', 'i_kind', 'l_wrong_post', 'm_unknown_post',
                  'n_broken']:
        fail(f'these failed: {failed}')
    if lines[-1] != '7 passed, 7 failed, 2 skipped' or done.returncode != 1:
        fail(f'exit code {done.returncode}, last line {lines[-1]}')
    if (cases / 'a_check' / 'plan.bin').exists():
        fail('something was written beside a case')
    good = subprocess.run([script, cases, '--compiler', compiler, '--run', runner, '--only', 'a_check', '_run'],
                          capture_output=True, text=True)
    if good.returncode != 0 or good.stdout != '2 passed, 0 failed, 0 skipped\n':
        fail(good.stdout + good.stderr)
