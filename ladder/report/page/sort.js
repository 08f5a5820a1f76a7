// A click on a heading sorts its table: ascending, descending, then in the order of the ladder.
// Without JavaScript, the headings are plain text.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const ladder = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];

  const value = (row, column) => {
    const text = row.cells[column].dataset.value;
    const number = Number(text);
    return text === "" || Number.isNaN(number) ? text : number;
  };
  const order = (column, downwards) => (one, other) => {
    const [a, b] = [value(one, column), value(other, column)];
    if (a === "" || b === "") return (a === "") - (b === ""); // without a value: always last
    const ascending = typeof a === "number" ? a - b : a.localeCompare(b, "en");
    return downwards ? -ascending : ascending;
  };
  const sort = (column) => {
    const next = { ascending: "descending", descending: null }[headings[column].getAttribute("aria-sort")];
    const direction = next === undefined ? "ascending" : next;
    for (const heading of headings) heading.removeAttribute("aria-sort");
    if (direction) headings[column].setAttribute("aria-sort", direction);
    const rows = [...ladder];
    if (direction) rows.sort(order(column, direction === "descending"));
    body.append(...rows);
  };

  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(column));
    heading.append(button);
  });
}
