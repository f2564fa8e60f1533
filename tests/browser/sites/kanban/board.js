let db = null, log = [], ui = { edit: null, add: null, addText: '', card: null, filter: '', drag: null };
const $ = s => document.querySelector(s), board = $('#board');
const COLORS = { Copy: '#8e6bbf', Web: '#2f8f83', Print: '#c4722f', Photo: '#a8457a', Event: '#48729e' };
const h = s => String(s).replace(/[&<>"]/g, c => '&#' + c.charCodeAt(0) + ';');
const initials = id => { const p = db.people.find(x => x.id === id); return p ? p.name.split(' ').map(w => w[0]).join('') : ''; };
const get = key => db.cards.find(c => c.key === key);
function toast(t) { const d = document.createElement('div'); d.textContent = t; $('#toasts').append(d); setTimeout(() => d.remove(), 6000); }
async function save(what, ms) { log.push(what); $('#sync').textContent = 'Saving…'; await fetch('/echo?delay=' + ms, { method: 'POST', body: JSON.stringify(what) }); $('#sync').textContent = 'All changes saved'; }

function cardHtml(c) {
  const t = ui.edit === c.key ? `<input aria-label="Card title" data-edit="${c.key}" value="${h(c.title)}">` : `<h3>${h(c.title)}</h3>`;
  return `<article class="card" draggable="${ui.edit !== c.key}" data-key="${c.key}">${t}<button class="dots" title="Open card" data-do="open">⋯</button><div class="meta"><span>${c.key}</span><span class="tag" style="background:${COLORS[c.tag] || '#888'}">${c.tag}</span>${c.blocked ? `<span>⛔ ${h(c.blocked)}</span>` : ''}${c.who ? `<span class="av">${initials(c.who)}</span>` : ''}</div></article>`;
}
function draw() {
  const f = ui.filter.toLowerCase();
  $('#count').textContent = db.cards.length + ' cards';
  board.innerHTML = db.cols.map(col => {
    const cs = db.cards.filter(c => c.col === col.id), full = col.limit && cs.length >= col.limit;
    return `<section class="col" data-col="${col.id}"><header><h2>${col.name}</h2><span class="n ${full ? 'full' : ''}">${cs.length}${col.limit ? ' of ' + col.limit : ''}</span></header>
      ${cs.filter(c => (c.title + c.key).toLowerCase().includes(f)).map(cardHtml).join('')}
      ${ui.add === col.id ? `<div class="addf"><textarea rows="2" placeholder="Title of the new card">${h(ui.addText)}</textarea><button class="btn" data-do="create">Create</button> <button class="btn alt" data-do="noadd">Cancel</button></div>` : `<button class="add" data-do="add">+ Add a card</button>`}</section>`;
  }).join('');
  const i = board.querySelector('[data-edit]') || board.querySelector('.addf textarea'); if (i) { i.focus(); if (i.select && ui.edit) i.select(); }
}
function drawModal(err) {
  const c = ui.card && get(ui.card); if (!c) { $('#modal').innerHTML = ''; return; }
  const b = $('#blocked') ? $('#blocked').value : c.blocked || '', who = $('person-picker') ? $('person-picker').value : c.who;
  $('#modal').innerHTML = `<div class="veil"><div class="dlg" role="dialog" aria-modal="true"><button class="x" title="Close" data-do="close">×</button><h2>${h(c.title)}</h2><span class="muted">${c.key} · ${db.cols.find(x => x.id === c.col).name}</span>
    <div class="fl"><person-picker label="Assignee"></person-picker></div><div class="fl"><label><span>Blocked by</span><input type="text" id="blocked" placeholder="Card number, such as PB-100" value="${h(b)}"></label>${err ? `<div class="bad" role="alert">${err}</div>` : ''}</div>
    <button class="btn" data-do="save">Save</button> <button class="btn alt" data-do="close">Cancel</button></div></div>`;
  const p = $('person-picker'); p.people = db.people; p.value = who; p.draw();
}
function endEdit(ok) {
  const i = board.querySelector('[data-edit]'), key = ui.edit; if (!key) return; const v = i ? i.value.trim() : '', c = get(key);
  ui.edit = null; if (ok && v && v !== c.title) { c.title = v; save({ rename: key, v }, 400).then(() => toast('Renamed ' + key)); } draw();
}

/* one listener for everything on the page */
document.addEventListener('click', e => {
  const b = e.target.closest('[data-do]'); if (!b) { if (e.target.className === 'veil') { ui.card = null; drawModal(); } return; }
  const col = b.closest('.col'), d = b.dataset.do;
  if (d === 'add') { ui.add = col.dataset.col; ui.addText = ''; draw(); }
  if (d === 'noadd') { ui.add = null; draw(); }
  if (d === 'open') { ui.card = b.closest('.card').dataset.key; drawModal(); }
  if (d === 'close') { ui.card = null; drawModal(); }
  if (d === 'create') {
    const title = ui.addText.trim(), where = ui.add; if (!title) return; b.disabled = true; b.textContent = 'Creating…';
    save({ create: title, where }, 700).then(() => { const key = 'PB-' + (240 + Math.floor(Math.random() * 700)); db.cards.push({ key, col: where, title, tag: 'Event', who: null }); log[log.length - 1].key = key; ui.add = null; toast('Created ' + key + ' in ' + db.cols.find(x => x.id === where).name); draw(); });
  }
  if (d === 'save') {
    const v = $('#blocked').value.trim().toUpperCase(), c = get(ui.card), who = $('person-picker').value;
    if (v && (!get(v) || v === c.key)) return drawModal('There is no other card with this number.');
    b.disabled = true; b.textContent = 'Saving…';
    save({ edit: c.key, v, who }, 500).then(() => { c.blocked = v || undefined; c.who = who; ui.card = null; drawModal(); draw(); toast(c.key + ' has been updated'); });
  }
});
board.addEventListener('dblclick', e => { const t = e.target.closest('.card h3'); if (t) { ui.edit = t.closest('.card').dataset.key; draw(); } });
board.addEventListener('keydown', e => { if (!e.target.dataset.edit) return; if (e.key === 'Enter') endEdit(true); if (e.key === 'Escape') endEdit(false); });
board.addEventListener('input', e => { if (e.target.closest('.addf')) ui.addText = e.target.value; });
let ft; $('#filter').addEventListener('input', e => { clearTimeout(ft); ft = setTimeout(() => { ui.filter = e.target.value; draw(); }, 250); });

/* drag and drop */
const clear = () => board.querySelectorAll('.over,.before').forEach(x => x.classList.remove('over', 'before'));
board.addEventListener('dragstart', e => { const c = e.target.closest('.card'); if (!c) return; ui.drag = c.dataset.key; e.dataTransfer.setData('text/plain', ui.drag); e.dataTransfer.effectAllowed = 'move'; setTimeout(() => c.classList.add('drag')); });
board.addEventListener('dragover', e => { const col = e.target.closest('.col'); if (!col || !ui.drag) return; e.preventDefault(); clear(); col.classList.add('over'); const c = e.target.closest('.card'); if (c && c.dataset.key !== ui.drag) c.classList.add('before'); });
board.addEventListener('dragend', () => { ui.drag = null; clear(); board.querySelectorAll('.drag').forEach(x => x.classList.remove('drag')); });
board.addEventListener('drop', e => {
  const col = e.target.closest('.col'), over = e.target.closest('.card'), key = ui.drag; if (!col || !key) return; e.preventDefault(); ui.drag = null;
  const c = get(key), to = db.cols.find(x => x.id === col.dataset.col); if (over && over.dataset.key === key) return clear();
  if (to.limit && c.col !== to.id && db.cards.filter(x => x.col === to.id).length >= to.limit) { toast(to.name + ' is full (' + to.limit + ')'); return clear(); }
  const from = c.col; db.cards.splice(db.cards.indexOf(c), 1); c.col = to.id;
  if (over) db.cards.splice(db.cards.indexOf(get(over.dataset.key)), 0, c); else db.cards.push(c);
  draw(); save({ move: key, from, to: to.id }, 350).then(() => toast(key + ' moved to ' + to.name));
});
fetch('board.json?delay=700').then(r => r.json()).then(x => { db = x; draw(); });
