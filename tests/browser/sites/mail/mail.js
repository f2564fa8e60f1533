const { html, render, Component, useState, useEffect, useRef } = htmPreact;
const ICON = { pin: 'M9 4h6l-1 6 3 3H7l3-3-1-6zM12 13v7', arch: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4', bin: 'M5 7h14M9 7V5h6v2M7 7l1 12h8l1-12', clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18', back: 'M14 6l-6 6 6 6' };
const Ico = ({ n }) => html`<svg viewBox="0 0 24 24"><path d=${ICON[n]} /></svg>`;
const FOLDERS = ['Inbox', 'Sent', 'Archive', 'Bin'], LABELS = ['Household', 'Travel', 'Work'];
const api = (what, body, ms) => fetch('/echo?delay=' + ms, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ what, ...body }) }).then(r => r.json());
const box = { mails: null, sent: [], code: 'KB' + (1000 + Math.floor(Math.random() * 9000)) + 'x' };   // read by the tests of the app, too

function Editor({ m, onSent, onCancel }) {
  const ref = useRef(), [state, set] = useState('');
  useEffect(() => { ref.current.focus(); }, []);
  const send = async () => {
    const text = ref.current.innerText.trim();
    if (!text) return set('empty');
    set('busy'); await api('send', { to: m.from, text }, 700); onSent(text);
  };
  return html`<div class="ed"><div class="to">To: ${m.from}</div>
    <div class="txt" contenteditable="true" role="textbox" aria-multiline="true" aria-label="Message" data-ph="Write your answer" ref=${ref} onInput=${() => state === 'empty' && set('')}></div>
    <div class="ft"><button class="pri" disabled=${state === 'busy'} onClick=${send}>${state === 'busy' ? 'Sending…' : 'Send'}</button> <button class="ib" title="Discard" onClick=${onCancel}><${Ico} n="bin" /></button>
    ${state === 'empty' && html`<span role="alert" style="color:#b3261e"> Your message is empty.</span>`}</div></div>`;
}

function Reader({ app, m }) {
  const [body, setBody] = useState(null), [reply, setReply] = useState(false), [menu, setMenu] = useState(false);
  useEffect(() => { setBody(null); setReply(false); api('body', { id: m.id }, 600).then(() => setBody(m.body)); }, [m.id]);
  const move = l => { setMenu(false); app.move([m.id], l, 'Moved to ' + l); app.setState({ open: null }); };
  return html`<div>
    <div class="bar"><button class="ib" title="Back to list" onClick=${() => app.setState({ open: null })}><${Ico} n="back" /></button>
      <button onClick=${() => app.move([m.id], 'Archive', 'Conversation archived') || app.setState({ open: null })}>Archive</button>
      <button aria-haspopup="menu" aria-expanded=${menu} onClick=${() => setMenu(!menu)}>Move to ▾</button>
      ${menu && html`<div class="menu" role="menu">${LABELS.concat('Bin').map(l => html`<div role="menuitem" onClick=${() => move(l)}>${l}</div>`)}</div>`}</div>
    <div class="read"><h1>${m.subj}</h1><div class="who"><span>${m.from} <small>to me</small></span><span>${m.at}</span></div>
      ${body === null ? html`<p class="mut">Opening…</p>` : html`<pre>${body}</pre>`}
      ${(m.replies || []).map(r => html`<div class="sent"><small>You, just now</small><div>${r}</div></div>`)}
      ${body !== null && (reply ? html`<${Editor} m=${m} onCancel=${() => setReply(false)} onSent=${t => { m.replies = (m.replies || []).concat(t); box.sent.push({ to: m.id, text: t }); setReply(false); app.say('Message sent'); }} />`
        : html`<button onClick=${() => setReply(true)}>Reply</button> <button onClick=${() => app.say('Forwarding is switched off by your administrator')}>Forward</button>`)}
    </div></div>`;
}

