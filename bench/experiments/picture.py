"""Pictures of panels, drawn by gnuplot as SVG."""
import collections
import subprocess

# Okabe and Ito's, which the colour-blind tell apart too.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]

# settings: lines of gnuplot for this panel alone.
Panel = collections.namedtuple("Panel", "title x y series settings", defaults=[()])

# points: tuples. how: what gnuplot makes of them. Without a title it is not in the legend.
Series = collections.namedtuple("Series", "title points how", defaults=["with linespoints"])


def dashed(points, title="ideal"):
    """What the measured is to be held against."""
    return Series(title, points, "with lines dt 2 lc rgb '#888888'")


def ringed(points):
    """Marks sizes of more workers than cores; nothing if there are none."""
    how = "with points pt 6 ps 1.5 lw 1.5 lc rgb 'black'"
    return [Series("oversubscribed", points, how)] if points else []


class Error(Exception):
    """In one line."""


def word(value):
    """As gnuplot reads it: texts in quotes."""
    return f'"{value}"' if isinstance(value, str) else str(value)


def script(panels, columns, width, height, title):
    lines = -(-len(panels) // columns)
    yield f"set terminal svg size {columns * width},{lines * height} font 'sans,13' background 'white'"
    yield "set border 3"
    yield "set tics nomirror out"
    yield "set grid ytics lc '#dddddd' lt 1 lw 1"
    yield "set key outside right center vertical Left reverse samplen 3"
    yield "set offsets graph 0.06, graph 0.06, graph 0.06, 0"
    yield "set style fill solid 0.85 noborder"
    for i, colour in enumerate(COLOURS, 1):
        yield f"set linetype {i} lc rgb '{colour}' lw 2 pt {i + 4} ps 0.8"
    yield f"set multiplot layout {lines},{columns} title {word(title)}"
    for panel in panels:
        for i, series in enumerate(panel.series):
            yield f"$series{i} << END"
            yield from (" ".join(map(word, point)) for point in series.points)
            yield "END"
        yield f"set title {word(panel.title)}"
        yield f"set xlabel {word(panel.x)}"
        yield f"set ylabel {word(panel.y)}"
        yield "unset logscale; set xrange [*:*]; set yrange [0:*]; set xtics autofreq norotate"
        yield from panel.settings
        yield "plot " + ", ".join(
            f"$series{i} {series.how} " + (f"title {word(series.title)}" if series.title else "notitle")
            for i, series in enumerate(panel.series))


def svg(panels, columns, width=540, height=340, title=""):
    """The picture of these panels, of so many pixels each and so many in a line, with a title of all."""
    try:
        done = subprocess.run(["gnuplot"], input="\n".join(script(panels, columns, width, height, title)),
                              capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Error("it needs gnuplot, Debian's gnuplot-nox") from error
    if done.returncode != 0 or "</svg>" not in done.stdout:
        raise Error(f"gnuplot said: {' '.join(done.stderr.split())}")
    return done.stdout
