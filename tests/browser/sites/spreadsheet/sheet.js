var book = { sheets: {}, active: 'Budget', sel: [0, 0], undo: [], redo: [], saves: 0 };
var FILES = { Budget: 'budget.json?delay=600', Crew: 'crew.json?delay=900', 'Last year': null };
var grid = document.getElementById('grid'), bar = document.getElementById('formula'), box = document.getElementById('namebox');
var editor = null, saveTimer = 0;

function sheet() { return book.sheets[book.active]; }
function esc(s) { return String(s).replace(/[&<>"]/g, function (c) { return '&#' + c.charCodeAt(0) + ';'; }); }
function fmt(v, c, s) {
  if (typeof v !== 'number') return v;
  if (s.money.indexOf(c) >= 0) return '£' + v.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return String(Math.round(v * 100) / 100);
}

function draw() {
  var s = sheet();
  drawTabs();
  if (!s) { grid.innerHTML = '<div class="loading">Opening sheet…</div>'; document.getElementById('side').innerHTML = ''; return; }
  var h = '<table><thead><tr><th class="corner"></th>';
  s.cols.forEach(function (n, c) { h += '<th style="width:' + s.widths[c] + 'px"><small>' + Engine.colName(c) + '</small> ' + esc(n) + '</th>'; });
  h += '</tr></thead><tbody>';
  s.rows.forEach(function (row, r) {
    h += '<tr><th>' + (r + 1) + '</th>';
    row.forEach(function (raw, c) {
      var v = Engine.value(s.rows, r, c), st = s.style[r + ':' + c] || '';
      h += '<td data-r="' + r + '" data-c="' + c + '" class="' + (typeof v === 'number' ? 'n ' : '') + st + '">' + esc(fmt(v, c, s)) + '</td>';
    });
    h += '</tr>';
  });
  grid.innerHTML = h + '</tbody></table>';
  drawSide(); select(Math.min(book.sel[0], s.rows.length - 1), Math.min(book.sel[1], s.cols.length - 1));
}
function drawTabs() {
  document.getElementById('tabs').innerHTML = '<span class="plus">＋</span>' + Object.keys(FILES).map(function (n) { return '<div class="tab' + (n === book.active ? ' on' : '') + '" data-tab="' + n + '">' + n + '</div>'; }).join('');
}
function find(label) { var s = sheet(); for (var r = 0; r < s.rows.length; r++) if (s.rows[r][0] === label) return fmt(Engine.value(s.rows, r, 4), 4, s); return '–'; }
function drawSide() {
  var el = document.getElementById('side');
  if (book.active === 'Budget') el.innerHTML = '<h4>Summary</h4><dl><dt>Lines</dt><dd>' + sheet().rows.filter(function (r) { return r[5]; }).length + '</dd><dt>Budget agreed</dt><dd>£28,000.00</dd><dt>Planned</dt><dd>' + find('Grand total') + '</dd></dl><p class="tip">Double-click a cell to edit it.</p>';
  else if (book.active === 'Crew') el.innerHTML = '<h4>Summary</h4><p>Crew cost: ' + find('All crew') + '</p><p>6 people on the call sheet</p><p class="tip">Rates include holiday pay.</p>';
  else el.innerHTML = '<p class="tip">No summary for this sheet.</p>';
}
function td(r, c) { return grid.querySelector('td[data-r="' + r + '"][data-c="' + c + '"]'); }
function select(r, c) {
  var old = grid.querySelector('td.sel'); if (old) old.classList.remove('sel');
  book.sel = [r, c];
  var el = td(r, c); if (!el) return;
  el.classList.add('sel');
  box.value = Engine.colName(c) + (r + 1); bar.value = sheet().rows[r][c];
  var v = Engine.value(sheet().rows, r, c);
  document.getElementById('status').textContent = typeof v === 'number' ? 'Sum ' + fmt(v, c, sheet()) + '   Count 1' : 'Ready';
}
function snapshot() { book.undo.push(JSON.stringify({ active: book.active, rows: sheet().rows, style: sheet().style })); book.redo = []; }
function restore(from, to) {
  if (!from.length) return;
  var st = JSON.parse(from.pop()); to.push(JSON.stringify({ active: st.active, rows: book.sheets[st.active].rows, style: book.sheets[st.active].style }));
  book.active = st.active; sheet().rows = st.rows; sheet().style = st.style; changed();
}
function changed() {
  draw();
  var s = document.getElementById('saved'); s.textContent = 'Saving…'; s.className = 'saved busy';
  clearTimeout(saveTimer);
  saveTimer = setTimeout(function () {
    fetch('/echo?delay=350', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sheet: book.active, rows: sheet() && sheet().rows }) })
      .then(function (r) { return r.json(); }).then(function () { book.saves++; s.textContent = 'All changes saved'; s.className = 'saved'; });
  }, 400);
}
function setCell(r, c, v) {
  v = String(v).trim();
  if (sheet().rows[r][c] === v) { draw(); return; }
  snapshot(); sheet().rows[r][c] = v; changed();
}
function openEditor(el, start) {
  if (editor) commit(0, 0);
  var r = +el.dataset.r, c = +el.dataset.c;
  el = td(r, c); if (!el) return; select(r, c);
  el.innerHTML = '<input class="ed" spellcheck="false">'; editor = el.firstChild;
  editor.value = start === undefined ? sheet().rows[r][c] : start;
  editor.focus(); if (start === undefined) editor.select();
}
function commit(dr, dc) {
  if (!editor) return;
  var v = editor.value, r = book.sel[0], c = book.sel[1]; editor = null;
  book.sel = [Math.max(0, r + dr), Math.max(0, Math.min(sheet().cols.length - 1, c + dc))];
  setCell(r, c, v); grid.focus();
}
function toast(text, action) {
  var d = document.createElement('div'); d.className = 'toast'; d.innerHTML = '<span>' + esc(text) + '</span>' + (action ? '<a href="#" data-undo>Undo</a>' : '');
  document.getElementById('toasts').appendChild(d); setTimeout(function () { d.remove(); }, 6000);
}

