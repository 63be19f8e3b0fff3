/* Tables that sort by click and key, and long ones that can be filtered. */
(() => {
  "use strict";
  const vlnscope = (window.vlnscope = window.vlnscope || {});
  const compare = new Intl.Collator("en", { numeric: true }).compare;

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
  };

  const order = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return -1;
    if (typeof b === "number") return 1;
    return compare(a, b);
  };

  const sort = (table, column) => {
    const heads = [...table.tHead.rows[0].cells];
    const down = heads[column].getAttribute("aria-sort") === "ascending";
    heads.forEach((head, k) => {
      if (k !== column) head.removeAttribute("aria-sort");
    });
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const empty = (row) => row.cells[column].textContent.trim() === "";
    const rows = [...body.rows].sort((a, b) => {
      if (empty(a) !== empty(b)) return empty(a) ? 1 : -1;
      const way = order(valueOf(a, column), valueOf(b, column));
      return down ? -way : way;
    });
    body.append(...rows);
  };

  const makeSortable = (table) => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, column));
      head.append(button);
    });
  };

  const makeFilter = (holder) => {
    const table = holder.querySelector("table");
    const rows = [...table.tBodies[0].rows];
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("span");
    input.type = "search";
    count.setAttribute("role", "status");
    label.className = "filter";
    label.append("Filter rows ", input, count);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
    });
    holder.prepend(label);
  };

  vlnscope.readyTables = (root) => {
    root.querySelectorAll("table.sortable").forEach(makeSortable);
    root.querySelectorAll('.table[data-filter="yes"]').forEach(makeFilter);
  };
  vlnscope.readyTables(document);
})();
