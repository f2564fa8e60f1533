/* Tandem web client */
const pad = n => String(n).padStart(2, '0');
const mk = date => ({ y: date.getFullYear(), m: date.getMonth(), d: date.getDate() });
const asDate = d => new Date(d.y, d.m, d.d);
const fromKey = k => { const [y, m, d] = k.split('-').map(Number); return { y, m: m - 1, d }; };
const MON = ['January','February','March','April','May','June','July','August','September','October','November','December'];
const DAY = ['Sunday','Monday','Tuesday','Wednesday','Thursday','Friday','Saturday'];
const mins = t => +t.slice(0, 2) * 60 + +t.slice(3);

const PEOPLE = [
  { name: 'Priya Nair', mail: 'priya@lumen-studio.example' }, { name: 'Priya Nayar', mail: 'p.nayar@orbit.example' },
  { name: 'Tomasz Wilk', mail: 'tomasz@lumen-studio.example' }, { name: 'Renske de Boer', mail: 'renske@lumen-studio.example' },
  { name: 'Primo Conti', mail: 'primo@conti.example' }, { name: 'Lotte Brandt', mail: 'lotte@lumen-studio.example' }
];
let nextId = 900;
const store = window.tandem = { log: [], events: () => [] };

Vue.createApp({
  data() {
    return {
      view: 'month', anchor: { y: 2026, m: 4, d: 13 }, today: '2026-05-13', events: [], loading: true, side: true, q: '', results: null,
      cals: [ { id: 'work', name: 'Work', color: '#2f6fdb', on: true }, { id: 'fin', name: 'Finance', color: '#8a5a00', on: true },
              { id: 'home', name: 'Private', color: '#b0336b', on: true }, { id: 'hol', name: 'Holidays (NL)', color: '#2b8a5f', on: true } ],
      dows: ['Mon','Tue','Wed','Thu','Fri','Sat','Sun'], hours: [7,8,9,10,11,12,13,14,15,16,17,18,19,20],
      pop: null, form: null, ask: null, err: '', dd: null, guest: '', sugs: [], saving: false, toasts: [], drag: null, over: null, expand: null, sync: 'Connecting…'
    };
  },
  computed: {
    heading() {
      if (this.view == 'month') return this.monthName(this.anchor);
      const w = this.weekOf(this.anchor); return w[0].d + ' ' + MON[w[0].m].slice(0, 3) + ' – ' + w[6].d + ' ' + MON[w[6].m].slice(0, 3) + ' ' + w[6].y;
    },
    times() { const out = []; for (let m = 420; m <= 1260; m += 30) out.push(pad(m / 60 | 0) + ':' + pad(m % 60)); return out; },
    clash() {
      const f = this.form; if (!f) return null;
      return this.events.find(e => e.id != f.id && e.cal == f.cal && e.day == f.day && mins(e.start) < mins(f.end) && mins(f.start) < mins(e.end));
    }
  },
  methods: {
    pad, later: setTimeout.bind(window),
    key: d => d.y + '-' + pad(d.m + 1) + '-' + pad(d.d),
    monthName: d => MON[d.m] + ' ' + d.y,
    nice(k) { const d = fromKey(k); return DAY[asDate(d).getDay()].slice(0, 3) + ' ' + d.d + ' ' + MON[d.m].slice(0, 3); },
    long(k) { const d = fromKey(k); return DAY[asDate(d).getDay()] + ' ' + d.d + ' ' + MON[d.m]; },
    weekOf(a) { const s = asDate(a); s.setDate(s.getDate() - (s.getDay() + 6) % 7); return [0,1,2,3,4,5,6].map(i => mk(new Date(s.getFullYear(), s.getMonth(), s.getDate() + i))); },
    grid(a) { const out = []; for (let w = 0; w < 5; w++) out.push(this.weekOf({ y: a.y, m: a.m, d: 1 + w * 7 })); return out; },
    calOf(id) { return this.cals.find(c => c.id == id) || {}; }, color(id) { return this.calOf(id).color; },
    all(k) { return this.events.filter(e => e.day == k && this.calOf(e.cal).on).sort((a, b) => a.start < b.start ? -1 : 1); },
    shown(k) { const a = this.all(k); return a.length > 3 && this.expand != k ? a.slice(0, 3) : a; },
    place(e) { return { top: (mins(e.start) - 420) * 44 / 60 + 'px', height: (mins(e.end) - mins(e.start)) * 44 / 60 - 2 + 'px', '--c': this.color(e.cal) }; },
    goToday() { this.anchor = fromKey(this.today); },
    step(n) { const a = this.anchor; this.anchor = mk(this.view == 'month' ? new Date(a.y, a.m + n, 1) : new Date(a.y, a.m, a.d + 7 * n)); this.pop = null; },
    say(text, undo) { const t = { id: ++nextId, text, undo }; this.toasts.push(t); setTimeout(() => { this.toasts = this.toasts.filter(x => x.id != t.id); }, 6000); },
    async push(kind, body) {
      this.sync = 'Saving…';
      const r = await fetch('/echo?delay=450', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      const back = await r.json(); store.log.push(kind); this.sync = 'All changes saved'; return back;
    },
    openPop(e, ev) {
      const r = ev.currentTarget.getBoundingClientRect();
      this.pop = { e, x: Math.min(r.right + 6, innerWidth - 330), y: Math.max(60, Math.min(r.top - 20, innerHeight - 230)) };
    },
    async drop(d) {
      const e = this.drag, k = this.key(d); this.drag = this.over = null; if (!e || e.day == k) return;
      const from = e.day; e.day = k; e.rev++;                              // optimistic
      await this.push('move ' + e.id, { id: e.id, day: k });
      this.say(e.title + ' moved to ' + this.nice(k), () => { e.day = from; e.rev++; store.log.push('undo'); });
    },
    openNew(d, at) { this.pop = null; this.err = ''; const s = at || '09:00'; this.form = { title: '', day: this.key(d), start: s, end: pad(+s.slice(0, 2) + 1) + s.slice(2), cal: 'work', where: '', guests: [] }; },
    openEdit(e) { this.pop = null; this.err = ''; this.form = { guests: [], where: '', ...JSON.parse(JSON.stringify(e)) }; },
    scrollTo(el) { if (el && !el.dataset.s) { el.dataset.s = 1; const on = el.querySelector('.on'); if (on) el.scrollTop = on.offsetTop - 60; } },
    pick(f, t) {
      const len = mins(this.form.end) - mins(this.form.start); this.form[f] = t; this.dd = null;
      if (f == 'start') { const m = mins(t) + len; this.form.end = pad(m / 60 | 0) + ':' + pad(m % 60); }
      else if (mins(t) <= mins(this.form.start)) this.form.end = pad(+this.form.start.slice(0, 2) + 1) + this.form.start.slice(2);
    },
    lookup() {
      clearTimeout(this._g); const q = this.guest.trim().toLowerCase(); if (q.length < 2) { this.sugs = []; return; }
      this._g = setTimeout(async () => { await fetch('/echo?delay=300', { method: 'POST', body: q }); this.sugs = PEOPLE.filter(p => p.name.toLowerCase().includes(q)); }, 250);
    },
    addGuest(s) { this.form.guests.push(s.name); this.sugs = []; this.guest = ''; },
    async save() {
      const f = this.form; if (this.saving) return;
      if (!f.title.trim()) { this.err = 'Please give the event a title'; return; }
      this.saving = true; const back = await this.push(f.id ? 'edit ' + f.id : 'add', f); this.saving = false; this.form = null;
      if (back.id) { const i = this.events.findIndex(e => e.id == back.id); this.events[i] = { ...back, rev: back.rev + 1 }; this.say(back.title + ' updated'); }
      else { back.id = 'e' + (++nextId); back.rev = 0; this.events.push(back); this.say(back.title + ' added on ' + this.nice(back.day) + ', ' + back.start + ' – ' + back.end); }
    },
    duplicate(e) { this.pop = null; this.events.push({ ...e, id: 'e' + (++nextId), series: '' }); store.log.push('dup'); this.say('Copy of ' + e.title + ' added'); },
    askDelete(e) { this.pop = null; e.series ? this.ask = e : this.remove(e, 'one'); },
    async remove(e, how) {
      this.ask = null; const keep = this.events;
      const gone = keep.filter(x => how == 'one' ? x.id == e.id : x.series == e.series && (how == 'all' || x.day >= e.day));
      this.events = keep.filter(x => !gone.includes(x)); await this.push('delete ' + gone.map(x => x.id).join(), { how });
      this.say(gone.length + (gone.length == 1 ? ' event' : ' events') + ' deleted', () => { this.events = this.events.concat(gone); store.log.push('undo'); });
    },
    onSearch() {
      clearTimeout(this._s); const q = this.q.trim().toLowerCase(); if (!q) { this.results = null; return; }
      this._s = setTimeout(() => { this.results = this.events.filter(e => e.title.toLowerCase().includes(q)).slice(0, 8); }, 300);
    },
    jump(e) { this.anchor = fromKey(e.day); this.view = 'week'; this.results = null; this.q = ''; }
  },
  async mounted() {
    store.events = () => JSON.parse(JSON.stringify(this.events));
    document.addEventListener('mousedown', ev => { if (this.pop && !ev.target.closest('.pop,.ev,.wev')) this.pop = null; });
    const list = await (await fetch('events.json?delay=800')).json();
    this.events = list.map((r, i) => ({ id: 'e' + (i + 1), rev: 0, day: '2026-' + r[0], start: r[1], end: r[2], title: r[3], cal: r[4], where: r[5] || '', series: r[6] || '' }));
    this.loading = false; this.sync = 'All changes saved';
  }
}).mount('#app');
