'use strict';
const $ = s => document.querySelector(s);
const state = { place: null, guests: { adults: 2, children: 0 }, stays: [], sort: 'rec', open: null, room: null, arrival: '', extra: false, fav: new Set(), card: null };
const PLACES = ['Lisbon, Portugal', 'Lisburn, Northern Ireland', 'Lisieux, France', 'Porto, Portugal', 'Lisbon, Ohio, USA', 'Seville, Spain', 'Trieste, Italy', 'Ghent, Belgium'];
window.mirador = { bookings: [] };
const eur = n => '€ ' + n.toFixed(2);
const wait = ms => fetch('/echo?delay=' + ms, { method: 'POST', body: '{}' });

/* ---- search bar ---- */
const where = $('#where'), ac = $('#ac');
let acTimer = 0, acSeq = 0;
where.addEventListener('input', () => {
  state.place = null; clearTimeout(acTimer);
  const q = where.value.trim().toLowerCase();
  if (q.length < 2) { ac.hidden = true; return; }
  acTimer = setTimeout(async () => {
    const seq = ++acSeq; await wait(250); if (seq !== acSeq) return;
    ac.textContent = '';
    PLACES.filter(p => p.toLowerCase().includes(q)).forEach(p => { const li = el('li', '', p); li.dataset.p = p; ac.append(li); });
    if (!ac.children.length) ac.append(el('li', 'none', 'Nothing found – check the spelling'));
    ac.hidden = false;
  }, 200);
});
ac.addEventListener('mousedown', e => { const li = e.target.closest('li[data-p]'); if (!li) return; e.preventDefault(); state.place = li.dataset.p; where.value = li.dataset.p; ac.hidden = true; });
where.addEventListener('blur', () => setTimeout(() => { ac.hidden = true; }, 120));

const cal = new RangePicker($('#cal'), c => { $('#v-in').textContent = c.from ? human(c.from) : 'Add date'; $('#v-out').textContent = c.to ? human(c.to) : 'Add date'; });
$('#sf-in').onclick = e => { e.stopPropagation(); $('#guests').hidden = true; cal.open('in'); };
$('#sf-out').onclick = e => { e.stopPropagation(); $('#guests').hidden = true; cal.open(cal.from ? 'out' : 'in'); };
$('#sf-guests').onclick = e => { e.stopPropagation(); cal.close(); drawGuests(); $('#guests').hidden = false; };
document.addEventListener('click', () => { cal.close(); $('#guests').hidden = true; });
function drawGuests() {
  const g = $('#guests'); g.textContent = '';
  [['adults', 'Adults', '18 and over'], ['children', 'Children', '0 to 17']].forEach(([k, t, sub]) => {
    const r = el('div', 'gr'), w = el('div', 'gw', t); w.append(el('small', '', sub));
    const m = el('button', 'rnd', '−'), p = el('button', 'rnd', '+'); m.dataset.k = p.dataset.k = k; m.dataset.by = -1; p.dataset.by = 1; m.disabled = state.guests[k] <= (k === 'adults' ? 1 : 0);
    r.append(w, m, el('b', '', state.guests[k]), p); g.append(r);
  });
}
$('#guests').addEventListener('click', e => {
  e.stopPropagation(); const b = e.target.closest('.rnd'); if (!b) return;
  state.guests[b.dataset.k] += +b.dataset.by; drawGuests();
  const { adults: a, children: c } = state.guests;
  $('#v-guests').textContent = a + (a > 1 ? ' adults' : ' adult') + (c ? ', ' + c + (c > 1 ? ' children' : ' child') : '');
});
$('#go').addEventListener('click', async () => {
  const err = !state.place ? 'Pick a place from the list.' : !cal.from || !cal.to ? 'Please choose both dates.' : '';
  $('#formerr').textContent = err; if (err) return;
  const v = $('#view'); v.innerHTML = '<p class="ld"><span class="dot"></span><span class="dot"></span><span class="dot"></span> Looking for free rooms in ' + state.place.split(',')[0] + '…</p>';
  const data = await (await fetch('stays.json?delay=900')).json();
  state.stays = state.place === 'Lisbon, Portugal' ? data.stays : []; state.open = null; state.room = null; list();
  setTimeout(() => { const s = state.stays.find(x => x.id === 'h3'); if (s && !state.room) { s.from = 99; s.rooms[0].p = 99; list(); snack('Price drop: Casa do Largo now from € 99'); } }, 1400);
});

