/* Folding, printing, and where a reader is. */
(() => {
  "use strict";
  const vlnscope = (window.vlnscope = window.vlnscope || {});
  const folds = () => [...document.querySelectorAll("main details")];

  /* Opens all that a target is folded into, and shows it. */
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
    if (!target) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      vlnscope.unfold(fold);
      fold.open = true;
    }
    target.querySelectorAll(":scope.shown-walk > details").forEach((fold) => (fold.open = true));
    target.scrollIntoView();
  };

  const print = async (button) => {
    button.disabled = true;
    folds().forEach((fold) => fold.matches(".prints") && (fold.open = true));
    try {
      await vlnscope.drawAll();
    } finally {
      button.disabled = false;
      window.print();
    }
  };

  const name = (button) => {
    button.textContent = vlnscope.theme.now() === "dark" ? "Light theme" : "Dark theme";
  };
  const actions = {
    theme: (button) => {
      vlnscope.theme.toggle();
      name(button);
    },
    open: () => folds().forEach((fold) => fold.matches(".rest, .basis") && (fold.open = true)),
    close: () => folds().forEach((fold) => (fold.open = false)),
    print,
  };
  for (const button of document.querySelectorAll("button[data-do]")) {
    button.addEventListener("click", () => actions[button.dataset.do](button));
  }
  const switcher = document.querySelector('[data-do="theme"]');
  name(switcher);
  document.addEventListener("vlnscope:theme", () => name(switcher));

  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = folds().filter((fold) => fold.matches(".prints") && !fold.open);
    opened.forEach((fold) => (fold.open = true));
  });
  window.addEventListener("afterprint", () => opened.forEach((fold) => (fold.open = false)));

  const links = new Map(
    [...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link])
  );
  const spy = new IntersectionObserver(
    (seen) => {
      for (const one of seen.filter((entry) => entry.isIntersecting)) {
        links.forEach((link) => link.removeAttribute("aria-current"));
        links.get(one.target.id).setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-10% 0px -80% 0px" }
  );
  links.forEach((_, id) => spy.observe(document.getElementById(id)));
  if (window.matchMedia("(max-width: 71.99rem)").matches) {
    document.querySelector(".contents-fold").open = false;
  }
  window.addEventListener("hashchange", reveal);
  reveal();
})();
