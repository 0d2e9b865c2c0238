#include "camber/report/chart.h"

namespace camber::report {

// The curves' numbers are taken from the drawing itself, so a page holds them once.
const char* chart_script() {
  return R"js(
(() => {
  'use strict';
  const UNITS_ACROSS = 50000, UNITS_DOWN = 10000;
  const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
  const percent = (part) => (100 * part).toFixed(3) + '%';

  function ticks(first, last, count) {
    const rough = (last - first) / count;
    const decade = 10 ** Math.floor(Math.log10(rough));
    const ratio = rough / decade;
    const step = decade * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
    const list = [];
    for (let k = Math.ceil(first / step - 1e-9); k <= last / step + 1e-9; ++k) list.push(k * step);
    return list;
  }

  // As many decimals as a thousandth of the range asks for.
  function text(value, range) {
    const decimals = Math.ceil(3 - Math.log10(range));
    if (decimals > 6) return value.toPrecision(4);
    const digits = value.toFixed(clamp(decimals, 0, 6));
    return /^-[0.]*$/.test(digits) ? digits.slice(1) : digits;  // no "-0.00"
  }

  function element(parent, name, className) {
    const made = document.createElement(name);
    made.className = className;
    parent.append(made);
    return made;
  }

  // Pieces of a curve, each as lists of x and y in the chart's own units: "M0 4000l14 3 14-2".
  function readCurve(path) {
    return path.getAttribute('d').split('M').slice(1).map((piece) => {
      const numbers = (piece.match(/-?\d+/g) || []).map(Number);
      const x = [numbers[0]], y = [numbers[1]];
      for (let k = 2; k + 1 < numbers.length; k += 2) {
        x.push(x[x.length - 1] + numbers[k]);
        y.push(y[y.length - 1] + numbers[k + 1]);
      }
      return { x, y };
    });
  }

  // y at x on a line between points; undefined where the curve has a gap.
  function lookUp(pieces, x) {
    for (const piece of pieces) {
      const end = piece.x.length - 1;
      if (!(x >= piece.x[0] && x <= piece.x[end])) continue;  // also if x is NaN
      let low = 0, high = end;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (piece.x[middle] <= x) low = middle; else high = middle;
      }
      const length = piece.x[high] - piece.x[low];
      const part = length > 0 ? (x - piece.x[low]) / length : 0;
      return piece.y[low] + part * (piece.y[high] - piece.y[low]);
    }
    return undefined;
  }

  class Chart {
    constructor(root) {
      this.root = root;
      this.area = root.querySelector('.area');
      this.svg = root.querySelector('svg');
      [this.left, this.right, this.bottom, this.top] = root.dataset.range.split(' ').map(Number);
      this.isOverTime = 'overTime' in root.dataset;
      this.curves = [...root.querySelectorAll('.curve')].map(readCurve);
      this.values = [...root.querySelectorAll('.key b')];
      if (this.isOverTime) {
        this.cursor = element(this.area, 'div', 'cursor');
        this.dots = this.curves.map((curve, i) => {
          const color = root.querySelectorAll('.curve')[i].getAttribute('class').match(/c\d/)[0];
          return element(this.area, 'div', 'dot ' + color);
        });
      } else if (root.dataset.tracked) {
        const [curve, first, last] = root.dataset.tracked.split(' ').map(Number);
        this.track = { points: this.curves[curve][0], first, last };
        this.dots = [element(this.area, 'div', 'dot vehicle')];
      }
      this.showAll();
    }

    showAll() { this.view = { x: 0, width: UNITS_ACROSS, y: 0, height: UNITS_DOWN }; }

    unitsAt(time) { return (time - this.left) / (this.right - this.left) * UNITS_ACROSS; }
    timeAt(units) { return this.left + units / UNITS_ACROSS * (this.right - this.left); }
    valueAt(units) { return this.top - units / UNITS_DOWN * (this.top - this.bottom); }

    zoom(first, last) {
      const x = this.unitsAt(first), end = this.unitsAt(last);
      let low = Infinity, high = -Infinity;
      const add = (y) => { if (y !== undefined) { low = Math.min(low, y); high = Math.max(high, y); } };
      for (const pieces of this.curves) {
        add(lookUp(pieces, x));
        add(lookUp(pieces, end));
        for (const piece of pieces) {
          for (let k = 0; k < piece.x.length; ++k) if (piece.x[k] >= x && piece.x[k] <= end) add(piece.y[k]);
        }
      }
      const least = UNITS_DOWN / 20;  // what hardly moves is to look so
      const margin = Math.max(0.06 * (high - low), (least - (high - low)) / 2);
      this.view = low > high ? { x, width: end - x, y: 0, height: UNITS_DOWN }
        : { x, width: end - x, y: low - margin, height: high - low + 2 * margin };
    }

    draw() {
      const { x, width, y, height } = this.view;
      this.svg.setAttribute('viewBox', [x, y, width, height].join(' '));
      for (const old of this.area.querySelectorAll('.tx, .ty')) old.remove();
      const first = this.timeAt(x), last = this.timeAt(x + width);
      const low = this.valueAt(y + height), high = this.valueAt(y);
      let grid = '';
      const label = (className, side, part, value) => {
        const mark = element(this.area, 'span', className);
        mark.style[side] = percent(part);
        mark.textContent = String(Number(value.toPrecision(6)));
      };
      for (const t of ticks(first, last, 5)) {
        const part = (t - first) / (last - first);
        grid += `M${x + part * width} ${y}v${height}`;
        label('tx', 'left', part, t);
      }
      for (const t of ticks(low, high, 5)) {
        const part = (high - t) / (high - low);
        grid += `M${x} ${y + part * height}h${width}`;
        label('ty', 'top', part, t);
      }
      this.svg.querySelector('.grid').setAttribute('d', grid);
    }

    place(dot, x, y) {
      const left = (x - this.view.x) / this.view.width, top = (y - this.view.y) / this.view.height;
      dot.hidden = !(left >= 0 && left <= 1 && top >= 0 && top <= 1);
      dot.style.left = percent(left);
      dot.style.top = percent(top);
    }

    showTime(time) {
      if (this.track) return this.showTrack(time);
      if (!this.isOverTime) return;
      const x = this.unitsAt(time === null ? NaN : time);
      const part = (x - this.view.x) / this.view.width;
      this.cursor.hidden = !(part >= 0 && part <= 1);
      this.cursor.style.left = percent(part);
      this.curves.forEach((pieces, i) => {
        const y = lookUp(pieces, x);
        if (this.values[i]) this.values[i].textContent = y === undefined ? '' : text(this.valueAt(y), this.top - this.bottom);
        this.place(this.dots[i], x, y);
      });
    }

    showTrack(time) {
      const { points, first, last } = this.track;
      const at = (time - first) / (last - first) * (points.x.length - 1);
      if (time === null || !(at >= 0 && at <= points.x.length - 1)) { this.dots[0].hidden = true; return; }
      const k = Math.min(Math.floor(at), points.x.length - 2), part = at - k;
      this.place(this.dots[0], points.x[k] + part * (points.x[k + 1] - points.x[k]),
        points.y[k] + part * (points.y[k + 1] - points.y[k]));
    }
  }

  const charts = [...document.querySelectorAll('.chart')].map((root) => new Chart(root));
  const bars = element(document.body, 'div', 'time-bars');

  // Charts over the same share a cursor and a zoom; what is tracked goes with time.
  function connect(key) {
    const [name, unit] = key.split('|');
    const own = charts.filter((chart) => (chart.root.dataset.cursor ?? 't|s') === key);
    const timed = own.filter((chart) => chart.isOverTime);
    const whole = { first: Math.min(...timed.map((c) => c.left)), last: Math.max(...timed.map((c) => c.right)) };
    let shown = { ...whole };
    let time = null;

    const bar = element(bars, 'div', 'time-bar');
    const clock = element(bar, 'span', 'clock');
    const reset = element(bar, 'button', 'reset');
    reset.type = 'button';
    reset.textContent = key === 't|s' ? 'whole run' : 'whole range';
    reset.addEventListener('click', () => zoom(whole.first, whole.last));

    let isDue = false;
    function showTime(next) {
      time = next;
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        for (const chart of own) chart.showTime(time);
        updateBar();
      });
    }

    function updateBar() {
      const isZoomed = shown.first > whole.first || shown.last < whole.last;
      clock.textContent = time === null ? '' : `${name} = ${text(time, shown.last - shown.first)} ${unit}`;
      reset.hidden = !isZoomed;
      bar.hidden = time === null && !isZoomed;
    }

    function zoom(first, last) {
      const least = 200 / UNITS_ACROSS * (whole.last - whole.first);
      const length = clamp(last - first, least, whole.last - whole.first);
      const start = clamp(first, whole.first, whole.last - length);
      shown = { first: start, last: start + length };
      const isWhole = length >= whole.last - whole.first;
      for (const chart of timed) {
        if (isWhole) chart.showAll(); else chart.zoom(shown.first, shown.last);
        chart.draw();
        chart.showTime(time);
      }
      updateBar();
    }

    function listen(chart) {
      const partAt = (event) => {
        const box = chart.area.getBoundingClientRect();
        return clamp((event.clientX - box.left) / box.width, 0, 1);
      };
      const timeAt = (part) => shown.first + part * (shown.last - shown.first);
      let start = null, brush = null;
      const fingers = new Map();  // pointer -> the time it holds, and where it is now

      const endBrush = () => { if (brush) brush.remove(); start = brush = null; };

      chart.area.addEventListener('pointerdown', (event) => {
        const part = partAt(event);
        if (event.pointerType === 'touch') fingers.set(event.pointerId, { time: timeAt(part), part });
        else if (event.button === 0) {
          start = { part, x: event.clientX };
          chart.area.setPointerCapture(event.pointerId);
        }
        showTime(timeAt(part));
      });
      chart.area.addEventListener('pointermove', (event) => {
        const part = partAt(event);
        if (fingers.has(event.pointerId)) fingers.get(event.pointerId).part = part;
        if (fingers.size === 2) {
          const [a, b] = [...fingers.values()].sort((one, other) => one.part - other.part);
          if (b.part - a.part < 0.02 || b.time <= a.time) return;
          const length = (b.time - a.time) / (b.part - a.part);
          zoom(a.time - a.part * length, a.time + (1 - a.part) * length);
          return;
        }
        if (start && Math.abs(event.clientX - start.x) > 4) {
          brush = brush || element(chart.area, 'div', 'brush');
          brush.style.left = percent(Math.min(start.part, part));
          brush.style.width = percent(Math.abs(start.part - part));
        }
        showTime(timeAt(part));
      });
      chart.area.addEventListener('pointerup', (event) => {
        fingers.delete(event.pointerId);
        if (brush) {
          const ends = [timeAt(start.part), timeAt(partAt(event))].sort((a, b) => a - b);
          zoom(ends[0], ends[1]);
        }
        endBrush();
      });
      chart.area.addEventListener('pointercancel', (event) => { fingers.delete(event.pointerId); endBrush(); });
      chart.area.addEventListener('pointerleave', (event) => {
        if (event.pointerType !== 'touch' && !start) showTime(null);
      });
      chart.area.addEventListener('dblclick', () => zoom(whole.first, whole.last));
      chart.root.addEventListener('keydown', (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (event.key === 'Escape') zoom(whole.first, whole.last);
        if (!step) return;
        event.preventDefault();
        const from = time === null ? (shown.first + shown.last) / 2 : time;
        showTime(clamp(from + step * (shown.last - shown.first) / 200, shown.first, shown.last));
      });
    }

    timed.forEach(listen);
    showTime(null);
  }

  for (const key of new Set(charts.filter((c) => c.isOverTime).map((c) => c.root.dataset.cursor))) connect(key);
})();
)js";
}

}  // namespace camber::report
