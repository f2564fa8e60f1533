// One store for all the parts; they listen to 'change' events.
const CHANNELS = [
  { id: 'general', kind: 'c', name: 'general', unread: 0, last: 3 },
  { id: 'launch-berlin-travel', kind: 'c', name: 'launch-berlin-travel', unread: 2, last: 6 },
  { id: 'launch-bern', kind: 'c', name: 'launch-bern', unread: 1, last: 5 },
  { id: 'launch-berlin', kind: 'c', name: 'launch-berlin', unread: 7, last: 4 },
  { id: 'builds', kind: 'c', name: 'builds', unread: 0, last: 1, muted: false },
  { id: 'webber', kind: 'd', name: 'Jonas Webber', unread: 1, last: 8 },
  { id: 'jonas', kind: 'd', name: 'Jonas Weber', unread: 1, last: 7 },
  { id: 'petra', kind: 'd', name: 'Petra Lang', unread: 0, last: 2 },
];
const INCOMING = [ // [tick, channel, who, text]
  [3, 'launch-berlin', 'Amadou Diallo', 'The truck is at the loading dock now.'],
  [5, 'general', 'Petra Lang', 'Fresh coffee in the kitchen.'],
  [6, 'launch-berlin', 'Jonas Weber', 'On my way down, two minutes.'],
  [9, 'launch-bern', 'Jonas Webber', 'Does anybody have the Bern floor plan?'],
  [11, 'launch-berlin', 'Petra Lang', 'Please leave the fire exit free.'],
  [14, 'launch-berlin', 'Amadou Diallo', 'Unloaded. 14 crates, all there.'],
  [18, 'webber', 'Jonas Webber', 'Never mind, found the invoice.'],
  [22, 'launch-berlin', 'Ines Prado', 'Sound check moved to 16:30.'],
];
const me = 'Lena Brandt';
const store = new (class extends EventTarget {
  channels = CHANNELS; msgs = {}; extra = {}; active = 'general'; typing = ''; ticks = 0; seq = 0; sent = []; readAll = 0; me = me;
  emit(what, detail) { this.dispatchEvent(new CustomEvent('change', { detail: { what, ...detail } })); }
  chan(id) { return this.channels.find(c => c.id === id); }
  clock() { return '09:' + String(15 + Math.floor(this.seq / 4) % 45).padStart(2, '0'); }
  async open(id) {
    if (!this.chan(id)) id = 'general';
    this.active = id; this.chan(id).unread = 0; this.typing = '';
    this.emit('channel'); this.emit('sidebar');
    if (this.msgs[id]) return;
    const all = await (await fetch('history.json?delay=600&channel=' + id)).json();
    if (!this.msgs[id]) this.msgs[id] = [...all[id], ...(this.extra[id] || [])];
    this.emit('messages');
  }
  receive(ch, by, text) {
    const m = { id: 'x' + ++this.seq, by, at: this.clock(), text };
    if (this.msgs[ch]) { this.msgs[ch].push(m); if (ch === 'builds' && this.msgs[ch].length > 25) this.msgs[ch].shift(); }
    else if (ch !== 'builds') (this.extra[ch] ||= []).push(m);
    const c = this.chan(ch); c.last = 100 + this.seq;
    if (ch === this.active) this.emit('messages'); else { c.unread++; this.emit('sidebar'); }
  }
  send(text) {
    const ch = this.active, m = { id: 'm' + ++this.seq, by: me, at: this.clock(), text, state: 'Sending…' };
    (this.msgs[ch] || (this.extra[ch] ||= [])).push(m); this.sent.push([ch, text]); this.chan(ch).last = 100 + this.seq;
    this.emit('messages'); this.emit('sidebar');
    fetch('/echo?delay=450', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ ch, text }) })
      .then(r => r.json()).then(() => {
        m.state = 'Delivered'; if (this.active === ch) this.emit('messages');
        if (ch === 'jonas' && this.sent.filter(s => s[0] === 'jonas').length === 1) {
          this.typing = 'Jonas Weber is typing…'; this.emit('typing');
          return fetch('/echo?delay=700', { method: 'POST', body: '{}' }).then(() => { this.typing = ''; this.emit('typing'); this.receive('jonas', 'Jonas Weber', 'Got it, thanks! Please bring 36 badges to the desk.'); });
        }
      });
  }
  react(id, emoji) {
    const m = Object.values(this.msgs).flat().find(x => x.id === id); if (!m) return;
    m.re ||= {}; const l = m.re[emoji] ||= [], i = l.indexOf(me);
    if (i < 0) l.push(me); else l.splice(i, 1);
    if (!l.length) delete m.re[emoji];
    this.emit('messages'); this.emit('toast', { text: i < 0 ? `You reacted with ${emoji} to ${m.by}: “${m.text}”` : 'Reaction removed' });
    fetch('/echo?delay=300', { method: 'POST', body: JSON.stringify({ id, emoji }) });
  }
  markAll() { this.channels.forEach(c => c.unread = 0); this.readAll++; this.emit('sidebar'); this.emit('toast', { text: 'All conversations marked as read' }); }
  mute(id) { const c = this.chan(id); c.muted = !c.muted; this.emit('sidebar'); this.emit('toast', { text: c.muted ? c.name + ' is muted' : c.name + ' is no longer muted' }); }
  mine() { return Object.values(this.msgs).flat().flatMap(m => Object.entries(m.re || {}).filter(([, l]) => l.includes(me)).map(([e]) => m.id + e)).join(); }
})();
window.huddle = store;

const es = new EventSource('/sse?every=700');
es.onopen = () => document.getElementById('conn').textContent = 'Connected';
es.onmessage = () => {
  const n = ++store.ticks;
  for (const [t, ch, by, text] of INCOMING) if (t === n) store.receive(ch, by, text);
  if (n % 4 === 0) store.receive('builds', 'Build bot', `website #${1180 + n / 4} passed in ${2 + n % 3} min ${n % 60} s`);
};
// presence: every 3 s; the times in the list are drawn anew with it
setInterval(() => fetch('/echo?delay=120', { method: 'POST', body: JSON.stringify({ presence: store.active }) }).then(() => store.emit('messages')), 3000);
(async function longpoll() { for (;;) { try { await fetch('/poll'); } catch { await new Promise(r => setTimeout(r, 1500)); } } })();

addEventListener('hashchange', () => store.open(location.hash.slice(3)));
addEventListener('DOMContentLoaded', () => store.open(location.hash.slice(3) || 'general'));
export default store;
