// The manners of the HTML report; everything is there without it. No request, no storage.
(() => {
  "use strict";
  const words = document.getElementById("words").dataset;
  const charts = JSON.parse(document.getElementById("charts").textContent);

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // numbers as the report writes them
  const bytes = (value) => {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (Math.abs(value) >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    const digits = unit === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
    return `${value.toFixed(digits).replace("-", "\u2212")} ${units[unit]}`;
  };
  const elapsed = (seconds) => {
    const minutes = Math.round(seconds / 60);
    if (Math.abs(seconds) < 600) return `${Math.round(seconds)} s`;
    return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes} min`;
  };

  // tables: sort by a head, filter by what a row says
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? cell.textContent.trim() : Number(cell.dataset.v);
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return 1;
    if (typeof b === "number") return -1;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  const sort = (table, head) => {
    const falling = head.getAttribute("aria-sort") === "ascending" ||
      (head.classList.contains("n") && head.getAttribute("aria-sort") === "none");
    for (const other of table.tHead.rows[0].cells) {
      if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
    }
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows];
    const sign = falling ? -1 : 1;
    rows.sort((a, b) => sign * compare(key(a, head.cellIndex), key(b, head.cellIndex)));
    table.tBodies[0].append(...rows);
  };
  const filter = (table, text) => {
    const wanted = text.toLowerCase();
    for (const row of table.tBodies[0].rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
    }
  };
  for (const table of document.querySelectorAll(".table table:not(.tree)")) { // a tree's order is its sense
    if (!table.tBodies[0] || table.tBodies[0].rows.length < 3) continue;
    for (const head of table.tHead.rows[0].querySelectorAll("th")) {
      const button = make("button", { type: "button" }, ...head.childNodes);
      button.addEventListener("click", () => sort(table, head));
      head.setAttribute("aria-sort", "none");
      head.append(button);
    }
    if (table.tBodies[0].rows.length < 10) continue;
    const input = make("input", { type: "search", placeholder: words.filter });
    input.setAttribute("aria-label", words.filter);
    input.addEventListener("input", () => filter(table, input.value));
    table.parentNode.before(make("div", { className: "tools" }, input));
  }

  // charts: the values under the pointer
  const nearest = (numbers, wanted) => {
    let best = -1;
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] !== null && (best < 0 || Math.abs(numbers[i] - wanted) < Math.abs(numbers[best] - wanted))) {
        best = i;
      }
    }
    return best;
  };
  const readOut = (drawing, chart) => {
    const [low, high, left, right, width] = drawing.dataset.scale.split(" ").map(Number);
    const svg = drawing.querySelector("svg");
    const box = make("div", { className: "readout", hidden: true });
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    line.setAttribute("class", "cross");
    line.setAttribute("y1", 0);
    line.setAttribute("y2", "100%");
    drawing.append(box);
    const hide = () => {
      box.hidden = true;
      line.remove();
    };
    drawing.addEventListener("pointerleave", hide);
    drawing.addEventListener("pointermove", (event) => {
      const frame = svg.getBoundingClientRect();
      const x = (event.clientX - frame.left) / frame.width * width;
      if (x < left || x > right) return hide();
      const at = low + (x - left) / (right - left) * (high - low);
      const rows = chart.series.map((series) => {
        const i = nearest(series.x, at);
        const value = i < 0 || series.y[i] === null ? "\u2014" : bytes(series.y[i]);
        return make("div", {}, make("span", { textContent: series.label }), make("b", { textContent: value }));
      });
      const where = chart.time ? `${elapsed(at)} ${words.elapsed}` : `#${Math.round(at)}`;
      box.replaceChildren(where, ...rows);
      box.hidden = false;
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      svg.append(line);
      const place = event.clientX - frame.left;
      const flip = place > frame.width / 2;
      box.style.left = flip ? "auto" : `${place + 14}px`;
      box.style.right = flip ? `${frame.width - place + 14}px` : "auto";
    });
  };
  for (const drawing of document.querySelectorAll(".drawing[data-scale]")) {
    const chart = charts[drawing.closest("[data-chart]").dataset.chart];
    if (chart) readOut(drawing, chart);
  }

  // flame graph: a frame chosen fills the width; its callers stay above it
  const flame = (figure) => {
    const svg = figure.querySelector("svg");
    const total = svg.viewBox.baseVal.width;
    const frames = new Map();
    for (const group of svg.querySelectorAll(".hr-frame")) {
      const shapes = [...group.querySelectorAll("rect")].map((rect) => ({
        rect, x: Number(rect.getAttribute("x")), width: Number(rect.getAttribute("width")), strip: rect !== group.querySelector("rect"),
      }));
      const text = group.querySelector("text");
      const name = group.querySelector("title").textContent;
      frames.set(Number(group.dataset.index), {
        group, shapes, text, name, x: shapes[0].x, width: shapes[0].width,
        parent: group.dataset.parent === undefined ? -1 : Number(group.dataset.parent),
        label: text ? text.textContent : "", labelX: text ? text.x.baseVal[0].value : 0,
        link: group.querySelector("a"),
      });
    }
    const about = make("p", { className: "about" });
    about.setAttribute("aria-live", "polite");
    const out = make("button", { type: "button", disabled: true, textContent: words.zoomOut });
    const input = make("input", { type: "search", placeholder: words.search });
    input.setAttribute("aria-label", words.search);

    const isUnder = (frame, ancestor) => {
      while (frame && frame !== ancestor) frame = frames.get(frame.parent);
      return frame === ancestor;
    };
    // Functions of a frame stand in its title, one a line, before the line of numbers.
    const innermost = (frame) => frame.name.split("\n").slice(-2)[0];
    const relabel = (frame, width, zoomed) => {
      if (!frame.text && width > 40) {
        frame.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
        const y = frame.shapes[0].rect.y.baseVal.value + frame.shapes[0].rect.height.baseVal.value * 0.75;
        frame.text.setAttribute("class", "hr-f-ink");
        frame.text.setAttribute("font-size", "12");
        frame.text.setAttribute("y", y);
        frame.group.append(frame.text);
      }
      if (!frame.text) return;
      if (!zoomed) {
        frame.text.textContent = frame.label;
        frame.text.setAttribute("x", frame.labelX);
        return;
      }
      const room = Math.floor((width - 14) / 6.6);
      const full = innermost(frame);
      frame.text.setAttribute("text-anchor", "start");
      frame.text.textContent = room < 4 ? "" : full.length <= room ? full : `${full.slice(0, room - 1)}\u2026`;
    };
    const zoom = (chosen) => {
      const scale = chosen ? total / chosen.width : 1;
      const start = chosen ? chosen.x : 0;
      for (const frame of frames.values()) {
        const caller = chosen && frame !== chosen && isUnder(chosen, frame);
        const shown = !chosen || caller || isUnder(frame, chosen);
        frame.group.style.display = shown ? "" : "none";
        if (!shown) continue;
        const x = caller ? 0 : (frame.x - start) * scale;
        const width = caller ? total : frame.width * scale;
        for (const shape of frame.shapes) {
          shape.rect.setAttribute("x", x + (shape.x - frame.x));
          shape.rect.setAttribute("width", shape.strip ? Math.min(shape.width, width) : width);
        }
        relabel(frame, width, Boolean(chosen));
        if (frame.text && chosen) frame.text.setAttribute("x", x + 8);
      }
      for (const gone of svg.querySelectorAll(".hr-vanished")) gone.style.display = chosen ? "none" : "";
      out.disabled = !chosen;
    };
    const tell = (frame) => {
      about.replaceChildren(frame.name);
      if (frame.link) {
        about.append(" ", make("a", { href: frame.link.getAttribute("href"), textContent: frame.link.getAttribute("href").split("-").pop() }));
      }
    };
    const search = (text) => {
      const wanted = text.toLowerCase();
      let count = 0;
      for (const frame of frames.values()) {
        const found = wanted !== "" && frame.name.toLowerCase().includes(wanted);
        count += found;
        frame.group.classList.toggle("found", found);
        frame.group.classList.toggle("dim", wanted !== "" && !found);
      }
      if (wanted !== "" && count === 0) about.textContent = words.nothing;
      else about.textContent = wanted === "" ? "" : String(count);
    };
    for (const frame of frames.values()) {
      frame.group.setAttribute("tabindex", "-1");
      if (frame.link) frame.link.setAttribute("tabindex", "-1");
      frame.group.addEventListener("click", (event) => {
        event.preventDefault();
        zoom(frame);
        tell(frame);
      });
      frame.group.addEventListener("pointerenter", () => input.value === "" && tell(frame));
    }
    // Arrow keys walk the graph, Enter zooms, Escape goes back.
    let current = frames.values().next().value;
    const step = (direction) => {
      const all = [...frames.values()].filter((frame) => frame.group.style.display !== "none");
      const children = all.filter((frame) => frames.get(frame.parent) === current);
      const sisters = all.filter((frame) => frame.parent === current.parent);
      const i = sisters.indexOf(current);
      const to = { ArrowUp: frames.get(current.parent), ArrowDown: children[0], ArrowLeft: sisters[i - 1], ArrowRight: sisters[i + 1] };
      return to[direction];
    };
    const drawing = figure.querySelector(".drawing");
    drawing.addEventListener("keydown", (event) => {
      const next = step(event.key);
      if (event.key === "Enter") zoom(current);
      else if (event.key === "Escape") zoom(null);
      else if (next) current = next;
      else return;
      event.preventDefault();
      current.group.focus({ preventScroll: true });
      tell(current);
    });
    out.addEventListener("click", () => zoom(null));
    input.addEventListener("input", () => search(input.value));
    drawing.before(make("div", { className: "tools" }, input, out));
    drawing.after(about);
    window.addEventListener("beforeprint", () => zoom(null));
  };
  for (const figure of document.querySelectorAll('[data-chart="flame"]')) flame(figure);

  // a suspect under the pointer lights up wherever it is named
  const light = (event, on) => {
    const link = event.target instanceof Element && event.target.closest("[data-suspect]");
    if (!link) return;
    for (const other of document.querySelectorAll(`[data-suspect="${link.dataset.suspect}"]`)) {
      other.classList.toggle("lit", on);
    }
  };
  for (const [name, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
    document.addEventListener(name, (event) => light(event, on));
  }
})();
