import store from './store.js';
const esc = s => String(s).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
const ICON = {
  smile: '<svg viewBox="0 0 20 20"><circle cx="10" cy="10" r="7"/><path d="M7 12c1.500 2 4.500 2 6 0M7.500 8h.01M12.500 8h.01"/></svg>',
  reply: '<svg viewBox="0 0 20 20"><path d="M8 5 3 10l5 5M3 10h8a6 6 0 0 1 6 6"/></svg>',
  dots: '<svg viewBox="0 0 20 20"><path d="M4 10h.01M10 10h.01M16 10h.01"/></svg>',
  send: '<svg viewBox="0 0 20 20"><path d="m3 10 14-7-5 14-3-6z"/></svg>',
  tick: '<svg viewBox="0 0 20 20"><path d="m2 11 4 4 7-9M9 15l1 1 8-10"/></svg>',
  bell: '<svg viewBox="0 0 20 20"><path d="M5 14V9a5 5 0 0 1 10 0v5l1 1H4zM3 3l14 14"/></svg>',
};
const BASE = 'svg{width:18px;height:18px;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round}button{font:inherit;color:inherit;cursor:pointer;background:none;border:0;padding:4px;border-radius:4px}button:hover{background:#0001}';
class Part extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: 'open' }); }
  connectedCallback() { store.addEventListener('change', e => this.on?.(e.detail.what, e.detail)); this.draw(); }
}

customElements.define('hud-sidebar', class extends Part {
  on(what) { if (what === 'sidebar') this.draw(); }
  draw() {
    const item = c => `<li class="${c.id === store.active ? 'on' : ''} ${c.unread && !c.muted ? 'new' : ''}"><a href="#c/${c.id}" title="${c.name}"><i>${c.kind === 'c' ? '#' : '●'}</i><span>${c.name}</span>${c.unread && !c.muted ? `<em>${c.unread}</em>` : ''}</a><button class="mute" data-mute="${c.id}" title="${c.muted ? 'Unmute' : 'Mute'}">${ICON.bell}</button></li>`;
    const by = k => store.channels.filter(c => c.kind === k).sort((a, b) => !!b.unread - !!a.unread || b.last - a.last).map(item).join('');
    this.shadowRoot.innerHTML = `<style>${BASE}:host{background:#3a2460;color:#e6deef;padding:8px 0;overflow:auto}h5{margin:14px 14px 4px;font-size:13px;color:#b9a9d2}ul{list-style:none;margin:0;padding:0}
      li{display:flex;padding-right:6px}li a{flex:1;display:flex;gap:8px;padding:4px 6px 4px 16px;color:inherit;text-decoration:none;min-width:0}li a span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}li i{opacity:.6;font-style:normal}li.on{background:#6c4ba6;color:#fff}li.new span{font-weight:700;color:#fff}em{margin-left:auto;background:#e0475b;color:#fff;border-radius:9px;font:700 12px/18px sans-serif;padding:0 7px}
      .mute{visibility:hidden}li:hover .mute{visibility:visible}.bar{display:flex;justify-content:space-between;padding:0 10px 0 14px;align-items:center}</style>
      <div class="bar"><strong>Conversations</strong><button class="all" title="Mark all as read">${ICON.tick}</button></div>
      <h5>Channels</h5><ul>${by('c')}</ul><h5>Direct messages</h5><ul>${by('d')}</ul>`;
    this.shadowRoot.querySelector('.all').onclick = () => store.markAll();
    this.shadowRoot.querySelectorAll('.mute').forEach(b => b.onclick = () => store.mute(b.dataset.mute));
  }
});

customElements.define('hud-head', class extends Part {
  on(what) { if (what === 'channel') this.draw(); }
  draw() {
    const c = store.chan(store.active);
    this.shadowRoot.innerHTML = `<style>${BASE}:host{display:flex;align-items:center;gap:12px;border-bottom:1px solid #ddd6e8;padding:8px 18px}h2{font-size:18px;margin:0}p{margin:0;color:#6a6478;flex:1;font-size:13px}</style>
      <h2>${c.kind === 'c' ? '# ' : ''}${c.name}</h2><p>${c.kind === 'c' ? 'Topic: ' + { general: 'everybody, everything', 'launch-berlin': 'Spring launch, Station Hall', builds: 'machines only' }[c.id]?.replace('undefined', '') : 'Direct message'}</p><button>★ Star</button><button>Members</button>`.replace('Topic: undefined', 'No topic');
  }
});

