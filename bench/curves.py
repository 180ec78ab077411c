"""Kill-over-time curves as SVG: the share of mutants dead over CPU seconds, one line a run (the papers' Figure 3)."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 56, 56

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .page { fill: #ffffff; } .grid { stroke: #d1d9e0; } .axis { stroke: #59636e; }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
  .a { stroke: #0969da; } .b { stroke: #bc4c00; stroke-dasharray: 7 3; }
  text.a { fill: #0969da; stroke: none; } text.b { fill: #bc4c00; stroke: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .page { fill: #0d1117; } .grid { stroke: #30363d; } .axis { stroke: #9198a1; }
    .a { stroke: #58a6ff; } .b { stroke: #f0883e; } text.a { fill: #58a6ff; } text.b { fill: #f0883e; }
  }
"""


def ticks(least, most):
    """Powers of ten, and in between 2 and 5 where there are few of them."""
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    steps = (1, 2, 5) if high - low <= 3 else (1,)
    marks = [step * 10.0 ** power for power in range(low, high + 1) for step in steps]
    return [mark for mark in marks if least <= mark <= most]


def svg(title, mutants, engines):
    """`engines`: name → runs, each the times of its deaths and its end; `mutants`: how many there are."""
    firsts = [times[0] for runs in engines.values() for times, _ in runs if times]
    ends = [end for runs in engines.values() for _, end in runs]
    least = min(firsts, default=1.0) * 0.8
    most = max([*ends, least * 10]) * 1.05
    least = max(least, most / 1e5)

    def x(seconds):
        share = (math.log(max(seconds, least)) - math.log(least)) / (math.log(most) - math.log(least))
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(share):
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
           f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>",
           f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
           f'<text class="title" x="{LEFT}" y="24">{escape(title)}</text>']
    for percent in range(0, 101, 20):
        at = y(percent / 100)
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{percent} %</text>')
    for mark in ticks(least, most):
        out.append(f'<line class="grid" x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
        out.append(f'<text x="{x(mark):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{mark:g}</text>')
    out.append(f'<path class="axis line" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">'
               "CPU seconds of building and searching</text>")
    place = LEFT
    for mark, (name, runs) in zip("ab", engines.items()):
        out.append(f'<line class="line {mark}" x1="{place}" x2="{place + 28}" y1="41" y2="41"/>')
        out.append(f'<text class="{mark}" x="{place + 34}" y="45">{escape(name)}</text>')
        place += 60 + 8 * len(name)
        for times, end in runs:
            path = [f"M{LEFT} {y(0):.1f}"]
            for count, time in enumerate(times, 1):
                path.append(f"H{x(time):.1f}V{y(count / mutants):.1f}")
            path.append(f"H{x(end):.1f}")
            out.append(f'<path class="line {mark}" d="{"".join(path)}"/>')
    return "\n".join([*out, "</svg>", ""])
