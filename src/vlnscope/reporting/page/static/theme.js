/* The theme: that of the system until a reader chooses; kept if the browser lets us. */
(() => {
  "use strict";
  const vlnscope = (window.vlnscope = window.vlnscope || {});
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const KEY = "vlnscope-theme";
  root.classList.add("scripted");

  const kept = () => {
    try {
      return window.localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const keep = (theme) => {
    try {
      window.localStorage.setItem(KEY, theme);
    } catch {
      /* not allowed: the choice holds until the page is closed */
    }
  };
  const told = () => document.dispatchEvent(new CustomEvent("vlnscope:theme"));
  const set = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    told();
  };

  vlnscope.theme = {
    now: () => root.dataset.theme || (dark.matches ? "dark" : "light"),
    toggle() {
      const next = vlnscope.theme.now() === "dark" ? "light" : "dark";
      set(next);
      keep(next);
      return next;
    },
  };

  set(kept());
  dark.addEventListener("change", told);
  let before;
  window.addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    set("light");
  });
  window.addEventListener("afterprint", () => set(before));
})();
