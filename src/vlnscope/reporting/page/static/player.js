/* Plays walks on the maps of their cards; a card is made ready when it is first opened. */
(() => {
  "use strict";
  const vlnscope = (window.vlnscope = window.vlnscope || {});
  const SVG = "http://www.w3.org/2000/svg";
  const MOVE = 700;
  const REST = 900;
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const letter = (number) => LETTERS[number] || String(number + 1);
  const percent = (share) => `${Math.round(100 * share)} %`;

  const make = (tag, attributes = {}, text = "") => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
  };
  const draw = (tag, attributes = {}, text = "") => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
  };

  /* The data of all walks, unpacked when first asked for. */
  let data = null;
  const load = () => {
    if (!data) data = unpack(document.getElementById("walks-data"));
    return data;
  };
  const unpack = async (block) => {
    if (!block.hasAttribute("data-packed")) return JSON.parse(block.textContent);
    const bytes = Uint8Array.from(atob(block.textContent.trim()), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };

  const readStep = ([floor, x, y, heading, forced, words, choices, picture]) => ({
    floor, x, y, heading, forced, words, picture,
    choices: choices.map(([at, cx, cy, share, right, chosen, bearing, label]) => ({
      floor: at, x: cx, y: cy, share, right, chosen, bearing, label,
    })),
  });

  class Player {
    constructor(card, walk, pictures) {
      this.card = card;
      this.steps = walk.steps.map(readStep);
      this.decisive = walk.decisive;
      this.trail = (walk.trail || []).map(([floor, x, y]) => ({ floor, x, y }));
      this.reached = walk.reached;
      this.pictures = pictures;
      this.figures = walk.floors.map((floor) =>
        [...card.querySelectorAll(".walk-floor")].find((figure) => figure.dataset.floor === floor)
      );
      this.words = [...card.querySelectorAll(".walk-word")];
      this.options = card.querySelector(".walk-options");
      this.at = 0;
      this.running = false;
      this.shown = null;
      this.frame = 0;
      this.timer = 0;
      this.build();
    }

    build() {
      this.button = make("button", { type: "button", class: "walk-play" }, "▶ Play");
      this.slider = make("input", { type: "range", min: 0, max: this.steps.length - 1, step: 1, value: 0 });
      this.slider.setAttribute("aria-label", "Step of the walk");
      this.now = make("p", { class: "walk-now", "aria-live": "polite" });
      const controls = make("div", { class: "walk-controls", role: "group", "aria-label": "Play the walk" });
      controls.append(this.button, this.slider, this.now);
      this.card.querySelector(".walk-maps").prepend(controls);
      this.view = make("figure", { class: "walk-view", hidden: "" });
      this.options.after(this.view);
      this.agent = draw("g", { class: "walk-agent" });
      this.card.querySelectorAll("[data-picture]").forEach((holder) => {
        holder.prepend(make("img", { src: this.pictures[holder.dataset.picture], alt: holder.dataset.alt }));
      });
      this.button.addEventListener("click", () => this.toggle());
      this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
      controls.addEventListener("keydown", (event) => this.key(event));
      if (this.decisive !== null) this.look(this.decisive);
      this.tell("");
    }

    key(event) {
      const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.steps.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.jump(Math.max(0, Math.min(this.steps.length - 1, to)));
    }

    toggle() {
      if (this.running) return this.pause();
      const last = this.steps.length - 1;
      if (!this.card.classList.contains("walk-playing") || this.at === last) this.show(0);
      this.running = true;
      this.button.textContent = "❚❚ Pause";
      this.wait();
    }

    pause() {
      this.running = false;
      clearTimeout(this.timer);
      cancelAnimationFrame(this.frame);
      if (this.card.classList.contains("walk-playing")) this.put(this.spot(this.at));
      this.button.textContent = this.at === this.steps.length - 1 ? "↻ Again" : "▶ Play";
    }

    jump(at) {
      if (this.running) this.pause();
      this.show(at);
      this.button.textContent = at === this.steps.length - 1 ? "↻ Again" : "▶ Play";
    }

    wait() {
      const rest = this.at === this.decisive ? 4 * REST : still.matches ? 2 * REST : REST;
      this.timer = setTimeout(() => this.next(), rest);
    }

    next() {
      if (!this.running) return;
      if (this.at === this.steps.length - 1) return this.pause();
      this.move(this.way(this.at), () => {
        this.show(this.at + 1);
        if (this.at === this.decisive || this.at === this.steps.length - 1) this.pause();
        else this.wait();
      });
    }

    /* The places from a step to the next: two on a graph, those in between too in continuous space. */
    way(at) {
      if (!this.trail.length) return [this.spot(at), this.spot(at + 1)];
      return this.trail.slice(this.reached[at], this.placeOf(at + 1) + 1);
    }

    placeOf(at) {
      return at === this.steps.length - 1 ? this.trail.length - 1 : this.reached[at];
    }

    spot(at) {
      return this.trail.length ? { ...this.trail[this.placeOf(at)], heading: this.steps[at].heading } : this.steps[at];
    }

    /* Lets the agent glide along places of the same floor; elsewhere it is there at once. */
    move(places, done) {
      const { floor } = places[0];
      const lengths = places.slice(1).map((to, k) => Math.hypot(to.x - places[k].x, to.y - places[k].y));
      const whole = lengths.reduce((sum, length) => sum + length, 0);
      if (still.matches || !whole || places.some((place) => place.floor !== floor)) return done();
      const start = performance.now();
      const glide = (time) => {
        const part = Math.min(1, (time - start) / MOVE);
        let left = part * part * (3 - 2 * part) * whole;
        let k = 0;
        while (k < lengths.length - 1 && left > lengths[k]) left -= lengths[k++];
        const [from, to, share] = [places[k], places[k + 1], lengths[k] ? Math.min(1, left / lengths[k]) : 1];
        this.put({
          floor,
          heading: (Math.atan2(to.x - from.x, from.y - to.y) + 2 * Math.PI) % (2 * Math.PI),
          x: from.x + (to.x - from.x) * share,
          y: from.y + (to.y - from.y) * share,
        });
        if (part < 1) this.frame = requestAnimationFrame(glide);
        else done();
      };
      this.frame = requestAnimationFrame(glide);
    }

    show(at) {
      const step = this.steps[at];
      this.at = at;
      this.card.classList.add("walk-playing");
      this.slider.value = at;
      const due = new Set(step.words);
      const until = step.words.length ? Math.max(...step.words) : -1;
      this.words.forEach((word, number) => {
        word.classList.toggle("walk-due", due.has(number));
        word.classList.toggle("walk-said", number <= until);
      });
      this.put(this.spot(at));
      if (step.choices.length) {
        this.choose(step);
        this.look(at);
      } else {
        this.options.hidden = true;
        this.view.hidden = true;
        this.clear();
      }
      this.tell(this.words.filter((word, number) => due.has(number)).map((word) => word.textContent).join("").trim());
    }

    tell(due) {
      const playing = this.card.classList.contains("walk-playing");
      const count = this.steps.length;
      if (!playing) {
        this.now.textContent = `${count} step${count === 1 ? "" : "s"}. Play, or move through them with the arrow keys.`;
        this.slider.setAttribute("aria-valuetext", `step 1 of ${count}`);
        return;
      }
      const step = this.steps[this.at];
      const said = [`Step ${this.at + 1} of ${count}`];
      if (step.forced) said.push("led here");
      if (this.at === this.decisive) said.push("the decisive one");
      const text = said.join(", ") + (due ? `: “${due}”` : "");
      this.slider.setAttribute("aria-valuetext", text);
      this.now.textContent = text;
    }

    /* Puts the agent somewhere, looking somewhere, on the map of its floor. */
    put({ floor, x, y, heading }) {
      const figure = this.figures[floor];
      this.figures.forEach((one) => one.classList.toggle("walk-here", one === figure));
      const over = figure.querySelector(".walk-over");
      const size = 10 * Number(over.dataset.scale);
      if (this.agent.parentNode !== over) over.append(this.agent);
      const turn = heading === null ? 0 : (heading * 180) / Math.PI;
      const cone = `M0 0L${-1.5 * size} ${-3.2 * size}A${3.5 * size} ${3.5 * size} 0 0 1 ${1.5 * size} ${-3.2 * size}Z`;
      const parts = heading === null ? [] : [draw("path", { d: cone })];
      this.agent.replaceChildren(...parts, draw("circle", { r: size }));
      this.agent.setAttribute("transform", `translate(${x} ${y}) rotate(${turn})`);
    }

    clear() {
      this.card.querySelectorAll(".walk-choices").forEach((group) => group.replaceChildren());
    }

    choose(step) {
      this.clear();
      const over = this.figures[step.floor].querySelector(".walk-over");
      const size = Number(over.dataset.scale);
      const group = over.querySelector(".walk-choices");
      step.choices.forEach((choice, number) => {
        if (choice.floor !== step.floor) return;
        const mark = draw("g", { class: kinds("walk-choice", choice) });
        const x = (step.x + choice.x) / 2;
        const y = (step.y + choice.y) / 2;
        mark.append(
          draw("line", { x1: step.x, y1: step.y, x2: choice.x, y2: choice.y }),
          draw("circle", { cx: x, cy: y, r: 7 * size }),
          draw("text", { x, y: y + 3.2 * size, "font-size": 9 * size }, letter(number))
        );
        group.append(mark);
      });
    }

    /* Lists the choices of a step, and shows what could be seen there. */
    look(at) {
      const step = this.steps[at];
      if (!step.choices.length) return;
      const where = at === this.decisive ? `At step ${at + 1}, the decisive one:` : `At step ${at + 1}:`;
      const list = make("ol");
      step.choices.forEach((choice, number) => list.append(option(choice, number)));
      this.options.replaceChildren(make("p", { class: "walk-at" }, where), list);
      this.options.hidden = false;
      this.view.hidden = !step.picture;
      if (step.picture) this.view.replaceChildren(...this.strip(step, at));
    }

    /* Shows what a card shows before it is played, as on paper. */
    settle() {
      this.pause();
      if (this.decisive === null) return;
      this.choose(this.steps[this.decisive]);
      this.look(this.decisive);
    }

    strip(step, at) {
      const strip = make("div", { class: "walk-strip" });
      const said = `All around at step ${at + 1}; in the middle, where it looked`;
      strip.append(make("img", { src: this.pictures[step.picture], alt: said }));
      step.choices.forEach((choice, number) => {
        if (choice.bearing === null) return;
        const mark = make("span", { class: kinds("", choice) }, letter(number));
        mark.style.left = `${Math.min(97, Math.max(3, 50 + (50 * choice.bearing) / Math.PI)).toFixed(1)}%`;
        strip.append(mark);
      });
      return [strip, make("figcaption", {}, said)];
    }
  }

  const kinds = (first, { right, chosen }) =>
    [first, right ? "walk-right" : "", chosen ? "walk-chosen" : ""].filter(Boolean).join(" ");

  const option = (choice, number) => {
    const row = make("li", { class: kinds("", choice) });
    const notes = [choice.right ? "correct" : "", choice.chosen ? "what it did" : ""].filter(Boolean);
    const bar = make("span", { class: "walk-bar" });
    bar.style.width = `${100 * (choice.share || 0)}%`;
    row.append(
      make("b", {}, letter(number)),
      make("span", { class: "walk-label" }, choice.label + (notes.length ? ` (${notes.join(", ")})` : "")),
      make("span", { class: "walk-share" }, choice.share === null ? "" : percent(choice.share)),
      bar
    );
    return row;
  };

  const players = new WeakMap();
  const open = async (card) => {
    if (players.has(card)) return;
    players.set(card, null);
    const { walks, pictures } = await load();
    const walk = walks[card.dataset.walk];
    if (walk) players.set(card, new Player(card, walk, pictures));
  };
  const toggled = ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.matches(".walk-card")) return;
    if (target.open) open(target);
    else if (players.get(target)) players.get(target).pause();
  };
  document.addEventListener("toggle", toggled, true);
  const ready = () => [...document.querySelectorAll(".walk-card[open]")].map((card) => players.get(card)).filter(Boolean);
  window.addEventListener("beforeprint", () => ready().forEach((player) => player.settle()));
  document.querySelectorAll(".walk-card[open]").forEach(open);
  vlnscope.playerOf = (card) => players.get(card);
})();
