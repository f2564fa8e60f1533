'use strict';
// --- small widgets, no dependencies (2024-11: date picker rewritten, see #812) ---

function el(tag, cls, text) { const n = document.createElement(tag); if (cls) n.className = cls; if (text !== undefined) n.textContent = text; return n; }

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const WD = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const TODAY = new Date(2026, 4, 6);
function iso(d) { return d.getFullYear() + '-' + String(d.getMonth() + 1).padStart(2, '0') + '-' + String(d.getDate()).padStart(2, '0'); }
function human(d) { return WD[d.getDay()] + ' ' + d.getDate() + ' ' + MONTHS[d.getMonth()].slice(0, 3); }
function nights(a, b) { return Math.round((b - a) / 864e5); }

/** Two-month range picker. The whole panel is drawn again after every click. */
class RangePicker {
  constructor(box, onChange) { this.box = box; this.onChange = onChange; this.from = this.to = null; this.y = 2026; this.m = 4; box.addEventListener('click', e => this.click(e)); box.addEventListener('mouseover', e => this.hover(e)); }
  open(which) { this.which = which; this.box.hidden = false; this.draw(); }
  close() { this.box.hidden = true; }
  month(y, m) {
    const w = el('div', 'mo'); w.append(el('div', 'mo-t', MONTHS[m] + ' ' + y));
    const g = el('div', 'mo-g'); ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].forEach(d => g.append(el('i', '', d)));
    for (let i = (new Date(y, m, 1).getDay() + 6) % 7; i > 0; i--) g.append(el('span'));
    const n = new Date(y, m + 1, 0).getDate();
    for (let d = 1; d <= n; d++) {
      const c = el('span', 'd', d), t = new Date(y, m, d); c.dataset.d = t.getTime();
      if (t < TODAY) c.classList.add('off');
      if (this.from && +t === +this.from || this.to && +t === +this.to) c.classList.add('end');
      if (this.from && this.to && t > this.from && t < this.to) c.classList.add('mid');
      g.append(c);
    }
    w.append(g); return w;
  }
  draw() {
    this.box.textContent = '';
    const prev = el('span', 'nav prev'), next = el('span', 'nav next'); prev.title = 'Earlier'; next.title = 'Later';
    const two = el('div', 'two'); two.append(this.month(this.y, this.m), this.month(this.m === 11 ? this.y + 1 : this.y, (this.m + 1) % 12));
    const foot = el('div', 'calfoot'); foot.append(el('span', 'n', this.from && this.to ? nights(this.from, this.to) + ' nights' : this.which === 'in' ? 'Choose your arrival' : 'Choose your departure'), el('a', 'clear', 'Clear dates'));
    this.box.append(prev, next, two, foot);
  }
  hover(e) { const d = e.target.closest('.d'); this.box.querySelectorAll('.hov').forEach(n => n.classList.remove('hov')); if (d && !d.classList.contains('off')) d.classList.add('hov'); }
  click(e) {
    e.stopPropagation();
    if (e.target.matches('.nav')) { this.m += e.target.matches('.next') ? 1 : -1; if (this.m > 11) { this.m = 0; this.y++; } if (this.m < 0) { this.m = 11; this.y--; } return this.draw(); }
    if (e.target.matches('.clear')) { this.from = this.to = null; this.which = 'in'; this.onChange(this); return this.draw(); }
    const c = e.target.closest('.d'); if (!c || c.classList.contains('off')) return;
    const t = new Date(+c.dataset.d);
    if (this.which === 'in' || !this.from || t <= this.from) { this.from = t; if (this.to && this.to <= t) this.to = null; this.which = 'out'; }
    else { this.to = t; }
    this.onChange(this);
    if (this.from && this.to && this.which === 'out' && +t === +this.to) this.close(); else this.draw();
  }
}

/** <mir-select label="" options="a|b|c"> – drop-down in a shadow root */
class MirSelect extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const s = this.attachShadow({ mode: 'open' }); this.value = '';
    s.innerHTML = '<style>:host{display:block;position:relative;font:14px Georgia,serif}.cap{font-size:12px;color:#7c6f64;margin-bottom:3px}.b{border:1px solid #cbbfb2;border-radius:3px;padding:9px 30px 9px 10px;background:#fff;cursor:pointer;position:relative}.b:after{content:"";position:absolute;right:11px;top:15px;border:5px solid transparent;border-top-color:#7c6f64}.b.open{border-color:#e2725b}.l{position:absolute;left:0;right:0;top:100%;background:#fff;border:1px solid #cbbfb2;max-height:170px;overflow:auto;z-index:5;box-shadow:0 6px 14px #0002}.o{padding:8px 10px;cursor:pointer}.o:hover{background:#fbeee9}</style><div class="cap"></div><div class="b" tabindex="0">Please choose</div><div class="l" hidden></div>';
    const b = s.querySelector('.b'), l = s.querySelector('.l'); s.querySelector('.cap').textContent = this.getAttribute('label');
    this.getAttribute('options').split('|').forEach(o => l.append(el('div', 'o', o)));
    b.addEventListener('click', () => { l.hidden = !l.hidden; b.classList.toggle('open', !l.hidden); });
    l.addEventListener('click', e => { if (!e.target.matches('.o')) return; this.value = e.target.textContent; b.textContent = this.value; l.hidden = true; b.classList.remove('open'); this.dispatchEvent(new Event('change', { bubbles: true })); });
    document.addEventListener('click', e => { if (!e.composedPath().includes(this)) { l.hidden = true; b.classList.remove('open'); } });
  }
}
customElements.define('mir-select', MirSelect);
