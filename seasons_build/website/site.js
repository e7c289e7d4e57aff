// Search and filter: rows that hold all the words and are of the kind stay. What was asked for stands in the address.
"use strict";
const words = document.getElementById("words");
const kind = document.getElementById("kind");
const rows = [...document.querySelectorAll("#list li")];
const count = document.getElementById("count");

function find() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const there = (!kind.value || row.dataset.kind === kind.value) && wanted.every((word) => row.dataset.words.includes(word));
    row.hidden = !there;
    shown += there ? 1 : 0;
  }
  count.textContent = shown === rows.length ? `${shown} entries` : `${shown} of ${rows.length} entries`;
}

function remember() {
  const asked = new URLSearchParams();
  if (words.value) asked.set("words", words.value);
  if (kind.value) asked.set("kind", kind.value);
  history.replaceState(null, "", asked.size ? `#${asked}` : location.pathname);
}

const before = new URLSearchParams(location.hash.slice(1));
words.value = before.get("words") || "";
kind.value = before.get("kind") || "";
for (const control of [words, kind]) control.addEventListener("input", () => { find(); remember(); });
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
find();