customElements.define('hud-message', class extends HTMLElement {
  set data(m) {
    const root = this.shadowRoot || this.attachShadow({ mode: 'open' });
    root.innerHTML = `<style>${BASE}:host{display:grid;grid-template-columns:38px 1fr;gap:10px;padding:6px 18px;position:relative}:host(:hover){background:#f7f5fa}.av{width:36px;height:36px;border-radius:7px;background:hsl(${m.by.length * 47 % 360} 45% 52%);color:#fff;display:grid;place-items:center;font-weight:600;font-size:13px}
      .n{font-weight:700}.t{color:#86808f;font-size:12px;margin-left:6px}.x{margin:0}.re{display:flex;gap:6px;margin-top:4px}.re button{border:1px solid #cfc6dd;border-radius:12px;padding:0 8px;font-size:13px}.re .me{background:#e5dcf5;border-color:#6c4ba6}.st{font-size:12px;color:#86808f}
      .tools{display:none;position:absolute;right:18px;top:-12px;background:#fff;border:1px solid #cfc6dd;border-radius:6px;box-shadow:0 1px 4px #0002}:host(:hover) .tools,.tools:focus-within{display:flex}.file{border:1px solid #cfc6dd;border-radius:6px;padding:6px 10px;display:inline-block;margin-top:4px}</style>
      <div class="av">${esc(m.by.split(' ').map(w => w[0]).join(''))}</div>
      <div><span class="n">${esc(m.by)}</span><span class="t">${m.at}</span><p class="x">${esc(m.text)}</p>${m.file ? `<div class="file">📄 ${m.file}</div>` : ''}
      ${m.re && Object.keys(m.re).length ? `<div class="re">${Object.entries(m.re).map(([e, l]) => `<button class="${l.includes(store.me) ? 'me' : ''}" data-e="${e}" title="${esc(l.join(', '))}">${e} ${l.length}</button>`).join('')}</div>` : ''}
      ${m.state ? `<span class="st">${m.state}</span>` : ''}</div>
      <div class="tools"><button data-do="react" title="Add reaction">${ICON.smile}</button><button data-do="reply" title="Reply in thread">${ICON.reply}</button><button data-do="more" title="More actions">${ICON.dots}</button></div>`;
    root.addEventListener('click', e => {
      const pill = e.target.closest('[data-e]'), b = e.target.closest('[data-do]');
      if (pill) store.react(m.id, pill.dataset.e);
      else if (b) { const r = b.getBoundingClientRect(); store.emit('popup', { kind: b.dataset.do, id: m.id, x: r.left, y: r.bottom }); }
    });
  }
});

customElements.define('hud-stream', class extends Part {
  on(what) { if (what === 'messages' || what === 'channel') this.draw(); else if (what === 'typing') this.shadowRoot.querySelector('.ty').textContent = store.typing; }
  draw() {
    const root = this.shadowRoot;
    if (!root.firstChild) root.innerHTML = '<style>:host{flex:1;min-height:0;display:flex;flex-direction:column}.list{flex:1;overflow:auto;padding-top:14px}.ty{height:20px;padding:0 18px;font-size:12px;color:#86808f}.load{padding:40px;text-align:center;color:#86808f}.day{text-align:center;font-size:12px;color:#86808f}</style><div class="list"></div><div class="ty"></div>';
    const list = root.querySelector('.list'), msgs = store.msgs[store.active];
    root.querySelector('.ty').textContent = store.typing;
    if (!msgs) { list.innerHTML = '<div class="load">Loading messages…</div>'; return; }
    const end = list.scrollHeight - list.scrollTop - list.clientHeight < 60, top = list.scrollTop;
    const day = Object.assign(document.createElement('div'), { className: 'day', textContent: 'Today' });
    list.replaceChildren(day, ...msgs.map(m => { const el = document.createElement('hud-message'); el.data = m; return el; }));
    list.scrollTop = end ? list.scrollHeight : top;
  }
});

