// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The script of the pages that `report` writes. It makes tables of the rows of lists, one part at a
// time. See page-rows.c for the format of rows. Text becomes text, never HTML.
"use strict";
(() => {
  const ROWS = 100; // in a table at once
  const FEW = 5; // readable at a glance
  const SAME = 0;
  const ABSENT = 1;
  const stacks = new Map(); // the calls of call stacks, by number

  const textOf = (cell) => (cell === ABSENT ? "" : typeof cell === "string" ? cell : cell[1]);
  const markOf = (cell) => (typeof cell === "object" ? cell[0] : "");
  const isKnown = (cell) => cell !== ABSENT && markOf(cell) !== "?";

  function make(name, properties, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in element) element[key] = value;
      else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  // The contents of a script element, with complete rows.
  function read(source) {
    const [described, ...rest] = JSON.parse(source.textContent);
    const fields = described.map(([key, title, help, type, isUsual], index) => ({
      key, title, help, type, isUsual: isUsual === 1, index,
    }));
    const rows = [];
    let above = fields.map(() => ABSENT);
    for (const item of rest) {
      if (!Array.isArray(item)) {
        stacks.set(item.stack, item.calls.split("\n").filter((call) => call !== ""));
        continue;
      }
      const row = above.slice();
      for (let i = 0; i < item.length; i++) if (item[i] !== SAME) row[i] = item[i];
      rows.push(row);
      above = row;
    }
    return { fields, rows };
  }

  // ---- Order -----------------------------------------------------------------------------------

  function numberOf(text) {
    const found = /-?\d+/.exec(text);
    return found === null ? 0 : Number(found[0]);
  }

  // A function that compares two known cells of FIELD.
  function comparison(field) {
    if (field.type === "number") return (one, other) => numberOf(one) - numberOf(other);
    if (field.type === "address") {
      return (one, other) => one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
    }
    return (one, other) => (one < other ? -1 : one > other ? 1 : 0);
  }

  // The row numbers in the order of FIELD. Unknown values come last, in either direction.
  function sorted(list, order, field, sign) {
    const compare = comparison(field);
    return order.slice().sort((one, other) => {
      const left = list.rows[one][field.index];
      const right = list.rows[other][field.index];
      if (!isKnown(left) || !isKnown(right)) {
        return isKnown(right) - isKnown(left) || one - other;
      }
      return sign * compare(textOf(left), textOf(right)) || one - other;
    });
  }

  // ---- Cells -----------------------------------------------------------------------------------

  // TEXT, with line breaks allowed after the separators of flags.
  function broken(text) {
    return text.split("|").flatMap((part, index) =>
      index === 0 ? [part] : ["|", document.createElement("wbr"), part]);
  }

  function fill(element, cell) {
    if (cell === ABSENT) {
      element.append(make("span", { className: "absent" }, "-"));
    } else if (markOf(cell) === "?") {
      element.append(make("span", { className: "mark", title: cell[1] }, "?"));
    } else {
      element.append(...broken(textOf(cell)));
      if (markOf(cell) !== "") {
        const title = "presumed, not proved";
        element.append(make("span", { className: "mark", title }, markOf(cell)));
      }
    }
    return element;
  }

  function cellOf(field, cell) {
    const names = { number: "right", address: "address", function: "function" };
    return fill(make("td", { className: names[field.type] || "" }), cell);
  }

  // The mark of a row that is not proved to exist.
  function rowMark(list, row) {
    const field = list.fields.find((one) => one.key === "confidence");
    const confidence = field === undefined ? "" : textOf(row[field.index]);
    return { doubtful: "!", presumed: "~" }[confidence] || "";
  }

  // ---- Details ---------------------------------------------------------------------------------

  function detail(field, cell) {
    const value = make("dd", {});
    if (field.type === "stack") {
      const calls = stacks.get(textOf(cell)) || [];
      value.append(make("ol", {}, ...calls.map((call) => make("li", {}, call))));
    } else if (markOf(cell) === "?") {
      value.append("? (" + cell[1] + ")");
    } else {
      value.append(textOf(cell) + (markOf(cell) === "" ? "" : " (presumed)"));
    }
    const title = field.type === "stack" ? field.title || "call stack" : field.title;
    return make("div", {}, make("dt", { title: field.help }, title), value);
  }

  function detailsOf(list, row, width) {
    const shown = list.fields.filter((field) => {
      const cell = row[field.index];
      return cell !== ABSENT && (field.type !== "stack" || stacks.has(textOf(cell)));
    });
    const parts = shown.map((field) => detail(field, row[field.index]));
    return make("tr", { className: "details" },
      make("td", { colSpan: width }, make("dl", {}, ...parts)));
  }

  // ---- Tables ----------------------------------------------------------------------------------

  // Split the usual fields: those whose values differ become columns, the others appear once.
  function arrange(list, isWhole) {
    const columns = [];
    const common = [];
    for (const field of list.fields) {
      if (field.type === "stack" || field.type === "lines") continue;
      if (!isWhole && !field.isUsual) continue;
      const first = JSON.stringify(list.rows[0][field.index]);
      const isSame = list.rows.every((row) => JSON.stringify(row[field.index]) === first);
      if (!isSame || (list.rows.length === 1 && list.rows[0][field.index] !== ABSENT)) {
        columns.push(field);
      } else if (list.rows[0][field.index] !== ABSENT) {
        common.push(field);
      }
    }
    return { columns, common };
  }

  class Table {
    constructor(section, list) {
      this.list = list;
      this.all = list.rows.map((_row, index) => index);
      this.order = this.all;
      this.start = 0;
      this.sort = { key: "", sign: 1 };
      this.words = "";
      this.isWhole = false;
      this.title = section.querySelector("h3").textContent;
      this.makeTools();
      this.common = make("p", { className: "common" });
      this.head = make("thead", {});
      this.body = make("tbody", {});
      const table = make("table", {}, make("caption", { hidden: true }, this.title),
        this.head, this.body);
      const scroll = make("div", {
        className: "scroll", tabIndex: 0, role: "region", "aria-label": "Table: " + this.title,
      }, table);
      section.append(this.tools, this.common, scroll);
      this.showHead();
      this.show();
    }

    makeTools() {
      const find = make("input", { type: "search", placeholder: "Find" });
      find.setAttribute("aria-label", "Find in " + this.title);
      let timer = 0;
      find.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(() => this.find(find.value), 150);
      });
      const whole = make("button", { type: "button", "aria-pressed": "false" }, "All fields");
      whole.addEventListener("click", () => {
        this.isWhole = !this.isWhole;
        whole.setAttribute("aria-pressed", String(this.isWhole));
        this.showHead();
        this.show();
      });
      this.place = make("span", { className: "place", "aria-live": "polite" });
      this.before = make("button", { type: "button" }, "Previous");
      this.after = make("button", { type: "button" }, "Next");
      this.before.addEventListener("click", () => this.move(-ROWS));
      this.after.addEventListener("click", () => this.move(ROWS));
      this.tools = make("div", { className: "tools" }, whole);
      if (this.all.length > FEW) this.tools.prepend(find);
      if (this.all.length > FEW) this.tools.append(this.place);
      if (this.all.length > ROWS) this.tools.append(this.before, this.after);
    }

    find(words) {
      this.words = words.toLowerCase();
      this.reorder();
    }

    move(count) {
      this.start = Math.max(0, this.start + count);
      this.show();
    }

    reorder() {
      const has = (row) => row.some((cell) => textOf(cell).toLowerCase().includes(this.words));
      this.order = this.words === "" ? this.all
        : this.all.filter((index) => has(this.list.rows[index]));
      const field = this.list.fields.find((one) => one.key === this.sort.key);
      if (field !== undefined) this.order = sorted(this.list, this.order, field, this.sort.sign);
      this.start = 0;
      this.show();
    }

    sortBy(field) {
      const isAgain = this.sort.key === field.key;
      this.sort = { key: field.key, sign: isAgain ? -this.sort.sign : 1 };
      for (const [key, head] of this.heads) {
        if (key !== field.key) head.removeAttribute("aria-sort");
        else head.setAttribute("aria-sort", this.sort.sign > 0 ? "ascending" : "descending");
      }
      this.reorder();
    }

    showHead() {
      const { columns, common } = arrange(this.list, this.isWhole);
      this.columns = columns;
      this.heads = new Map();
      const row = make("tr", {}, make("th", { scope: "col" }, "#"));
      for (const field of columns) {
        const button = make("button", { type: "button", title: field.help }, field.title);
        const head = make("th", { scope: "col" }, button);
        if (field.type === "number") head.className = "right";
        if (this.sort.key === field.key) {
          head.setAttribute("aria-sort", this.sort.sign > 0 ? "ascending" : "descending");
        }
        button.addEventListener("click", () => this.sortBy(field));
        this.heads.set(field.key, head);
        row.append(head);
      }
      this.head.replaceChildren(row);
      this.common.replaceChildren();
      this.common.hidden = common.length === 0;
      common.forEach((field, index) => {
        const cell = this.list.rows[0][field.index];
        const isNamed = textOf(cell).startsWith(field.title + " "); // "LWP 4711"
        this.common.append(index === 0 ? "In all rows: " : "; ", isNamed ? "" : field.title + " ");
        this.common.append(fill(make("b", {}), cell));
      });
    }

    show() {
      const end = Math.min(this.start + ROWS, this.order.length);
      this.body.replaceChildren(...this.order.slice(this.start, end).map((at) => this.rowOf(at)));
      this.before.disabled = this.start === 0;
      this.after.disabled = end === this.order.length;
      const of = this.order.length === this.all.length ? "" : " found";
      this.place.textContent = this.order.length === 0 ? "none found"
        : `${this.start + 1}\u2013${end} of ${this.order.length}${of}`;
    }

    rowOf(at) {
      const row = this.list.rows[at];
      const button = make("button", {
        type: "button", "aria-expanded": "false", "aria-label": "Details of row " + (at + 1),
      }, rowMark(this.list, row) + (at + 1));
      const cells = this.columns.map((field) => cellOf(field, row[field.index]));
      const line = make("tr", {}, make("th", { scope: "row" }, button), ...cells);
      button.addEventListener("click", () => {
        const isOpen = button.getAttribute("aria-expanded") === "true";
        button.setAttribute("aria-expanded", String(!isOpen));
        if (isOpen) line.nextSibling.remove();
        else line.after(detailsOf(this.list, row, this.columns.length + 1));
      });
      return line;
    }
  }

  // ---- The page --------------------------------------------------------------------------------

  const index = make("ul", { className: "index" });
  for (const section of document.querySelectorAll("section.list")) {
    const list = read(section.querySelector("script"));
    const title = section.querySelector("h3");
    const count = list.rows.length.toLocaleString("en");
    new Table(section, list);
    index.append(make("li", {}, make("a", { href: "#" + section.id }, title.textContent + " ",
      make("span", {}, count))));
    title.append(" ", make("span", { className: "number" }, count));
    section.querySelector(".count").hidden = true;
  }
  document.querySelector("#lists > h2").after(index);
  document.body.dataset.isReady = "yes";
})();