grid.addEventListener('mousedown', function (e) {
  var el = e.target.closest('td'); if (!el || e.target === editor) return;
  if (editor) { commit(0, 0); }
  select(+el.dataset.r, +el.dataset.c);
});
grid.addEventListener('dblclick', function (e) { var el = e.target.closest('td'); if (el && e.target !== editor) openEditor(el); });
grid.addEventListener('keydown', function (e) {
  if (editor) {
    if (e.key === 'Enter') { e.preventDefault(); commit(1, 0); }
    else if (e.key === 'Tab') { e.preventDefault(); commit(0, e.shiftKey ? -1 : 1); }
    else if (e.key === 'Escape') { editor = null; draw(); grid.focus(); }
    return;
  }
  if (!sheet()) return;
  var mv = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Tab: [0, 1] }[e.key], r = book.sel[0], c = book.sel[1];
  if (mv) { e.preventDefault(); r = Math.max(0, Math.min(sheet().rows.length - 1, r + mv[0])); c = Math.max(0, Math.min(sheet().cols.length - 1, c + mv[1])); select(r, c); td(r, c).scrollIntoView({ block: 'nearest' }); }
  else if (e.key === 'Enter' || e.key === 'F2') { e.preventDefault(); openEditor(td(r, c)); }
  else if (e.key === 'Delete' || e.key === 'Backspace') setCell(r, c, '');
  else if (e.ctrlKey && e.key === 'z') restore(book.undo, book.redo);
  else if (e.key.length === 1 && !e.ctrlKey && !e.metaKey) { e.preventDefault(); openEditor(td(r, c), e.key); }
});
grid.addEventListener('focusout', function (e) { if (editor && e.target === editor) setTimeout(function () { if (editor === e.target) commit(0, 0); }, 0); });
bar.addEventListener('keydown', function (e) {
  if (e.key === 'Enter') { var r = book.sel[0], c = book.sel[1], v = bar.value; book.sel = [r + 1, c]; setCell(r, c, v); grid.focus(); }
  if (e.key === 'Escape') { select(book.sel[0], book.sel[1]); grid.focus(); }
});
document.getElementById('toolbar').addEventListener('mousedown', function (e) { if (e.target.closest('.tb')) e.preventDefault(); });
document.getElementById('toolbar').addEventListener('click', function (e) {
  var b = e.target.closest('.tb'); if (!b || !sheet()) return;
  if (editor) commit(0, 0);
  var s = sheet(), r = book.sel[0], c = book.sel[1], k = b.dataset.cmd, key = r + ':' + c;
  if (k === 'undo') return restore(book.undo, book.redo);
  if (k === 'redo') return restore(book.redo, book.undo);
  if (k === 'clear') return setCell(r, c, '');
  snapshot();
  if (k === 'bold' || k === 'italic' || k === 'fill') { var l = (s.style[key] || '').split(' ').filter(Boolean), i = l.indexOf(k); i < 0 ? l.push(k) : l.splice(i, 1); s.style[key] = l.join(' '); }
  if (k === 'above' || k === 'below') { var at = k === 'above' ? r : r + 1; Engine.shift(s.rows, at, 1); s.rows.splice(at, 0, s.cols.map(function () { return ''; })); toast('Row inserted'); }
  if (k === 'delrow') { var name = s.rows[r][0]; s.rows.splice(r, 1); Engine.shift(s.rows, r, -1); toast('Row ' + (r + 1) + ' deleted (' + (name || 'empty') + ')', true); }
  if (k === 'sort') { var n = s.rows.findIndex(function (x) { return x[0] === ''; }), head = s.rows.slice(0, n).map(function (x, i) { return x.map(function (v) { return v.replace(/([A-Z])(\d+)/g, function (m, a, d) { return +d === i + 1 ? a + '#' : m; }); }); });
    head.sort(function (a, b) { return a[c] < b[c] ? -1 : 1; }); head.forEach(function (x, i) { s.rows[i] = x.map(function (v) { return v.replace(/#/g, i + 1); }); }); }
  changed();
});
document.getElementById('toasts').addEventListener('click', function (e) { if (e.target.closest('[data-undo]')) { e.preventDefault(); restore(book.undo, book.redo); e.target.closest('.toast').remove(); } });
document.getElementById('tabs').addEventListener('click', function (e) { var t = e.target.closest('.tab'); if (!t || t.dataset.tab === book.active) return; if (editor) commit(0, 0); open_(t.dataset.tab); });
function open_(name) {
  book.active = name; book.sel = [0, 0];
  if (!book.sheets[name] && !FILES[name]) book.sheets[name] = { cols: ['A', 'B', 'C'], widths: [160, 160, 160], money: [], style: {}, rows: [['Archived', '', ''], ['', '', '']] };
  draw();
  if (!book.sheets[name]) fetch(FILES[name]).then(function (r) { return r.json(); }).then(function (d) { d.style = {}; book.sheets[name] = d; if (book.active === name) draw(); });
}
open_('Budget');
