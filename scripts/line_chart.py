"""Lines over an axis of a few places, as SVG."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, TOP = 560, 320, 70, 20
RIGHT, BOTTOM = WIDTH - 20, HEIGHT - 50
LEGEND = 150
COLOURS = ('#1f5fa8', '#c2452d', '#3b8a3e', '#8a5aa8', '#b08a1e', '#3a9aa0', '#7a7a7a', '#c06a9a', '#444444')


def round_numbers(least, most):
    """1, 2 and 5 times powers of ten between two positive numbers."""
    first, last = math.floor(math.log10(least)), math.ceil(math.log10(most))
    numbers = [digit * 10.0**power for power in range(first, last + 1) for digit in (1, 2, 5)]
    return [number for number in numbers if least <= number <= most]


def drawing(series, x_title, y_title, digits=0, logarithmic=False):
    """`series`: per label the values by place. Places stand side by side in the order of their numbers; values from 0 on,
    or on a logarithmic axis."""
    places = sorted({place for values in series.values() for place in values})
    all_values = [value for values in series.values() for value in values.values()]
    least, most = min(all_values) / 1.1, max(all_values) * 1.1
    x = {place: LEFT + (RIGHT - LEFT) * i / max(len(places) - 1, 1) for i, place in enumerate(places)}
    width = WIDTH + (LEGEND if len(series) > 1 else 0)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" font-family="sans-serif" '
             'font-size="12">', f'<rect width="{width}" height="{HEIGHT}" fill="white"/>']

    def y(value):
        share = math.log(value / least) / math.log(most / least) if logarithmic else value / most
        return BOTTOM - (BOTTOM - TOP) * share

    for value in round_numbers(least, most) if logarithmic else [most / 1.1 * i / 4 for i in range(5)]:
        text = f'{value:g}' if logarithmic else f'{value:.{digits}f}'
        lines += [f'<line x1="{LEFT}" y1="{y(value):.1f}" x2="{RIGHT}" y2="{y(value):.1f}" stroke="#ddd"/>',
                  f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{text}</text>']
    for place in places:
        lines.append(f'<text x="{x[place]:.1f}" y="{BOTTOM + 18}" text-anchor="middle">{place}</text>')
    for number, (label, values) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = ' '.join(f'{x[place]:.1f},{y(values[place]):.1f}' for place in sorted(values))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines += [f'<circle cx="{x[place]:.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>'
                  for place, value in sorted(values.items())]
        if len(series) > 1:
            lines.append(f'<text x="{RIGHT + 14}" y="{TOP + 16 * (number + 1)}" '
                         f'fill="{colour}">{escape(label)}</text>')
    lines += [f'<text x="{(LEFT + RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x_title)}</text>',
              f'<text x="16" y="{(TOP + BOTTOM) / 2}" text-anchor="middle" '
              f'transform="rotate(-90 16 {(TOP + BOTTOM) / 2})">{escape(y_title)}</text>', '</svg>']
    return '\n'.join(lines) + '\n'