class App extends Component {
  state = { folder: 'Inbox', sel: new Set(), open: null, q: '', snack: null, typed: '' };
  componentDidMount() {
    fetch('inbox.json?delay=700').then(r => r.json()).then(x => { box.mails = x.map(m => ({ ...m, body: m.body.replace('{CODE}', box.code), folder: 'Inbox', pin: false })); this.forceUpdate(); });
    addEventListener('popstate', e => this.setState({ folder: (e.state || {}).f || 'Inbox', open: null, sel: new Set() }));
  }
  say(text, undo) { clearTimeout(this.tm); this.setState({ snack: { text, undo } }); this.tm = setTimeout(() => this.setState({ snack: null }), 6000); }
  incoming() {  // the next poll brings something
    if (this.polled) return; this.polled = true;
    api('poll', {}, 650).then(() => { box.mails.push({ id: 'm13', from: 'The Ledger Weekly', subj: 'Digest 91: the price of rain', at: '08:31', t: 831, body: 'Rain.', unread: true, folder: 'Inbox', pin: false }, { id: 'm14', from: 'Ada Kessler', subj: 'Slides, page 7', at: '08:30', t: 830, body: 'Fixed it myself.', unread: true, folder: 'Inbox', pin: false }); this.forceUpdate(); });
  }
  pin(m) { m.pin = !m.pin; this.say(m.pin ? 'Pinned to the top' : 'Unpinned'); this.incoming(); }
  move(ids, to, text) {
    const old = ids.map(i => { const m = box.mails.find(x => x.id === i), f = m.folder; m.folder = to; return [m, f]; });
    this.setState({ sel: new Set() }); api('move', { ids, to }, 300).then(() => this.say(text, () => { old.forEach(([m, f]) => m.folder = f); this.say('Undone'); }));
  }
  toggle(id) { const s = new Set(this.state.sel); s.has(id) ? s.delete(id) : s.add(id); this.setState({ sel: s }); }
  open(m) { m.unread = false; this.setState({ open: m.id }); }
  go(e, f) { e.preventDefault(); history.pushState({ f }, '', '?box=' + f.toLowerCase()); this.setState({ folder: f, open: null, sel: new Set() }); }
  search(v) { this.setState({ typed: v }); clearTimeout(this.st); this.st = setTimeout(() => this.setState({ q: v }), 300); }
  render(_, { folder, sel, open, q, snack, typed }) {
    const all = box.mails || [], m = all.find(x => x.id === open);
    let list = all.filter(x => x.folder === folder && (x.from + x.subj).toLowerCase().includes(q.toLowerCase()));
    list.sort((a, b) => b.pin - a.pin || b.t - a.t);
    const unread = all.filter(x => x.folder === 'Inbox' && x.unread).length;
    return html`<div>
    <header class="top"><b>Plover Mail</b><input type="search" placeholder="Search mail" value=${typed} onInput=${e => this.search(e.target.value)} /><span class="me" title="Greta Holm">GH</span></header>
    <div class="lay"><nav class="side"><button class="new" onClick=${() => this.say('You have reached the limit of 50 drafts')}>Write</button>
      ${FOLDERS.map(f => html`<a href="?box=${f.toLowerCase()}" class=${f === folder ? 'on' : ''} onClick=${e => this.go(e, f)}><span>${f}</span>${f === 'Inbox' && unread ? html`<span>${unread}</span>` : ''}</a>`)}
      <h5>Labels</h5>${LABELS.map(f => html`<a href="?box=${f.toLowerCase()}" class=${f === folder ? 'on' : ''} onClick=${e => this.go(e, f)}>${f}</a>`)}</nav>
    <div class="main">${m ? html`<${Reader} app=${this} m=${m} />` : html`<div>
      <div class="bar"><input type="checkbox" title="Select all" checked=${sel.size > 0 && sel.size === list.length} onChange=${() => this.setState({ sel: sel.size ? new Set() : new Set(list.map(x => x.id)) })} />
        ${sel.size ? html`<span class="cnt">${sel.size} selected</span><button onClick=${() => this.move([...sel], 'Archive', sel.size + ' conversations archived')}>Archive</button><button onClick=${() => this.move([...sel], 'Bin', sel.size + ' conversations deleted')}>Delete</button>` : html`<span class="cnt">${folder}</span>`}</div>
      ${!box.mails ? html`<p class="mut">Fetching your mail…</p>` : !list.length ? html`<p class="mut">Nothing here.</p>` : ''}
      <ul class="ml">${list.map(x => html`<li key=${x.id} class=${(x.unread ? 'unread ' : '') + (sel.has(x.id) ? 'sel' : '')} onClick=${() => this.open(x)}>
        <span onClick=${e => e.stopPropagation()}><input type="checkbox" aria-label="Select" checked=${sel.has(x.id)} onChange=${() => this.toggle(x.id)} /></span>
        <button class=${'ib' + (x.pin ? ' on' : '')} title=${x.pin ? 'Unpin' : 'Pin'} onClick=${e => { e.stopPropagation(); this.pin(x); }}><${Ico} n="pin" /></button>
        <span class="tx">${x.from}</span><span class="tx">${x.subj} <span class="sn">– ${x.body.slice(0, 60)}</span></span>
        <span class="end"><span class="at">${x.at}</span><span class="hov"><button class="ib" title="Snooze" onClick=${e => { e.stopPropagation(); x.t -= 300; this.say('Snoozed'); }}><${Ico} n="clock" /></button><button class="ib" title="Archive" onClick=${e => { e.stopPropagation(); this.move([x.id], 'Archive', 'Conversation archived'); }}><${Ico} n="arch" /></button><button class="ib" title="Delete" onClick=${e => { e.stopPropagation(); this.move([x.id], 'Bin', 'Conversation deleted'); }}><${Ico} n="bin" /></button></span></span>
      </li>`)}</ul></div>`}</div></div>
    <footer>1.2 GB of 15 GB used · Plover Mail 4.18 · Privacy · Keyboard shortcuts</footer>
    ${snack && html`<div class="snack" role="status"><span>${snack.text}</span>${snack.undo && html`<button onClick=${snack.undo}>Undo</button>`}</div>`}
    </div>`;
  }
}
render(html`<${App} />`, document.getElementById('app'));
