"""Decoding and transforms of images against Pillow: within a grey level where the definitions agree.

  pillow_test.py COMPILER RUNNER
"""
import io
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from with_modules import need_modules  # noqa: E402

need_modules('PIL', 'numpy')
import numpy  # noqa: E402
from PIL import Image, ImageEnhance, ImageOps  # noqa: E402
from run_experiment import Experiment, fail  # noqa: E402

compiler, runner = sys.argv[1:3]
TEXT = """
trainer: {{mini_batch_size: 1, training_algorithm: {{sgd: {{max_epochs: 0}}}}}}
data_reader:
  - image_folder: {{role: train, data_filedir: pictures, num_labels: 1, channels: {channels}, transforms: [{transforms}]{fields}}}
  - image_folder: {{role: test, data_filedir: pictures, num_labels: 1, channels: {channels}, transforms: [{transforms}]{fields}}}
model:
  layers:
    - input: {{name: x, data_field: samples}}
    - fully_connected: {{num_neurons: 1}}
    - l2_norm2: {{name: loss}}
  objective_function: [layer_term: {{layer: loss}}]
  callbacks:
    - dump_outputs: {{layers: [x], directory: out, format: npy, execution_modes: [test]}}
optimizer: {{sgd: {{learn_rate: 0.01}}}}
"""
HEIGHT, WIDTH = 61, 83


def picture():
    """Smooth shades, edges and grain, as a photograph has them."""
    draw = numpy.random.default_rng(7)
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    shades = numpy.stack([128 + 100 * numpy.sin(x / 9 + channel) * numpy.cos(y / (7 + channel)) for channel in range(3)], 2)
    shades[20:40, 30:60] = (220, 40, 90)
    return Image.fromarray(numpy.clip(shades + draw.normal(0, 6, shades.shape), 0, 255).astype(numpy.uint8))


def encoded(image, name, **options):
    """The bytes of the file."""
    file = io.BytesIO()
    image.save(file, name, **options)
    return file.getvalue()


class Pictures:
    """Runs in a folder with one picture; gives what the input layer has of it."""

    def __init__(self, root):
        self.root, self.runs = root, 0

    def samples(self, data, transforms, channels=3, dims=None):
        folder = self.root / f'run{self.runs}'
        self.runs += 1
        (folder / 'pictures/class').mkdir(parents=True)
        (folder / 'pictures/class/picture.png').write_bytes(data)  # JPEG, too: the bytes tell
        fields = f', fields: {{samples: {{dims: {dims}}}}}' if dims else ''
        (folder / 'experiment.yaml').write_text(TEXT.format(transforms=transforms, channels=channels, fields=fields))
        made = Experiment(compiler, runner, folder / 'experiment.yaml', folder)
        _, _, work = made.run('run', '--data-root', folder)
        (file,) = work.glob('out/trainer0/model0/*_x_output0.npy')
        return numpy.load(file)[0]


def planes(image):
    """[channels, height, width]."""
    values = numpy.asarray(image, dtype=float)
    return values[None] if values.ndim == 2 else values.transpose(2, 0, 1)


def compare(name, found, expected, bound=1.0):
    if found.shape != expected.shape:
        fail(f'{name}: dims {found.shape}, not {expected.shape}')
    worst = abs(found - expected).max()
    print(f'{name}: differs by at most {worst:.3f} grey levels')
    if not worst <= bound:
        fail('that is more than the definitions allow')


