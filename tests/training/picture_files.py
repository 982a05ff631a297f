"""Small pictures in a folder for each class, for experiments that read such."""
import base64
import random
import struct
import zlib

# Two JPEG files, 29 x 21 and 24 x 40 pixels, as Pillow writes them.
JPEG = [base64.b64decode(text) for text in (
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxl'
    'Z2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAVAB0DASIA'
    'AhEBAxEB/8QAGAABAQEBAQAAAAAAAAAAAAAABQADAQb/xAAcEAABBQEBAQAAAAAAAAAAAAAAAgMEEjEBESH/xAAWAQEBAQAAAAAAAAAAAAAAAAADBQT/'
    'xAAeEQACAgICAwAAAAAAAAAAAAAAAQMEAhIRIhMhI//aAAwDAQACEQMRAD8AYYlJrphLlJ879BGJaq6YS5avNJeNbsbJafwE0yk30SYlJpp4tMtV9EmJ'
    'aqaLLW9E+jT7M4w1yumMtrnnfpENi3sXZW/AHpa5fRJhrlNIhZW+DBRb2Z//2Q==',
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxl'
    'Z2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAoABgDASIA'
    'AhEBAxEB/8QAGAABAQEBAQAAAAAAAAAAAAAAAAUGBAP/xAAZEAADAQEBAAAAAAAAAAAAAAAAAgQxEhH/xAAXAQADAQAAAAAAAAAAAAAAAAAAAQID/8QA'
    'HxEAAgIBBQEBAAAAAAAAAAAAAAQCAyEBBREiIxIT/9oADAMBAAIRAxEAPwC+9S8aSqKl604nrbjSVRW3WjpWyVuCfXQ00tS+6DOy1t7oHNbJKqfmd7yt'
    'xhLolbrDbPIvGEuiResClnJe4OddCBLK3uA0Usi+4BzZySq55lF6140lUVr1oBjTXHky3CqPzoekta+6AAnXHklWqP5n/9k=')]


def png(rows):
    """A PNG file of rows of red, green and blue bytes."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    header = struct.pack('>IIBBBBB', len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    lines = b''.join(b'\0' + row for row in rows)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(lines)) + chunk(b'IEND', b'')


def make_pictures(folder, classes, each):
    """`each` pictures of many sizes for each of so many classes, every other one a JPEG, the others of a colour of their class."""
    draw = random.Random(3)
    for label in range(classes):
        place = folder / f'class{label}'
        place.mkdir(parents=True)
        for number in range(each):
            if number % 2:
                (place / f'{number}.jpg').write_bytes(JPEG[(label + number // 2) % 2])
                continue
            width, height = draw.randint(20, 60), draw.randint(20, 60)
            rows = [bytes(min(255, 20 * label + draw.randrange(60) + 25 * (i % 3)) for i in range(3 * width)) for _ in range(height)]
            (place / f'{number}.png').write_bytes(png(rows))
