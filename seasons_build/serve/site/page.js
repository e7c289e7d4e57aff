"use strict";
// The page of `seasons serve`. Text is only ever set as text; nothing that a pack says becomes markup or script.

const $ = (id) => document.getElementById(id);
const nodes = new Map();
let state = { pictures: [], faults: [], rolls: [], packs: {}, version: 0 };
let chosen = null;
let page = 0;
let known = new Map();

function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  Object.assign(node, properties);
  node.append(...children);
  return node;
}

async function ask(path, query = {}) {
  const words = new URLSearchParams(query).toString();
  const answer = await fetch(words ? `${path}?${words}` : path);
  return answer.ok ? answer.json() : null;
}

const pictureOf = (picture, at = 0) => `/picture/${picture.picture}?page=${at}`;

// A picture takes the place of another once it is there, so that nothing flickers and nothing moves.
function draw(image, source) {
  if (image.dataset.source === source) return;
  image.dataset.source = source;
  if (!image.src) { image.src = source; return; }
  const next = new Image();
  next.onload = () => { if (image.dataset.source === source) image.src = source; };
  next.src = source;
}

function options(select, values) {
  const now = select.value;
  const wanted = [["", "all"], ...values];
  if (JSON.stringify([...select.options].map((o) => [o.value, o.text])) === JSON.stringify(wanted)) return;
  select.replaceChildren(...wanted.map(([value, text]) => make("option", { value, textContent: text })));
  select.value = wanted.some(([value]) => value === now) ? now : "";
}

function filters() {
  const kinds = [...new Set(state.pictures.map((p) => p.kind))].sort();
  const products = [...new Set(state.pictures.map(setOf))].sort();
  const packs = [...new Set(state.pictures.map((p) => p.product.split(":")[0]))].sort();
  options($("kind"), kinds.map((k) => [k, k]));
  options($("product"), products.map((p) => [p, p]));
  options($("pack"), packs.map((p) => [p, state.packs[p] || p]));
}

// A product that makes a file for each of a kind is one set.
const setOf = (picture) => picture.product.split("/")[0];