def decoding(pictures):
    image = picture()
    whole = [3, HEIGHT, WIDTH]
    grey = image.convert('L')
    wide = Image.fromarray((numpy.asarray(grey).astype(numpy.uint16) * 257 + 3).astype(numpy.uint16))
    clear = image.convert('RGBA')
    clear.putalpha(grey)
    palette = image.quantize(64)
    for name, data, channels, expected in (
            ('png', encoded(image, 'PNG'), 3, planes(image)),
            ('png of grey', encoded(grey, 'PNG'), 1, planes(grey)),
            ('png of 16 bits', encoded(wide, 'PNG'), 1, numpy.asarray(wide, dtype=float)[None] / 257),
            ('png with transparency', encoded(clear, 'PNG'), 3, planes(image)),
            ('png with a palette', encoded(palette, 'PNG'), 3, planes(palette.convert('RGB'))),
            ('grey png in three channels', encoded(grey, 'PNG'), 3, planes(grey.convert('RGB'))),
            ('coloured png in grey', encoded(image, 'PNG'), 1, planes(grey))):
        compare(name, pictures.samples(data, '', channels, [channels, *whole[1:]]), expected, 0.51)
    for name, options in (('4:2:0', {'quality': 90}), ('4:4:4', {'quality': 95, 'subsampling': 0}),
                          ('progressive', {'quality': 75, 'progressive': True})):
        data = encoded(image, 'JPEG', **options)
        decoded = Image.open(io.BytesIO(data))
        compare(f'jpeg {name}', pictures.samples(data, '', 3, whole), planes(decoded), 1)
        data = encoded(grey, 'JPEG', quality=90)
        compare('grey jpeg', pictures.samples(data, '', 1, [1, *whole[1:]]), planes(Image.open(io.BytesIO(data))), 1)


def transforms(pictures):
    image = picture()
    data = encoded(image, 'PNG')
    crop = ((WIDTH - 40 + 1) // 2, (HEIGHT - 30 + 1) // 2)
    for name, text, expected in (
            ('flip', 'horizontal_flip: {p: 1}', ImageOps.mirror(image)),
            ('vertical flip', 'vertical_flip: {p: 1}', ImageOps.flip(image)),
            ('crop', 'center_crop: {height: 30, width: 40}', image.crop((*crop, crop[0] + 40, crop[1] + 30))),
            ('pad', 'pad: {pad: 5}', ImageOps.expand(image, 5, 0)),
            ('grey', 'grayscale: ', image.convert('L')),
            ('brightness', 'adjust_brightness: {factor: 0.6}', ImageEnhance.Brightness(image).enhance(0.6)),
            ('brighter', 'adjust_brightness: {factor: 1.7}', ImageEnhance.Brightness(image).enhance(1.7)),
            ('contrast', 'adjust_contrast: {factor: 0.5}', ImageEnhance.Contrast(image).enhance(0.5)),
            ('more contrast', 'adjust_contrast: {factor: 1.5}', ImageEnhance.Contrast(image).enhance(1.5)),
            # Pillow takes the mean of all pixels that become one where an image gets smaller, OpenCV and LBANN do not.
            ('resize', 'resize: {height: 131, width: 200}', image.resize((200, 131), Image.Resampling.BILINEAR)),
            ('resize to itself', f'resize: {{height: {HEIGHT}, width: {WIDTH}}}', image)):
        dims = '' if any(word in text for word in ('resize', 'center_crop')) else [3, HEIGHT, WIDTH]
        expected = planes(expected)
        if dims:
            dims = [expected.shape[0], *expected.shape[1:]]
        compare(name, pictures.samples(data, text, 3, dims), expected)
    for factor in (0.3, 1.9):
        # Pillow rounds the grey image that it mixes with.
        found = pictures.samples(data, f'adjust_saturation: {{factor: {factor}}}', 3, [3, HEIGHT, WIDTH])
        compare(f'saturation {factor}', found, planes(ImageEnhance.Color(image).enhance(factor)), 1 + abs(1 - factor) / 2)


def turning(pictures):
    """About the centre, clockwise; Pillow turns the other way and is black beyond the edges, where pixels go on here."""
    image = picture()
    for angle in (-30, 12, 90):
        found = pictures.samples(encoded(image, 'PNG'), f'random_affine: {{rotate_min: {angle}, rotate_max: {angle}}}', 3,
                                 [3, HEIGHT, WIDTH])
        turn = dict(angle=-angle, resample=Image.Resampling.BILINEAR)
        inside = planes(Image.new('RGB', image.size, (255, 255, 255)).rotate(**turn)) == 255
        compare(f'turned by {angle}', numpy.where(inside, found, 0), numpy.where(inside, planes(image.rotate(**turn)), 0))


with tempfile.TemporaryDirectory() as scratch:
    pictures = Pictures(pathlib.Path(scratch).resolve())
    decoding(pictures)
    transforms(pictures)
    turning(pictures)
