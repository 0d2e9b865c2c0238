#!/usr/bin/env python3
"""Draws docs/pictures/modules.svg: the modules, and an arrow to each neighbor that no other neighbor brings along.

Modules and neighbors come from the CMakeLists.txt files, places and captions from the table below. Modules in PLANNED are drawn
dashed; one that the table lacks is an error, one that is in the table and neither there nor planned is left out.

usage: draw_modules.py ROOT          writes the picture
       draw_modules.py ROOT --check  exits with 1 if the picture is not what would be drawn
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from check_includes import list_modules, read_neighbors  # noqa: E402

PICTURE = "docs/pictures/modules.svg"
ROWS = [  # from above: (module, caption), at a column
    {0: ("python", "bindings"), 1: ("apps/camber", "the program"), 2: ("bench", "against peers")},
    {0: ("live", "drives by hand"), 1: ("study", "many drives")},
    {0: ("view", "what a page shows"), 3: ("server", "of the page")},
    {0: ("analysis", "rig and modes, pages"), 2: ("run", "Simulation, run folders")},
    {1: ("report", "plots, HTML pages"), 3: ("scenario", "files to a world")},
    {2: ("figures", "key figures of a log"), 3: ("world", "vehicles on a terrain"), 4: ("sensors", "LIDAR, GPS, camera")},
    {1: ("record", "logs in HDF5"), 3: ("city", "streets, houses, lanes"), 4: ("scene", "meshes, rays, pictures")},
    {2: ("dynamics", "vehicles that drive")},
    {1: ("mechanism_code", "vehicles as code"), 2: ("vehicle", "templates, rig"), 4: ("autonomy", "drivers")},
    {0: ("lagrange", "analysts' models"), 2: ("multibody", "mechanisms, loops"), 4: ("driveline", "engine to wheels")},
    {0: ("rolling_wheel", "four contact laws"), 1: ("codegen", "programs, code"), 3: ("tire", "forces over slip"), 4: ("terrain", "ground and soil")},
    {0: ("integrate", "steps in time"), 2: ("symbolic", "expressions"), 4: ("planning", "maps, searches, curves")},
    {2: ("math", "duals, lanes, solvers")},
    {2: ("core", "errors, files, random")},
]
COLUMNS = 1 + max(c for row in ROWS for c in row)
PLANNED = {}
PROGRAMS = {"apps/camber": ["analysis", "planning", "study", "live"], "bench": ["run"], "python": ["run"]}
WIDTH, HEIGHT, STEP_X, STEP_Y, LEFT, TOP = 168, 50, 216, 92, 40, 20


def reachable(neighbors, start):
    seen, stack = set(), list(neighbors.get(start, []))
    while stack:
        module = stack.pop()
        if module not in seen:
            seen.add(module)
            stack.extend(neighbors.get(module, []))
    return seen


def direct(neighbors, module):
    """Neighbors that do not come along with another one."""
    names = neighbors.get(module, [])
    return [n for n in dict.fromkeys(names) if not any(n in reachable(neighbors, other) for other in names if other != n)]


def is_free(points, places):
    """Whether a line keeps clear of the boxes at these places."""
    for (ax, ay), (bx, by) in zip(points, points[1:]):
        for i in range(2, 99):
            x, y = ax + (bx - ax) * i / 100, ay + (by - ay) * i / 100
            if any(abs(x - px) < WIDTH / 2 + 4 and py - 2 < y < py + HEIGHT + 2 for px, py in places):
                return False
    return True


def find_way(a, b, others, gutters):
    """Straight where no other box is in the way, else down between two columns. `gutters` counts the arrows that each has."""
    (ax, ay), (bx, by) = a, b
    if ay == by:  # neighbors in one row
        sign = 1 if bx > ax else -1
        return [(ax + sign * WIDTH / 2, ay + HEIGHT / 2), (bx - sign * (WIDTH / 2 + 3), by + HEIGHT / 2)]
    straight = [(ax + (bx - ax) * 0.12, ay + HEIGHT), (bx - (bx - ax) * 0.12, by - 3)]
    if is_free(straight, others):
        return straight
    gutter = min(range(1, COLUMNS), key=lambda c: abs(ax - gutter_x(c)) + abs(bx - gutter_x(c)) + 10 * gutters.get(c, 0))
    x = gutter_x(gutter) + 9 * (gutters.get(gutter, 0) - 1)
    gutters[gutter] = gutters.get(gutter, 0) + 1
    start, end = ax + (WIDTH / 2 - 20) * (1 if x > ax else -1), bx + (WIDTH / 2 - 30) * (1 if x > bx else -1)
    return [(start, ay + HEIGHT), (x, ay + HEIGHT + 20), (x, by - 24), (end, by - 3)]


def gutter_x(column):
    """Midway between a column and the one left of it."""
    return LEFT + column * STEP_X - (STEP_X - WIDTH) / 2


def arrow(points, dashed):
    style = ' stroke-dasharray="5 4"' if dashed else ""
    path = " L".join(f"{x:.0f},{y:.0f}" for x, y in points)
    return f'<path d="M{path}" fill="none" stroke="#555" stroke-width="1.3"{style} marker-end="url(#a)"/>'


def box(place, name, caption, is_there):
    x, y = place[0] - WIDTH / 2, place[1]
    fill, stroke, ink, dash = ("#e8f0fa", "#2f5d8c", "#1c3a57", "") if is_there else ("#ffffff", "#999999", "#666666", ' stroke-dasharray="6 4"')
    return (
        f'<rect x="{x:.0f}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{fill}" stroke="{stroke}" stroke-width="1.5"{dash}/>\n'
        f'<text x="{place[0]:.0f}" y="{y + 21}" text-anchor="middle" font-size="14" font-weight="bold" fill="{ink}">{name}</text>\n'
        f'<text x="{place[0]:.0f}" y="{y + 40}" text-anchor="middle" font-size="11.5" fill="{ink}">{caption}</text>'
    )


def draw(root):
    modules = list_modules(root)
    neighbors = {m: [n for n, _ in read_neighbors(root, m)] for m in modules}
    neighbors.update({m: n for m, n in PLANNED.items() if m not in modules})
    neighbors.update(PROGRAMS)
    places, captions = {}, {}
    for r, row in enumerate(ROWS):
        for c, (name, caption) in row.items():
            if name not in neighbors:
                continue
            places[name] = (LEFT + c * STEP_X + WIDTH / 2, TOP + r * STEP_Y)
            captions[name] = caption
    missing = [m for m in modules if m not in places]
    if missing:
        sys.exit(f"tools/draw_modules.py: no place for {', '.join(missing)}")
    there = set(modules) | set(PROGRAMS)
    width, height = 2 * LEFT + (COLUMNS - 1) * STEP_X + WIDTH, 2 * TOP + (len(ROWS) - 1) * STEP_Y + HEIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="DejaVu Sans, Verdana, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        '<defs><marker id="a" markerWidth="9" markerHeight="9" refX="7" refY="4" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#555"/></marker></defs>',
    ]
    gutters = {}
    for module in places:
        for neighbor in direct(neighbors, module):
            if neighbor in places and not (neighbor == "core" and module not in ("math", "symbolic")):
                others = [p for m, p in places.items() if m not in (module, neighbor)]
                way = find_way(places[module], places[neighbor], others, gutters)
                if not is_free(way, others):
                    sys.exit(f"tools/draw_modules.py: the arrow from {module} to {neighbor} runs behind a box")
                lines.append(arrow(way, module not in there or neighbor not in there))
    lines += [box(places[m], m, captions[m], m in there) for m in places]
    lines += [
        *(
            f'<text x="{LEFT}" y="{height - 72 + 16 * i}" font-size="11.5" fill="#666666">{line}</text>'
            for i, line in enumerate(
                ["solid: there; dashed: planned. An arrow leads to", "what a module needs and no other neighbor brings", "along. core is under all; programs may use all."]
            )
        ),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    picture = arguments.root / PICTURE
    text = draw(arguments.root)
    if not arguments.check:
        picture.write_text(text, encoding="utf-8")
    elif not picture.exists() or picture.read_text(encoding="utf-8") != text:
        sys.exit(f"{PICTURE} is not what the CMakeLists.txt files say; run tools/draw_modules.py .")


if __name__ == "__main__":
    main()
