"use strict";
{
  const $ = (id) => document.getElementById(id);
  const { documents, links } = JSON.parse($("data").textContent);
  const ROW = 44;
  const panel = $("panel"), filter = $("filter"), count = $("count");
  const list = $("list"), rows = $("rows"), record = $("record"), help = $("help");

  // The documents and marks of each link.
  documents.forEach((it, at) => {
    const end = at + 1 < documents.length ? documents[at + 1].first : links.length;
    for (let link = it.first; link < end; link++) links[link].doc = it.name;
  });
  const sections = [...document.querySelectorAll("details[data-first]")];
  for (const section of sections) {
    const first = Number(section.dataset.first);
    for (const mark of section.getElementsByTagName("mark")) {
      const number = first + Number(mark.dataset.l);
      const link = links[number];
      (link.marks ??= []).push(mark);
      link.section = section;
      mark.number = number;
      if (link.broken) mark.classList.add("broken");
    }
  }
  const hostOf = (link) => {
    const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(link.uri ?? link.ref);
    return host ? host[1].toLowerCase() : "";
  };
  const wordsOf = (link) => [link.ref, link.uri, link.doc, link.kind, link.role, link.new, ...(link.notes ?? [])]
    .filter(Boolean).join("\n").toLowerCase();

  // A link matches if it matches each word of the filter.
  const states = {
    broken: (it) => it.broken,
    doubtful: (it) => it.notes?.includes("doubtful"),
    ambiguous: (it) => it.alternatives,
    changed: (it) => it.new !== undefined,
    skipped: (it) => it.skipped,
  };
  const fields = {
    kind: (it, value) => it.kind === value,
    role: (it, value) => it.role === value,
    host: (it, value) => {
      it.host ??= hostOf(it);
      return it.host === value || it.host.endsWith("." + value);
    },
    doc: (it, value) => it.doc.toLowerCase().includes(value),
    note: (it, value) => it.notes?.includes(value),
    is: (it, value) => states[value]?.(it),
  };
  const testOf = (word) => {
    const [, name, value] = /^([a-z]+):(.+)$/.exec(word) ?? [];
    if (name && Object.hasOwn(fields, name)) return (it) => fields[name](it, value);
    return (it) => (it.words ??= wordsOf(it)).includes(word);
  };

  let matches = links.map((_, at) => at);
  let now = -1;

  function apply() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const tests = words.map(testOf);
    const shown = new Set();
    matches = [];
    links.forEach((link, at) => {
      const fits = tests.every((test) => test(link));
      if (fits) {
        matches.push(at);
        shown.add(link.section);
      }
      if (link.out !== !fits) {
        link.out = !fits;
        link.marks?.forEach((mark) => mark.classList.toggle("out", !fits));
      }
    });
    for (const section of sections) section.hidden = words.length > 0 && !shown.has(section);
    const all = links.length.toLocaleString("en");
    const some = matches.length.toLocaleString("en");
    count.textContent = words.length ? `${some} of ${all} links` : `${all} ${links.length === 1 ? "link" : "links"}`;
    rows.style.height = `${matches.length * ROW}px`;
    list.scrollTop = 0;
    draw();
  }

  // Only the rows in view exist.
  function draw() {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
    const last = Math.min(matches.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 4);
    const drawn = [];
    for (let at = first; at < last; at++) {
      const link = links[matches[at]];
      const row = document.createElement("div");
      row.className = `row k-${classOf(link.kind)}`;
      row.id = `row-${matches[at]}`;
      row.role = "option";
      row.ariaSetSize = String(matches.length);
      row.ariaPosInSet = String(at + 1);
      row.ariaSelected = String(matches[at] === now);
      row.style.top = `${at * ROW}px`;
      row.number = matches[at];
      row.title = link.uri ?? link.ref;
      const url = document.createElement("span");
      url.className = "url";
      url.textContent = link.uri ?? (link.ref || "(empty)");
      const where = document.createElement("span");
      where.className = "where";
      where.textContent = [documents.length > 1 ? `${link.doc}:${link.line}` : `line ${link.line}`, link.kind,
        link.broken && "broken", link.new !== undefined && "changes"].filter(Boolean).join(", ");
      row.append(url, where);
      drawn.push(row);
    }
    rows.replaceChildren(...drawn);
    if (now >= 0 && $(`row-${now}`)) list.setAttribute("aria-activedescendant", `row-${now}`);
    else list.removeAttribute("aria-activedescendant");
  }
  const COLORED = ["angle", "quote", "prefix", "bare", "abbreviated", "email", "html", "css", "xml", "header"];
  const classOf = (kind) => COLORED.includes(kind) ? kind : "field";

  // Draws the rows, with that of the selected link in view.
  function reveal() {
    const at = matches.indexOf(now);
    if (at >= 0) {
      const top = at * ROW;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    }
    draw();
  }

  function select(number, { scrolls = true } = {}) {
    links[now]?.marks?.forEach((mark) => {
      mark.classList.remove("now");
      mark.removeAttribute("aria-current");
    });
    now = number;
    const link = links[now];
    if (link.section) link.section.open = true;
    link.marks?.forEach((mark) => {
      mark.classList.add("now");
      mark.setAttribute("aria-current", "true");
    });
    if (scrolls) link.marks?.[0]?.scrollIntoView({ block: "center" });
    reveal();
    describe(link);
  }

  function describe(link) {
    const url = document.createElement("p");
    url.className = "url";
    url.textContent = link.uri ?? (link.ref || "(empty)");
    const facts = document.createElement("dl");
    const add = (name, value, style) => {
      if (value === undefined || value === "") return;
      const term = document.createElement("dt"), text = document.createElement("dd");
      term.textContent = name;
      text.append(value);
      if (style) text.className = style;
      facts.append(term, text);
    };
    if (link.broken) add("Broken", link.broken, "bad");
    add("Similar", link.near);
    if (link.new !== undefined) add(`Planned (${link.rule})`, link.new || "removed");
    if (link.skipped) add("Unchanged", link.skipped);
    if (link.uri !== undefined) add("Reference", link.ref || "(empty)");
    add("Place", `${link.doc}:${link.line}:${link.col}`);
    add("Kind", link.kind);
    add("In", link.element ? `<${link.element}${link.attr && link.attr !== "#text" ? " " + link.attr : ""}>` : link.attr);
    add("Role", link.role);
    add("Notes", link.notes?.join(", "));
    add("Or", link.alternatives?.join(", "));
    if (link.base) add("Base", `${link.base} (${link.base_from})`);
    record.replaceChildren(url, facts);
    const address = link.uri ?? link.ref;
    if (link.open && /^(https?|mailto):/i.test(address)) {
      const open = document.createElement("a");
      open.href = address;
      open.rel = "noreferrer noopener";
      open.target = "_blank";
      open.textContent = "Open in a new tab";
      add("Address", open);
    }
    record.scrollTop = 0;
    announce.textContent = `Link ${matches.indexOf(now) + 1} of ${matches.length}: ${url.textContent}, line ${link.line}`;
  }

  function step(by) {
    if (!matches.length) return;
    let at = matches.indexOf(now);
    // From a link that does not match, to the next one in the document.
    if (at < 0) at = by > 0 ? matches.findIndex((it) => it > now) - by : matches.findLastIndex((it) => it < now) - by;
    if (at === -2 && by > 0) at = matches.length - 1;
    select(matches[Math.min(Math.max(at + by, 0), matches.length - 1)]);
  }

  const announce = document.createElement("p");
  announce.className = "skip";
  announce.setAttribute("role", "status");
  panel.append(announce);

  let waiting = 0;
  const later = () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(apply);
  };
  filter.addEventListener("input", later);
  list.addEventListener("scroll", () => requestAnimationFrame(draw));
  addEventListener("resize", reveal);
  rows.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (row) select(row.number);
  });
  $("main").addEventListener("click", (event) => {
    const mark = event.target.closest("mark");
    if (mark && getSelection().isCollapsed) return select(mark.number, { scrolls: false });
    const link = event.target.closest("[data-link], [data-filter]");
    if (!link) return;
    event.preventDefault();
    filter.value = link.dataset.filter ?? "";
    apply();
    if (link.dataset.link) select(Number(link.dataset.link));
    else if (matches.length) select(matches[0]);
  });
  $("search").addEventListener("submit", (event) => {
    event.preventDefault();
    apply();
    if (matches.length) {
      select(matches[0]);
      (list.offsetParent ? list : filter).focus({ preventScroll: true });
      if (!list.offsetParent) filter.blur();
    }
  });
  $("next").addEventListener("click", () => step(1));
  $("previous").addEventListener("click", () => step(-1));
  $("keys").addEventListener("click", () => help.showModal());

  const ends = { Home: -links.length, End: links.length, PageUp: -10, PageDown: 10, ArrowUp: -1, ArrowDown: 1 };
  list.addEventListener("keydown", (event) => {
    if (event.key in ends && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      step(ends[event.key]);
    }
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || help.open) return;
    if (event.key === "Escape" && filter.value) {
      filter.value = "";
      return apply();
    }
    const types = event.target.closest("input, textarea, select, [contenteditable]");
    if (types || !$("single").checked) return;
    const action = {
      j: () => step(1), n: () => step(1), k: () => step(-1), p: () => step(-1),
      "/": () => filter.select(), "?": () => help.showModal(),
    }[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });

  // A table is sorted by a column, first up and then down; numbers first down.
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.textContent) return;
      const isNumber = head.classList.contains("number");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const before = head.ariaSort;
        const down = isNumber ? before !== "descending" : before === "ascending";
        for (const other of heads) other.ariaSort = other === head ? (down ? "descending" : "ascending") : null;
        const order = new Intl.Collator("en", { numeric: true });
        const value = (row) => row.cells[column].textContent;
        const number = (row) => Number(value(row).replaceAll(",", ""));
        const compare = isNumber
          ? (a, b) => number(a) - number(b)
          : (a, b) => order.compare(value(a), value(b));
        const sorted = [...table.tBodies[0].rows].sort(compare);
        table.tBodies[0].append(...(down ? sorted.reverse() : sorted));
      });
    });
  }

  // Copies text, also where pages of files have no clipboard.
  async function copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      button.after(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    announce.textContent = "Copied";
    button.dataset.label ??= button.textContent;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = button.dataset.label), 1500);
  }
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const tables = [...button.closest("section").querySelectorAll("table.sortable")];
      const rows = tables.flatMap((table, at) => [...(at ? table.tBodies[0] : table).rows]);
      const cells = (row) => [...row.cells].map((cell) => cell.textContent.trim()).join("\t").trimEnd();
      copy(rows.map(cells).join("\n") + "\n", button);
    });
  }
  $("copy").addEventListener("click", () => {
    const lines = matches.map((at) => links[at].uri ?? links[at].ref);
    copy(lines.join("\n") + "\n", $("copy"));
  });

  // On a narrow screen, the panel is a sheet at the bottom.
  $("fold").addEventListener("click", () => {
    const folded = panel.classList.toggle("folded");
    $("fold").ariaExpanded = String(!folded);
    $("fold").textContent = folded ? "Show" : "Hide";
  });

  if (links.length) {
    panel.hidden = false;
    document.body.classList.add("live");
    apply();
  }
}
