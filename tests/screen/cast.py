"""An animated picture (cast_svg) is what its recording shows: read back at a moment, cell by cell.

    cast.py ANIMATED.svg STILL.svg      the animation's last frame is the picture drawn from the screen at its end, and
                                        its first is another; prints the frames
"""
import re
import sys
import xml.etree.ElementTree as xml

TAG = '{http://www.w3.org/2000/svg}'


def frames_of(root):
    """For each group's class its (percent, is seen) in order."""
    found = [re.search(r'@keyframes k(\d+)\{(.*)\}$', s.text) for s in root.iter(TAG + 'style')]
    return {m[1]: [(float(at), seen == 'visible') for at, seen in re.findall(r'([\d.]+)%\{visibility:(\w+)\}', m[2])]
            for m in found if m}


def is_seen(node, frames, percent):
    name = re.search(r'\bg(\d+)', node.get('class', ''))
    if not name:
        return True
    return [seen for at, seen in frames[name[1]] if at <= percent][-1]


def paint(node, looks, frames, percent, cells, bars):
    looks = {**looks, **{k: node.get(k) for k in ('fill', 'font-weight') if node.get(k)}}
    if not is_seen(node, frames, percent):
        return
    if node.tag == TAG + 'text':
        assert int(node.get('textLength')) == 8 * len(node.text), node.text
        for i, c in enumerate(node.text):
            if c not in ' \u00a0':
                at = (int(node.get('x')) + 8 * i, node.get('y'))
                assert at not in cells, f'two characters at {at}'
                cells[at] = (c, looks.get('fill'), looks.get('font-weight'))
    elif node.tag == TAG + 'rect' and node.get('x'):
        bars.add((*[node.get(k) for k in ('x', 'y', 'width', 'height', 'fill-opacity')], looks['fill']))
    for inner in node:
        paint(inner, looks, frames, percent, cells, bars)


def picture(root, percent=100):
    cells, bars = {}, set()
    paint(root, {}, frames_of(root), percent, cells, bars)
    return cells, bars


def moments(root):
    return sorted({at for steps in frames_of(root).values() for at, _ in steps})


def main():
    film, still = (xml.parse(p).getroot() for p in sys.argv[1:])
    last, want = picture(film), picture(still)
    below = float(still.get('height'))
    last = {at: c for at, c in last[0].items() if float(at[1]) < below}, last[1]	# without the caption
    assert last[0] == want[0], sorted(set(last[0].items()) ^ set(want[0].items()))[:10]
    assert last[1] == want[1], sorted(map(str, last[1] ^ want[1]))[:10]
    assert picture(film, 0)[0] != want[0], 'nothing moves'
    print(f'{len(moments(film))} frames, {len(want[0])} characters and {len(want[1])} bars at the end')


if __name__ == '__main__':
    main()
