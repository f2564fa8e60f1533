// Oven & Crumb front end
const slow = (ms, body) => fetch('/echo?delay=' + ms, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body || {}) });
const PER_DAY = 5;

document.addEventListener('alpine:init', () => {
  Alpine.data('forum', () => ({
    page: 'list', busy: true, board: 'All boards', boards: ['All boards', 'Sourdough', 'Yeast breads', 'Ovens & tools', 'Flour', 'Off topic'],
    q: '', unread: 2, threads: [], all: {}, thread: null, posts: [], sort: 'top', menu: null, edit: null, editText: '',
    quoted: null, draft: '', err: '', notify: false, sending: false, toasts: [], log: [], feed: [], nextNo: 50311, seq: 0,

    async init() {
      window.crumb = this;
      const data = await (await fetch('threads.json?delay=600')).json();
      this.threads = data.threads; this.all = data.posts; this.busy = false; this.route();
    },
    async route() {
      const h = location.hash.replace(/^#\/?/, ''), my = ++this.seq;
      this.menu = this.edit = null;
      if (h.startsWith('t/')) {
        this.busy = true; this.page = 'thread'; await slow(450); if (my !== this.seq) return;
        this.thread = this.threads.find(t => t.id == h.slice(2)); this.posts = this.all[h.slice(2)] || []; this.sort = 'top';
        this.quoted = null; this.draft = this.err = ''; this.thread.views++;
      } else if (h === 'me') { this.busy = true; this.page = 'me'; await slow(350); if (my !== this.seq) return; }
      else this.page = h === 'rules' ? 'rules' : 'list';
      this.busy = false; window.scrollTo(0, 0);
    },
    count(t) { return this.all[t.id] ? this.all[t.id].length : t.replies; },
    visibleThreads() {
      const q = this.q.toLowerCase();
      return this.threads.filter(t => (this.board === 'All boards' || t.board === this.board) && (!q || t.title.toLowerCase().includes(q)));
    },
    sortedPosts() {
      const a = this.posts.slice();
      if (this.sort === 'top') a.sort((x, y) => (y.best ? 1 : 0) - (x.best ? 1 : 0) || y.pts - x.pts || (y.at || 0) - (x.at || 0));
      if (this.sort === 'new') a.reverse();
      return a;
    },
    vote(p, dir) {
      if (p.by === 'flourchild') { this.toast('You cannot vote for your own post'); return; }
      const before = p.mine || 0, now = before === dir ? 0 : dir;
      p.pts += now - before; p.mine = now; p.rev++; p.at = ++this.seq;      // the list is sorted again at once
      this.log.push('vote ' + p.id + ' ' + now);
      slow(300, { id: p.id, v: now });
    },
    quote(p) {
      this.quoted = { id: p.id, by: p.by, text: p.by + ': ' + p.text.slice(0, 32).trim() + '…' };
      document.getElementById('editor').scrollIntoView({ block: 'end' });
    },
    async post() {
      const text = this.draft.trim(); if (this.sending) return;
      if (text.length < 20) { this.err = 'Please write at least 20 characters'; return; }
      this.sending = true;
      const no = this.nextNo++, p = { id: 'n' + no, by: 'flourchild', text, pts: 1, rev: 0, age: 'just now', pending: true, quote: this.quoted ? this.quoted.text : '', q: this.quoted && this.quoted.id, notify: this.notify };
      this.posts.push(p); await slow(700, p);
      const live = this.posts.find(x => x.id === p.id); live.pending = false; live.rev++;
      this.log.push('post ' + this.thread.id); this.feed.unshift('Replied in “' + this.thread.title + '”');
      this.sending = false; this.draft = ''; this.quoted = null; this.notify = false; if (this.$refs.ed) this.$refs.ed.innerHTML = '';
      this.toast('Reply no. ' + no + ' is online');
    },
    async saveEdit(p) {
      const text = this.editText.trim(); if (text.length < 20) { this.toast('Too short'); return; }
      await slow(300); p.text = text; p.age = 'edited just now'; this.edit = null; p.rev++; this.log.push('edit ' + p.id);
    },
    async accept(p) {
      this.menu = null; await slow(400);
      const on = !p.best; this.posts.forEach(x => { if (x.best) { x.best = false; x.rev++; } });
      p.best = on; p.rev++; this.thread.solved = on ? p.by : ''; this.log.push('accept ' + p.id + ' ' + on);
      this.toast(on ? 'Accepted the answer of ' + p.by : 'Answer is no longer accepted');
      if (on) this.feed.unshift('Accepted an answer of ' + p.by);
    },
    summary() {
      const votes = Object.values(this.all).flat().filter(p => p.mine).length, posts = this.log.filter(l => l.startsWith('post')).length;
      return 'Today: ' + votes + (votes === 1 ? ' vote' : ' votes') + ' given (' + (PER_DAY - votes) + ' left), ' + posts + (posts === 1 ? ' reply' : ' replies') + ' posted';
    },
    toast(text) { const id = ++this.seq; this.toasts.push({ id, text }); setTimeout(() => { this.toasts = this.toasts.filter(t => t.id !== id); }, 5500); }
  }));
});
