const { createApp, reactive, nextTick } = Vue;

const post = (body, delay) => fetch('/echo?delay=' + delay, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }).then(r => r.json());

// what the rest of the page (and the billing frame) shares
const acct = window.acct = reactive({
  notif: null, devices: null, prefs: { summary: 'Every Friday', spending: 'First of the month', quiet: 'Off' },
  security: { twoStep: true, deleted: false },
  billing: { company: 'Lumen Atelier, Lda', vat: '', currency: 'EUR', saves: 0 },
  confirms: [], flips: 0,
});
const CODE = '7731-04';

const CSelect = {
  props: { modelValue: String, options: Array, search: Boolean },
  emits: ['update:modelValue'],
  data: () => ({ open: false, q: '', pos: {} }),
  computed: { shown() { return this.options.filter(o => o.toLowerCase().includes(this.q.toLowerCase())); } },
  methods: {
    toggle() {
      this.open = !this.open; this.q = '';
      if (this.open) { const r = this.$refs.box.getBoundingClientRect(); this.pos = { left: r.left + 'px', top: r.bottom + 2 + 'px', width: r.width + 'px' }; }
    },
    pick(o) { this.$emit('update:modelValue', o); this.open = false; },
    away(e) { if (this.open && !this.$refs.box.contains(e.target) && !(this.$refs.list && this.$refs.list.contains(e.target))) this.open = false; },
  },
  mounted() { document.addEventListener('mousedown', this.away); addEventListener('scroll', this.shut = () => { this.open = false; }); },
  beforeUnmount() { document.removeEventListener('mousedown', this.away); removeEventListener('scroll', this.shut); },
  template: `<div class="csel" ref="box" :class="{open}" tabindex="0" @click="toggle" @keydown.enter.prevent="toggle" @keydown.esc="open = false"><span>{{ modelValue }}</span><svg width="12" height="8"><path d="m1 1 5 5 5-5" fill="none" stroke="#555" stroke-width="1.6"/></svg></div>
    <teleport to="body"><div v-if="open" class="clist" ref="list" :style="pos"><input v-if="search" v-model="q" placeholder="Search…"><div v-for="o in shown" :key="o" class="copt" :class="{cur: o === modelValue}" @mousedown.prevent @click="pick(o)">{{ o }}</div></div></teleport>`,
};

const app = createApp({
  components: { CSelect },
  data() {
    return {
      tabs: [{ id: 'profile', label: 'Profile' }, { id: 'notifications', label: 'Notifications' }, { id: 'security', label: 'Security' }, { id: 'billing', label: 'Billing' }, { id: 'apps', label: 'Connected apps' }],
      tab: 'profile', stamp: 0, code: '', card: '', dialog: null, toasts: [], nextId: 1,
      profile: { first: 'Inês', last: 'Duarte', job: 'Head of production', lang: 'English', tz: 'Lisbon (GMT)' },
      zones: ['Azores (GMT-1)', 'Lisbon (GMT)', 'London (GMT)', 'Madrid (GMT+1)', 'Berlin (GMT+1)', 'Athens (GMT+2)', 'São Paulo (GMT-3)'],
      apps: [{ name: 'Dropboxer', text: 'Reads and writes files', on: true }, { name: 'Slackline', text: 'Posts to #production', on: true }, { name: 'Calendario', text: 'Not connected', on: false }],
      vaultUrl: window.OTHER + location.pathname.replace(/[^/]*$/, '') + 'vault.html?delay=700',
    };
  },
  computed: {
    notif: () => acct.notif, prefs: () => acct.prefs, security: () => acct.security,
    devices: { get: () => acct.devices, set(v) { acct.devices = v; } },
    // the one being signed out goes to the end
    sorted() { return [...acct.devices].sort((a, b) => !!b.current - !!a.current || !!a.busy - !!b.busy || a.rank - b.rank); },
  },
  methods: {
    go(id) { history.pushState(null, '', '#/' + id); this.enter(id); },
    enter(id) {
      this.tab = this.tabs.some(t => t.id === id) ? id : 'profile';
      if (this.tab === 'notifications' && !acct.notif) post([
        { id: 'pf', title: 'Payment failed', text: 'A charge to your card was refused', mail: true, push: false },
        { id: 'pd', title: 'Payment due', text: 'Three days before we charge you', mail: true, push: false },
        { id: 'pr', title: 'Payment received', text: 'With the invoice as a PDF', mail: true, push: true },
        { id: 'cm', title: 'Comments', text: 'Somebody comments on your plot', mail: false, push: true },
        { id: 'mn', title: 'Mentions', text: 'Somebody mentions you', mail: true, push: true },
        { id: 'nw', title: 'News and tips', text: 'At most twice a month', mail: false, push: false }], 700).then(l => { acct.notif = l; });
      if (this.tab === 'security' && !acct.devices) post([
        { id: 1, name: 'Firefox on Windows', city: 'Braga', seen: 'Active 2 hours ago', rank: 2 },
        { id: 2, name: 'Safari on iPhone', city: 'Porto', seen: 'Active yesterday', phone: true, rank: 3 },
        { id: 3, name: 'Chrome on Linux', city: 'Porto', seen: 'Active now', current: true, rank: 0 },
        { id: 4, name: 'Firefox on Windows', city: 'Porto', seen: 'Active 3 weeks ago', rank: 4 },
        { id: 5, name: 'Firefox on Android', city: 'Porto', seen: 'Active 5 hours ago', phone: true, rank: 1 }], 900).then(l => { acct.devices = l; });
    },
    flip(n, k) {
      n[k] = !n[k]; acct.flips++;
      post({ id: n.id, [k]: n[k] }, 350).then(() => { this.stamp++; this.toast(`${n.title}: ${k === 'mail' ? 'e-mail' : 'push'} is ${n[k] ? 'on' : 'off'}`); });
    },
    ask(title, text, ok, then) { this.dialog = { title, text, ok, then }; },
    yes() { const d = this.dialog; this.dialog = null; if (d) d.then(); },
    signOut(d) {
      this.ask('Sign out of this device?', `${d.name}, ${d.city} will need the password again.`, 'Sign out', () => {
        d.busy = true;
        post({ id: d.id }, 600).then(() => { acct.devices = acct.devices.filter(x => x.id !== d.id); this.toast(`${d.name}, ${d.city} has been signed out`); });
      });
    },
    confirmCard() {
      acct.confirms.push(this.code); this.card = 'busy';
      post({ code: this.code }, 500).then(() => { this.card = this.code === CODE ? 'ok' : 'bad'; });
    },
    toast(text) { const id = this.nextId++; this.toasts.push({ id, text }); setTimeout(() => { this.toasts = this.toasts.filter(t => t.id !== id); }, 5000); },
  },
  mounted() { addEventListener('popstate', () => this.enter(location.hash.slice(2))); this.enter(location.hash.slice(2)); },
});
app.mount('#app');
