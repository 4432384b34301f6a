# The ratios as an SVG picture that reads well on white and on dark pages.
from xml.sax.saxutils import escape

from benchlib.report import titles, yardstick

GREY = "#767676"  # 4.5 : 1 against white and against black
colours = {
    "gapless": "#2f81f7",
    "gapless-ordered": "#1a9a8a",
    "gapless-format": "#8250df",
    "gapless-hold": "#bf3989",
    "locked": "#c2702b",
    "serializable": "#c2483d",
    "redis": "#8f6bc9",
}
width, left, right = 760, 240, 110
bar, gap, group_gap, top = 16, 5, 30, 56


def text(x, y, words, anchor="start", size=12, weight="normal"):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
        f' font-weight="{weight}" fill="{GREY}">{escape(words)}</text>'
    )


def bar_parts(row, y, scale):
    """One bar with its name, its value and the spread of the rounds."""
    ratio = row["ratio"]
    length, low, high = (left + ratio[name] * scale for name in ("median", "min", "max"))
    middle = y + bar / 2
    value = f"{ratio['median']:.2f}" if ratio["median"] >= 0.1 else f"{ratio['median']:.4f}"
    return [
        text(left - 8, y + bar - 4, titles[row["peer"]], "end"),
        f'<rect x="{left}" y="{y}" width="{max(length - left, 1):.1f}" height="{bar}" rx="2"'
        f' fill="{colours[row["peer"]]}"/>',
        f'<path d="M{low:.1f} {middle}H{high:.1f}'
        f'M{low:.1f} {middle - 3}v6M{high:.1f} {middle - 3}v6"'
        f' stroke="{GREY}" stroke-width="1.5" fill="none"/>',
        text(max(length, high) + 6, y + bar - 4, f"{value}  ({row['rate']:,.0f}/s)"),
    ]


def draw(result):
    """The whole picture."""
    rows = [r for r in result["summary"] if r["peer"] in colours and "ratio" in r]
    farthest = max([1.1] + [r["ratio"]["max"] for r in rows])
    scale = (width - left - right) / farthest
    parts, y = [], top
    for clients in dict.fromkeys(r["clients"] for r in rows):
        y += group_gap - gap
        words = "1 client" if clients == 1 else f"{clients} clients"
        parts.append(text(8, y - 8, words, weight="bold"))
        for row in (r for r in rows if r["clients"] == clients):
            parts += bar_parts(row, y, scale)
            y += bar + gap
    one = left + scale
    line = f'<path d="M{one:.1f} {top - 8}V{y}" stroke="{GREY}" stroke-dasharray="4 3"/>'
    heading = [
        text(8, 20, "Numbers per second, as a multiple of nextval", size=15, weight="bold"),
        text(one, top - 14, yardstick, "middle"),
        text(8, y + 22, footnote(result), size=11),
    ]
    height = y + 36
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" role="img"'
        ' aria-label="Numbers per second as a multiple of nextval">\n'
        + "\n".join(heading + [line] + parts)
        + "\n</svg>\n"
    )


def footnote(result):
    machine = result["machine"]
    version = machine["postgresql"]["server_version"].split()[0]
    rounds = "One round."
    if result["rounds_asked"] > 1:
        rounds = f"Medians of {result['rounds_asked']} rounds; thin lines: lowest to highest."
    return (
        f"{rounds} {machine['processors']} processors, fdatasync {machine['fdatasync_us']} µs,"
        f" PostgreSQL {version}, {result['date'][:10]}"
    )