customElements.define('hud-editor', class extends Part {
  on(what) { if (what === 'channel') { this.box.textContent = ''; this.name(); this.sync(); } }
  name() { const c = store.chan(store.active); this.box.dataset.placeholder = 'Message ' + (c.kind === 'c' ? '#' : '') + c.name; }
  sync() { const empty = !this.box.textContent.trim(); this.box.classList.toggle('empty', empty); this.go.disabled = empty; }
  draw() {
    this.shadowRoot.innerHTML = `<style>${BASE}:host{display:block;margin:0 18px 14px;border:1px solid #b3a6c6;border-radius:8px}.f{display:flex;gap:4px;padding:4px 8px;background:#f7f5fa;border-radius:8px 8px 0 0;color:#6a6478}.b{min-height:22px;padding:8px 12px;outline:none}.b.empty::before{content:attr(data-placeholder);color:#97909f;pointer-events:none}
      .l{display:flex;justify-content:space-between;padding:2px 8px 6px}.go{background:#23785a;color:#fff}.go:disabled{background:none;color:#b8b2c0}</style>
      <div class="f"><button><b>B</b></button><button><i>I</i></button><button><s>S</s></button><button>🔗</button><button>☰</button></div><div class="b empty" contenteditable="true"></div>
      <div class="l"><span><button>＋</button><button>@</button></span><button class="go" disabled title="Send now">${ICON.send}</button></div>`;
    this.box = this.shadowRoot.querySelector('.b'); this.go = this.shadowRoot.querySelector('.go'); this.name();
    const send = () => { const t = this.box.innerText.trim(); if (!t) return; this.box.textContent = ''; this.sync(); store.send(t); };
    this.box.oninput = () => this.sync();
    this.box.onkeydown = e => { if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); send(); } };
    this.go.onclick = send;
  }
});

customElements.define('hud-layer', class extends Part {
  on(what, d) {
    if (what === 'toast') {
      const t = Object.assign(document.createElement('div'), { className: 'toast', textContent: d.text });
      this.shadowRoot.querySelector('.toasts').append(t); setTimeout(() => t.remove(), 5000);
    }
    if (what === 'popup') this.popup(d);
    if (what === 'channel') this.close();
  }
  close() { this.shadowRoot.querySelector('.pop')?.remove(); }
  popup({ kind, id, x, y }) {
    this.close();
    const p = document.createElement('div'); p.className = 'pop';
    if (kind === 'react') p.innerHTML = [['👍', 'Thumbs up'], ['👎', 'Thumbs down'], ['🎉', 'Party'], ['❤️', 'Heart'], ['👀', 'Eyes'], ['✅', 'Done']].map(([e, n]) => `<button title="${n}" data-e="${e}">${e}</button>`).join('');
    else if (kind === 'more') p.innerHTML = '<ul><li>Copy link</li><li>Pin to channel</li><li>Remind me later</li><li>Mark as unread</li></ul>';
    else { store.emit('toast', { text: 'Threads are not available in the free plan' }); return; }
    p.style.left = Math.min(x, innerWidth - 260) + 'px'; p.style.top = Math.min(y + 4, innerHeight - 150) + 'px';
    p.onclick = e => { const b = e.target.closest('[data-e]'); if (b) store.react(id, b.dataset.e); this.close(); };
    this.shadowRoot.append(p);
    setTimeout(() => document.addEventListener('click', e => { if (!e.composedPath().includes(p)) p.remove(); }, { once: true }));
  }
  draw() { this.shadowRoot.innerHTML = `<style>${BASE}.pop{position:fixed;background:#fff;border:1px solid #cfc6dd;border-radius:8px;box-shadow:0 4px 16px #0003;padding:6px;z-index:5}.pop button{font-size:19px}ul{list-style:none;margin:0;padding:0}li{padding:5px 14px;cursor:pointer}.toasts{position:fixed;left:14px;bottom:44px;max-width:222px;display:grid;gap:8px}.toast{background:#241a33;color:#fff;padding:10px 16px;border-radius:6px;max-width:380px}</style><div class="toasts"></div>`; }
});
