/* What is folded deep lies in noscript elements, so that long pages open fast; it is made when it is opened. */
(() => {
  "use strict";
  const vlnscope = (window.vlnscope = window.vlnscope || {});

  vlnscope.unfold = (fold) => {
    const folded = fold.matches(".data, .walks") ? [...fold.querySelectorAll("noscript")] : [];
    for (const held of folded) {
      const made = document.createElement("template");
      made.innerHTML = held.textContent;
      vlnscope.readyTables(made.content);
      held.replaceWith(made.content);
    }
    const first = folded.length && fold.querySelector(".walk-card");
    if (first) first.open = true;
  };

  document.addEventListener("toggle", ({ target }) => target.open && vlnscope.unfold(target), true);
})();
