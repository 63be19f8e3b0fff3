/* Plots: drawn when they come near, in the colours of the theme; the library is unpacked for the first one. */
(() => {
  "use strict";
  const vlnscope = (window.vlnscope = window.vlnscope || {});
  const figures = JSON.parse(document.getElementById("plot-data").textContent);
  const areas = [...document.querySelectorAll("[data-plot]")];
  const PANEL = { least: 250, height: 250, top: 34, gap: 30, side: 46, below: 34, note: 16, row: 50 };
  let library = null;

  const unpack = async () => {
    const held = document.getElementById("plot-library").textContent;
    const bytes = Uint8Array.from(atob(held), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.head.append(script);
    if (!window.Plotly) throw new Error("the plot library did not start");
    return window.Plotly;
  };

  const load = () => {
    library = library || unpack();
    return library;
  };

  const variable = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /* Puts the colours of the theme where the data name a variable. */
  const coloured = (value) => {
    if (typeof value === "string" && value.startsWith("var(")) return variable(value.slice(4, -1));
    if (Array.isArray(value)) return value.map(coloured);
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, coloured(inner)]));
    }
    return value;
  };

  const axis = (more) => ({
    automargin: true,
    gridcolor: variable("--line"),
    linecolor: variable("--line"),
    zerolinecolor: variable("--muted"),
    zerolinewidth: 1,
    ...more,
  });

  const suffix = (k) => (k ? String(k + 1) : "");

  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  /* How labels along the axis are turned, and how much room they need below. */
  const labels = (panel, width) => {
    const texts = new Set(panel.traces.flatMap((trace) => trace.x || []));
    const words = [...texts].filter((text) => typeof text === "string");
    const longest = Math.max(0, ...words.map((text) => text.length));
    if (longest * 7 + 6 <= width / Math.max(words.length, 1)) return [0, PANEL.below];
    return [-40, Math.min(PANEL.below + longest * 4.2, 150)];
  };

  /* How high a panel is: planes keep their shape, rows of ridges their height. */
  const heightOf = (panel, wide) => {
    if (!panel.plane) return PANEL.height;
    const [x, y] = [panel.plane.x, panel.plane.y];
    return panel.plane.square ? (wide * (y[1] - y[0])) / (x[1] - x[0]) : PANEL.row * (y[1] - y[0]);
  };

  /* Both axes of a plane: none where units are the same both ways, else names of rows and numbers along. */
  const planeAxes = (plane, k) => {
    const bare = { visible: false, fixedrange: true };
    const along = { range: plane.x, showgrid: false, zeroline: false };
    const up = { range: plane.y, showgrid: false, zeroline: false };
    if (plane.square) return [{ ...along, ...bare }, { ...up, ...bare, scaleanchor: `x${suffix(k)}` }];
    const named = { tickvals: plane.rows.map(([at]) => at), ticktext: plane.rows.map(([, name]) => name) };
    return [along, { ...up, ...named, tickmode: "array" }];
  };

  const worded = (figure) =>
    figure.panels.some((panel) => panel.traces.some((trace) => typeof (trace.x || [])[0] === "string"));

  const layoutOf = (figure, width) => {
    const heat = figure.kind === "heatmap";
    const count = figure.panels.length;
    const columns = Math.max(1, Math.min(figure.columns, count, Math.floor(width / PANEL.least)));
    const rows = Math.ceil(count / columns);
    const named = figure.panels.some((panel) => panel.title);
    const inner = width - PANEL.side - 12;
    const gap = (heat ? 90 : PANEL.gap) / inner;
    const turned = figure.panels.map((panel) => labels(panel, (inner - PANEL.gap * (columns - 1)) / columns));
    const planes = figure.panels.every((panel) => panel.plane);
    const square = planes && figure.panels.every((panel) => panel.plane.square);
    const below = square ? 8 : Math.max(...turned.map(([, room]) => room));
    const noted = figure.panels.some((panel) => panel.note);
    const head = (named ? PANEL.top : 0) + (noted ? PANEL.note : 0);
    const tallest = Math.max(
      ...figure.panels.map((panel) => heightOf(panel, (inner - PANEL.gap * (columns - 1)) / columns))
    );
    const step = tallest + below + head;
    const height = rows * step;
    const layout = {
      width,
      height: height + 20,
      margin: { l: square ? 12 : PANEL.side, r: 12, t: head || 10, b: below },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: variable("--ink") },
      showlegend: false,
      barmode: "group",
      boxmode: "group",
      bargap: 0.25,
      hovermode: "closest",
      hoverlabel: { bgcolor: variable("--surface"), bordercolor: variable("--muted"), font: { color: variable("--ink") } },
      annotations: [],
      dragmode: false,
    };
    const full = layout.height - layout.margin.t - layout.margin.b;
    const wide = (1 - gap * (columns - 1)) / columns;
    const between = (below + (head || 8)) / full;
    const high = (1 - between * (rows - 1)) / rows;
    figure.panels.forEach((panel, k) => {
      const row = Math.floor(k / columns);
      const column = k % columns;
      const left = column * (wide + gap);
      const top = 1 - row * (high + between);
      const shared = k && !heat && !planes;
      const [along, up] = panel.plane ? planeAxes(panel.plane, k) : [{}, {}];
      layout[`xaxis${suffix(k)}`] = axis({
        domain: [left, left + wide],
        anchor: `y${suffix(k)}`,
        showgrid: figure.kind === "points",
        zeroline: figure.kind === "points",
        ...(figure.kind === "points" ? { rangemode: "tozero" } : {}),
        ...(turned[k][0] ? { tickangle: turned[k][0] } : {}),
        ...(shared && !worded(figure) ? { matches: "x" } : {}),
        ...along,
      });
      layout[`yaxis${suffix(k)}`] = axis({
        domain: [Math.max(top - high, 0), top],
        anchor: `x${suffix(k)}`,
        ...(shared ? { matches: "y" } : {}),
        ...(heat ? {} : { rangemode: "tozero" }),
        ...(heat ? { autorange: "reversed" } : { showticklabels: column === 0 }),
        ...up,
      });
      if (panel.title || panel.note) {
        layout.annotations.push({
          text: `<b>${plain(panel.title)}</b>${panel.note ? `<br>${plain(panel.note)}` : ""}`,
          align: "left",
          x: left,
          y: top,
          xref: "paper",
          yref: "paper",
          xanchor: "left",
          yanchor: "bottom",
          yshift: 4,
          showarrow: false,
        });
      }
    });
    return layout;
  };

  const tracesOf = (figure) =>
    figure.panels.flatMap((panel, k) =>
      panel.traces.map((trace) => ({ ...coloured(trace), xaxis: `x${suffix(k)}`, yaxis: `y${suffix(k)}` }))
    );

  const draw = (Plotly, area, width) => {
    const figure = figures[area.dataset.plot];
    const wide = width || area.clientWidth;
    if (!figure || !wide) return;
    if (!area.classList.contains("drawn")) {
      area.replaceChildren();
      area.classList.add("drawn");
    }
    area.dataset.width = String(wide);
    Plotly.react(area, tracesOf(figure), layoutOf(figure, wide), { displayModeBar: false, displaylogo: false });
  };

  const fail = (area) => {
    const note = area.querySelector(".waiting");
    if (note) note.textContent = "This browser cannot draw the plot; its data are in the table below.";
  };

  const show = (area) => load().then((Plotly) => draw(Plotly, area)).catch(() => fail(area));
  const drawn = () => areas.filter((area) => area.classList.contains("drawn"));
  const again = () => window.Plotly && drawn().forEach((area) => draw(window.Plotly, area));

  /* Draws every plot; resolves when all are there. */
  vlnscope.drawAll = () => Promise.all(areas.map(show));

  const near = new IntersectionObserver(
    (seen) => {
      for (const one of seen.filter((entry) => entry.isIntersecting)) {
        near.unobserve(one.target);
        show(one.target);
      }
    },
    { rootMargin: "500px" }
  );
  const sized = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      const moved = Math.abs(target.clientWidth - Number(target.dataset.width)) > 4;
      if (window.Plotly && target.classList.contains("drawn") && moved) draw(window.Plotly, target);
    }
  });
  for (const area of areas) {
    area.querySelector(".waiting").textContent = "The plot is drawn when you come near.";
    near.observe(area);
    sized.observe(area);
  }
  document.addEventListener("vlnscope:theme", again);

  /* Who prints has looked for a while: by then the library should be there. */
  const LONG = 5000;
  if (areas.length) setTimeout(() => load().catch(() => {}), LONG);

  /* On paper a plot that cannot be drawn at once gives way to its data. */
  let told = [];
  window.addEventListener("beforeprint", () => {
    if (window.Plotly) areas.forEach((area) => draw(window.Plotly, area, 640));
    told = areas
      .filter((area) => !area.classList.contains("drawn"))
      .map((area) => area.closest(".plot").querySelector("details.data"))
      .filter((fold) => !fold.open);
    for (const fold of told) {
      vlnscope.unfold(fold);
      fold.open = true;
    }
  });
  window.addEventListener("afterprint", () => {
    told.forEach((fold) => (fold.open = false));
    again();
  });
})();