/* ---- list of stays ---- */
function sorted() {
  const a = state.stays.slice();
  if (state.sort === 'price') a.sort((x, y) => x.from - y.from); if (state.sort === 'score') a.sort((x, y) => y.score - x.score);
  return a;
}
function list() {
  const n = nights(cal.from, cal.to), v = $('#view'); v.textContent = '';
  const head = el('div', 'lh'); head.append(el('h2', '', state.stays.length + ' stays in ' + state.place.split(',')[0] + ', ' + human(cal.from) + ' – ' + human(cal.to)));
  const so = el('div', 'sort', 'Sort by '); [['rec', 'Our picks'], ['price', 'Lowest price'], ['score', 'Best rated']].forEach(([k, t]) => { const a = el('a', state.sort === k ? 'on' : '', t); a.dataset.sort = k; so.append(a); });
  head.append(so); v.append(head);
  if (!state.stays.length) v.append(el('p', 'empty', 'Nothing free here on these dates.'));
  sorted().forEach(s => {
    const c = el('article', 'stay'); c.dataset.id = s.id;
    c.innerHTML = `<div class="ph q${s.id}"><button class="heart ${state.fav.has(s.id) ? 'on' : ''}" title="Save to favourites">♥</button></div><div class="info"><h3>${s.name} <span class="stars">${'★'.repeat(s.stars)}</span></h3><p>${s.area} · <b class="score">${s.score.toFixed(1)}</b> ${s.score > 8.6 ? 'Wonderful' : 'Good'}</p><p class="perk">${s.perk}</p></div><div class="price"><small>from</small><b>€ ${s.from}</b><small>per night</small><button class="see">${state.open === s.id ? 'Hide rooms' : 'See rooms'}</button></div>`;
    if (state.open === s.id) {
      const r = el('div', 'rooms');
      s.rooms.forEach(x => { const row = el('div', 'room'); row.dataset.room = x.id; row.innerHTML = `<span class="rn">${x.name}</span><span class="left">${x.left < 3 ? 'only ' + x.left + ' left' : ''}</span><span class="rp">€ ${x.p} × ${n} nights</span><button class="sel">Select</button>`; r.append(row); });
      c.append(r);
    }
    v.append(c);
  });
}
$('#view').addEventListener('click', async e => {
  const card = e.target.closest('.stay'), id = card && card.dataset.id;
  if (e.target.dataset.sort) { state.sort = e.target.dataset.sort; return list(); }
  if (e.target.closest('.heart')) { state.fav.has(id) ? state.fav.delete(id) : state.fav.add(id); return list(); }
  if (e.target.closest('.see')) { const b = e.target; if (state.open === id) { state.open = null; return list(); } b.textContent = 'Checking…'; await wait(350); state.open = id; return list(); }
  if (e.target.closest('.sel')) { const s = state.stays.find(x => x.id === id); state.room = { stay: s, room: s.rooms.find(x => x.id === e.target.closest('.room').dataset.room) }; return checkout(); }
  if (e.target.id === 'back') { state.room = null; return list(); }
  if (e.target.id === 'confirm') return confirm_(e.target);
});

/* ---- check-out ---- */
function total() { const n = nights(cal.from, cal.to); return state.room.room.p * n + (state.extra ? 24 : 0); }
function checkout() {
  const n = nights(cal.from, cal.to), { stay, room } = state.room; state.arrival = ''; state.extra = false; state.card = null;
  $('#view').innerHTML = `<a id="back" class="bk">← Back to the list</a><div class="co"><div class="form"><h2>Your booking</h2>
    <p class="who">Booking as <b>Ana Duarte</b> · ana.duarte@correio.example</p>
    <mir-select id="arr" label="Arrival time" options="I don't know yet|12:00 – 15:00|15:00 – 18:00|18:00 – 21:00|After 21:00"></mir-select>
    <label class="cb"><input type="checkbox" id="extra"> Airport transfer (€ 24.00)</label>
    <div class="cap">Payment</div><iframe id="card" title="Secure card payment" src="${CARD_ORIGIN}${location.pathname.replace(/[^\/]*$/, '')}card.html?delay=500"></iframe>
    <p class="err" id="coerr"></p><button id="confirm" class="cta">Confirm booking</button></div>
    <aside class="sum"><h3>${stay.name}</h3><p>${room.name}</p><p>${human(cal.from)} → ${human(cal.to)}, ${n} nights, ${$('#v-guests').textContent}</p><dl><dt>€ ${room.p} × ${n}</dt><dd>${eur(room.p * n)}</dd><dt>Service fee</dt><dd>€ 0.00</dd></dl><p class="tot">Total <b id="tot">${eur(total())}</b></p></aside></div>`;
  scrollTo(0, 0);
}
$('#view').addEventListener('change', e => {
  if (e.target.id === 'extra') { state.extra = e.target.checked; $('#tot').textContent = eur(total()); }
  if (e.target.id === 'arr') state.arrival = e.target.value;
});
window.addEventListener('message', e => { if (e.data && e.data.mirCard !== undefined) state.card = e.data.mirCard; });
async function confirm_(btn) {
  const err = $('#coerr'); err.textContent = '';
  if (!state.arrival) { err.textContent = 'Please tell the hotel when you will arrive.'; return; }
  if (!/^\d{16}$/.test(state.card || '')) { err.textContent = 'The card number is not complete.'; return; }
  btn.disabled = true; btn.textContent = 'Booking…'; await wait(900);
  const no = 'MR-' + (70411 + window.mirador.bookings.length * 7);
  window.mirador.bookings.push({ no, room: state.room.room.id, from: iso(cal.from), to: iso(cal.to), guests: { ...state.guests }, arrival: state.arrival, extra: state.extra, card: state.card, total: total() });
  $('#view').innerHTML = `<div class="done"><h2>Obrigado, Ana!</h2><p>${state.room.stay.name} expects you on ${human(cal.from)}.</p><p class="bn">Booking no. <b>${no}</b></p><p>Paid: ${eur(total())}</p><button class="cta" onclick="snack('The receipt was sent to ana.duarte@correio.example')">Mail me the receipt</button></div>`;
}
let snackT; function snack(t) { const s = $('#live'); s.textContent = t; s.hidden = false; clearTimeout(snackT); snackT = setTimeout(() => { s.hidden = true; }, 5000); }
['#ckno', '#ckyes'].forEach(s => $(s).addEventListener('click', () => $('#cookie').remove()));