function wanted(picture) {
  const words = $("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${picture.name} ${picture.id} ${picture.words}`.toLowerCase();
  return (!$("kind").value || picture.kind === $("kind").value)
    && (!$("product").value || setOf(picture) === $("product").value)
    && (!$("pack").value || picture.product.startsWith(`${$("pack").value}:`))
    && words.every((word) => text.includes(word));
}

function card(picture) {
  let node = nodes.get(picture.id);
  if (!node) {
    const image = make("img", { loading: "lazy", alt: "" });
    const name = make("span", { className: "name" });
    const kind = make("span", { className: "kind" });
    node = make("button", { type: "button", className: "card" }, make("span", { className: "frame" }, image), name);
    node.image = image; node.label = name; node.kind = kind;
    node.addEventListener("click", () => choose(picture.id));
    nodes.set(picture.id, node);
  }
  node.dataset.id = picture.id;
  node.classList.toggle("old", picture.old);
  node.classList.toggle("waiting", picture.waiting);
  node.classList.toggle("chosen", picture.id === chosen);
  node.kind.textContent = ` ${picture.kind}${picture.pages > 1 ? `, ${picture.pages} pages` : ""}`;
  node.label.replaceChildren(picture.name, node.kind);
  node.image.alt = picture.words ? `${picture.name}: ${picture.words}` : picture.name;
  node.image.hidden = !picture.picture;
  if (picture.picture) draw(node.image, pictureOf(picture));
  return node;
}

function gallery() {
  const shown = state.pictures.filter(wanted);
  const place = $("gallery");
  const sets = new Map();
  for (const picture of shown) {
    const product = setOf(picture);
    sets.set(product, [...(sets.get(product) || []), picture]);
  }
  const parts = [];
  for (const [product, pictures] of sets) {
    const id = `set ${product}`;
    let part = nodes.get(id);
    if (!part) {
      part = make("section", {}, make("h2"), make("div", { className: "set" }));
      nodes.set(id, part);
    }
    part.firstChild.textContent = `${product} (${pictures.length})`;
    settle(part.lastChild, pictures.map(card));
    parts.push(part);
  }
  settle(place, parts);
  $("nothing").hidden = shown.length > 0 || state.version === 0;
}

// Puts children in order without touching those that stand right, so that what one looks at stays where it is.
function settle(place, children) {
  children.forEach((child, at) => { if (place.children[at] !== child) place.insertBefore(child, place.children[at] || null); });
  while (place.children.length > children.length) place.lastElementChild.remove();
}

function faults() {
  const place = $("faults");
  const bad = state.faults.some((fault) => fault.severity === "error");
  place.hidden = state.faults.length === 0;
  if (bad !== (place.dataset.bad === "true")) place.open = bad;
  place.dataset.bad = String(bad);
  place.firstElementChild.textContent = bad ? "What is wrong" : "To note";
  place.lastElementChild.replaceChildren(...state.faults.map((fault) => {
    const node = make("div", { className: `fault ${fault.severity}` });
    node.append(make("p", { textContent: `${fault.severity} ${fault.code}: ${fault.message}` }));
    if (fault.file) {
      const where = make("button", { type: "button", className: "place", textContent: `${fault.file}:${fault.line}:${fault.column}` });
      where.addEventListener("click", () => source(fault.file, fault.line));
      node.append(where);
      if (fault.source.trim()) node.append(make("pre", { textContent: fault.source }));
    }
    for (const hint of fault.hints) node.append(make("p", { className: "hint", textContent: hint }));
    return node;
  }));
}

function status() {
  const errors = state.faults.filter((f) => f.severity === "error").length;
  const others = state.faults.length - errors;
  const said = [`${state.pictures.length} things to see`];
  if (errors) said.push(`${errors} ${errors === 1 ? "error" : "errors"}`);
  if (others) said.push(`${others} to note`);
  const left = state.pictures.filter((p) => p.waiting).length;
  $("status").textContent = `${said.join(", ")}; ${left ? `${left} still being typeset` : `worked out in ${state.seconds} s`}`;
  $("status").classList.toggle("bad", errors > 0);
}

// One card: large, with its numbers to point at

async function choose(id) {
  if (chosen !== id) page = 0;
  chosen = id;
  for (const node of nodes.values()) node.classList.toggle("chosen", node.dataset.id === id);
  await detail();
}

async function detail() {
  const picture = state.pictures.find((p) => p.id === chosen);
  const panel = $("detail");
  if (!picture) { closeDetail(); return; }
  if (!picture.picture) return;
  $("odds").hidden = true;
  $("odds-button").setAttribute("aria-expanded", "false");
  page = Math.min(page, Math.max(0, picture.pages - 1));
  const [entries, found] = await Promise.all([
    Promise.all(picture.entries.map((key) => ask("/entry", { key }))),
    ask(`/figures/${picture.picture}`, { page }),
  ]);
  if (picture.id !== chosen) return;
  const there = entries.filter(Boolean);
  const top = panel.scrollTop;
  panel.hidden = false;
  let image = panel.querySelector(".sheet img");
  if (!image || panel.dataset.id !== picture.id) image = make("img", { alt: picture.name });
  draw(image, pictureOf(picture, page));
  const sheet = make("div", { className: `sheet${picture.old ? " old" : ""}` }, image);
  for (const figure of found || []) sheet.append(spot(figure, there));
  const parts = [head(picture.name, closeDetail)];
  if (picture.old) parts.push(make("p", { className: "old-note", textContent: "This is the last good page: what is wrong now is listed above." }));
  if (picture.pages > 1) parts.push(turner(picture));
  parts.push(sheet, ...there.map((entry) => described(entry, there.length === 1)));
  panel.dataset.id = picture.id;
  panel.replaceChildren(...parts);
  panel.scrollTop = top;
}

function head(text, close) {
  const button = make("button", { type: "button", textContent: "Close" });
  button.addEventListener("click", close);
  return make("div", { className: "top" }, make("h2", { textContent: text }), button);
}

function closeDetail() {
  chosen = null;
  $("detail").hidden = true;
  $("detail").dataset.id = "";
  for (const node of nodes.values()) node.classList.remove("chosen");
}

function turner(picture) {
  const back = make("button", { type: "button", textContent: "Page before", disabled: page === 0 });
  const on = make("button", { type: "button", textContent: "Next page", disabled: page + 1 >= picture.pages });
  back.addEventListener("click", () => { page -= 1; detail(); });
  on.addEventListener("click", () => { page += 1; detail(); });
  return make("p", {}, back, ` page ${page + 1} of ${picture.pages} `, on);
}

function spot(figure, entries) {
  const [left, top, right, bottom] = figure.box;
  const node = make("button", { type: "button", className: "figure" });
  node.setAttribute("aria-label", `how ${figure.text} came about`);
  node.dataset.text = figure.text;
  node.style.left = `${left / 10 - 0.6}%`;
  node.style.top = `${top / 10 - 0.4}%`;
  node.style.width = `${(right - left) / 10 + 1.2}%`;
  node.style.height = `${(bottom - top) / 10 + 0.8}%`;
  const tell = async () => show(node, await about(figure.text, entries));
  node.addEventListener("pointerenter", tell);
  node.addEventListener("focus", tell);
  node.addEventListener("pointerleave", hide);
  node.addEventListener("blur", hide);
  return node;
}

async function about(text, entries) {
  if (text.includes("d")) {
    const odds = await ask("/dice", { amount: text });
    if (odds) return [make("strong", { textContent: `${text}: ${odds.mean} on average` }), spread(odds)];
  }
  const found = [];
  for (const entry of entries) {
    for (const stat of entry.stats) {
      if (stat.value === text) found.push(make("strong", { textContent: `${entries.length > 1 ? `${entry.name}: ` : ""}${stat.name} ${stat.value}` }), make("pre", { textContent: stat.steps.join("\n") }));
      if (found.length > 11) return found;
    }
  }
  if (found.length) return found;
  return [make("p", { textContent: `${text}: as typed` })];
}

function spread(odds) {
  const most = Math.max(...odds.chances.map((c) => Number(c.chance)), 1);
  const rows = odds.chances.slice(0, 24).map((c) => make("tr", {},
    make("td", { className: "number", textContent: c.value }),
    make("td", { className: "number", textContent: `${c.chance} %` }),
    make("td", { className: "number", textContent: `${c.least} % or more` }),
    make("td", {}, bar(Number(c.chance) / most))));
  return make("table", {}, ...rows);
}

function bar(share) {
  const node = make("span", { className: "bar" });
  node.style.width = `${Math.round(80 * share)}px`;
  return node;
}

function show(node, parts) {
  const tip = $("tip");
  tip.replaceChildren(...parts);
  tip.hidden = false;
  const box = node.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${box.bottom + tip.offsetHeight + 8 > innerHeight ? Math.max(8, box.top - tip.offsetHeight - 6) : box.bottom + 6}px`;
}

function hide() { $("tip").hidden = true; }

function described(entry, alone) {
  const where = make("button", { type: "button", className: "place", textContent: `${entry.file}:${entry.line}` });
  where.addEventListener("click", () => source(entry.file, entry.line));
  const parts = [make("p", {}, where)];
  if (entry.lines.length) parts.push(...entry.lines.map((line) => make("p", { textContent: line })));
  const rows = entry.stats.map((stat) => {
    const before = known.get(`${entry.id} ${stat.name}`);
    known.set(`${entry.id} ${stat.name}`, stat.value);
    return make("tr", { className: before !== undefined && before !== stat.value ? "changed" : "" },
      make("td", {}, make("details", {}, make("summary", { textContent: stat.name }), make("pre", { textContent: stat.steps.join("\n") }))),
      make("td", { className: "number", textContent: stat.value }));
  });
  if (rows.length) parts.push(make("table", { className: "stats" }, ...rows));
  for (const [name, amount] of Object.entries(entry.dice)) {
    const node = make("details", {}, make("summary", { textContent: `${name}: ${amount}` }));
    node.addEventListener("toggle", async () => {
      const odds = node.open && node.children.length === 1 ? await ask("/dice", { amount }) : null;
      if (odds) node.append(make("p", { textContent: `${odds.mean} on average` }), spread(odds));
    });
    parts.push(node);
  }
  if (alone) return make("div", { className: "entry" }, ...parts);
  return make("details", { className: "entry" }, make("summary", { textContent: entry.name }), ...parts);
}

// A file at a line

async function source(file, line) {
  const text = await ask("/text", { file });
  if (!text) return;
  const panel = $("detail");
  chosen = null;
  for (const node of nodes.values()) node.classList.remove("chosen");
  panel.dataset.id = "";
  panel.hidden = false;
  const rows = text.lines.map((words, at) => make("div", { className: `line${at + 1 === line ? " here" : ""}` },
    make("span", { className: "at", textContent: String(at + 1) }), make("span", { textContent: words || " " })));
  panel.replaceChildren(head(`${file}:${line}`, closeDetail), make("pre", { className: "source" }, ...rows));
  const here = panel.querySelector(".here");
  if (here) here.scrollIntoView({ block: "center" });
}

// The odds of the games' rolls

function rolls() {
  const panel = $("odds");
  const parts = [head("Odds", () => toggleOdds(false))];
  if (!state.rolls.length) parts.push(make("p", { textContent: "No game here declares a roll." }));
  for (const roll of state.rolls) {
    const result = make("div", { className: "result" });
    const inputs = roll.takes.map((taken) => {
      const field = taken.words.length
        ? make("select", {}, ...["", ...taken.words].map((word) => make("option", { value: word, textContent: word || "-" })))
        : make("input", { placeholder: taken.default });
      field.name = taken.name;
      return field;
    });
    const work = async () => {
      const values = Object.fromEntries(inputs.map((input) => [input.name, input.value]).filter(([, value]) => value));
      const odds = await ask("/odds", { roll: roll.name, ...values });
      if (!odds) return;
      result.replaceChildren(odds.fault
        ? make("p", { textContent: [odds.fault, ...odds.hints].join("; ") })
        : make("table", {}, ...odds.outcomes.map((o) => make("tr", { title: o.exact }, make("td", { textContent: o.name }),
          make("td", { className: "number", textContent: `${o.chance} %` }), make("td", {}, bar(Number(o.chance) / 100))))));
    };
    const button = make("button", { type: "button", textContent: "Work out" });
    button.addEventListener("click", work);
    for (const input of inputs) input.addEventListener("change", work);
    parts.push(make("section", { className: "roll" }, make("h2", { textContent: roll.name }),
      make("div", { className: "takes" }, ...inputs.map((input) => make("label", {}, `${input.name} `, input)), button), result));
  }
  panel.replaceChildren(...parts);
}

function toggleOdds(on) {
  if (on) { closeDetail(); rolls(); }
  $("odds").hidden = !on;
  $("odds-button").setAttribute("aria-expanded", String(on));
}

// News

async function refresh() {
  const fresh = await ask("/state");
  if (!fresh || fresh.version === undefined || fresh.version === state.version) return;
  state = fresh;
  filters(); gallery(); faults(); status();
  if (chosen) await detail();
  document.body.dataset.version = String(state.version);
}

for (const id of ["pack", "product", "kind"]) $(id).addEventListener("change", gallery);
$("words").addEventListener("input", gallery);
$("odds-button").addEventListener("click", () => toggleOdds($("odds").hidden));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  hide();
  if (!$("odds").hidden) toggleOdds(false); else closeDetail();
});

const news = new EventSource("/news");
news.addEventListener("new", refresh);
news.onerror = () => { $("status").textContent = "seasons serve is not running: this is what it showed last"; $("status").classList.add("bad"); };
