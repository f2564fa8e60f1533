/* Harbour & Pine storefront */
var e = React.createElement, useState = React.useState, useEffect = React.useEffect, useRef = React.useRef;
var CODES = { HARBOUR10: { pct: 10 }, WINTER5: { expired: true } };
var SHIP = {
  DE: [{ id: 'std', label: 'Standard, 3–5 days', cost: 4.9 }, { id: 'exp', label: 'Express courier', cost: 11.9 }],
  PT: [{ id: 'std', label: 'CTT standard, 2–3 days', cost: 3.5 }, { id: 'pick', label: 'CTT pick-up point', cost: 2.2 }, { id: 'exp', label: 'Express courier', cost: 6.9 }],
  ES: [{ id: 'std', label: 'Correos standard', cost: 4.5 }, { id: 'exp', label: 'Express courier', cost: 8.9 }],
  PL: [{ id: 'std', label: 'InPost locker', cost: 5.2 }],
  SE: [{ id: 'std', label: 'PostNord standard', cost: 6.8 }, { id: 'exp', label: 'Express courier', cost: 14.9 }]
};
var COUNTRIES = [['DE', 'Germany'], ['PL', 'Poland'], ['PT', 'Portugal'], ['ES', 'Spain'], ['SE', 'Sweden']];
var euro = function (n) { return (n < 0 ? '−' : '') + '€' + Math.abs(n).toFixed(2); };

/* ---- tiny store ------------------------------------------------------- */
var store = {
  products: null, cart: [{ id: 'tt-lin', qty: 1 }], saved: ['bl-wool'], code: null, orders: [], tracked: [], toasts: [], pending: {},
  subs: new Set(),
  emit: function () { this.subs.forEach(function (f) { f({}); }); },
  toast: function (t) { var o = { t: t, k: Math.random() }; this.toasts = this.toasts.concat(o); this.emit();
    setTimeout(function () { store.toasts = store.toasts.filter(function (x) { return x !== o; }); store.emit(); }, 5500); },
  post: function (what, body, ms) { return fetch('/echo?delay=' + ms, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }).then(function (r) { return r.json(); }); },
  p: function (id) { return (this.products || []).find(function (x) { return x.id === id; }) || { id: id, name: '…', price: 0, hue: 0 }; },
  add: function (id) {
    var l = this.cart.find(function (x) { return x.id === id; });
    if (l) l.qty++; else this.cart = [{ id: id, qty: 1 }].concat(this.cart);
    this.emit();
    this.post('cart', { id: id }, 250).then(function () { store.toast(store.p(id).name + ' was added to your cart'); });
  },
  qty: function (id, d) {
    var l = this.cart.find(function (x) { return x.id === id; }); if (!l) return;
    l.qty += d; if (l.qty < 1) this.cart = this.cart.filter(function (x) { return x !== l; });
    this.pending[id] = true; this.emit();
    this.post('qty', l, 450).then(function () { delete store.pending[id]; store.emit(); });
  },
  sums: function () {
    var s = this.cart.reduce(function (a, l) { return a + l.qty * store.p(l.id).price; }, 0);
    var d = this.code ? -Math.round(s * CODES[this.code].pct) / 100 : 0;
    return { sub: s, disc: d, total: s + d, n: this.cart.reduce(function (a, l) { return a + l.qty; }, 0) };
  }
};
function useStore() { var s = useState({}); useEffect(function () { store.subs.add(s[1]); return function () { store.subs.delete(s[1]); }; }, []); return store; }
function useHash() { var h = useState(location.hash || '#/'); useEffect(function () { var f = function () { h[1](location.hash || '#/'); window.scrollTo(0, 0); }; addEventListener('hashchange', f); return function () { removeEventListener('hashchange', f); }; }, []); return h[0]; }

/* ---- bits ------------------------------------------------------------- */
function Svg(p) { return e('svg', { viewBox: '0 0 24 24', 'aria-hidden': true }, e('path', { d: p.d })); }
var BAG = 'M5 8h14l-1 12H6L5 8zM9 8V6a3 3 0 0 1 6 0v2', HEART = 'M12 20s-7-4.6-7-10a4 4 0 0 1 7-2 4 4 0 0 1 7 2c0 5.4-7 10-7 10z', CROSS = 'M6 6l12 12M18 6L6 18', BIN = 'M5 7h14M9 7V5h6v2M7 7l1 12h8l1-12';
function Pic(p) { return e('div', { className: 'pic', style: { background: 'hsl(' + p.hue + ' 35% 93%)' } }, e('i', { style: { background: 'hsl(' + p.hue + ' 40% 55%)' } })); }

function Card(p) {
  var s = useStore(), x = p.x, on = s.saved.includes(x.id);
  return e('div', { className: 'card' },
    e(Pic, { hue: x.hue }),
    e('button', { className: 'iconbtn' + (on ? ' on' : ''), title: on ? 'Remove from wish list' : 'Save for later', onClick: function () { s.saved = on ? s.saved.filter(function (i) { return i !== x.id; }) : s.saved.concat(x.id); s.emit(); } }, e(Svg, { d: HEART })),
    e('div', { className: 'b' },
      e('h3', null, x.name),
      e('div', { className: 'stars' }, '★ ' + x.rating.toFixed(1) + ' (' + x.n + ')'),
      e('div', { className: 'price' }, e('b', null, euro(x.price)), x.was ? e('s', null, euro(x.was)) : null),
      e('button', { className: 'btn', onClick: function () { s.add(x.id); } }, 'Add to cart')));
}

function List(p) {
  var sort = useState('pop'), shown = useState(8), s = useStore();
  useEffect(function () { shown[1](8); }, [p.q, p.cat]);
  if (!s.products) return e('div', null, e('p', null, 'Loading products…'), e('div', { className: 'grid' }, [1, 2, 3, 4, 5, 6, 7, 8].map(function (i) { return e('div', { key: i, className: 'skeleton' }); })));
  var xs = s.products.filter(function (x) { return (!p.cat || x.cat === p.cat) && (!p.q || x.name.toLowerCase().includes(p.q.toLowerCase())); });
  if (sort[0] === 'low') xs = xs.slice().sort(function (a, b) { return a.price - b.price; });
  if (sort[0] === 'high') xs = xs.slice().sort(function (a, b) { return b.price - a.price; });
  return e('div', null,
    e('div', { className: 'bar' },
      e('h2', null, p.q ? xs.length + ' results for “' + p.q + '”' : (p.cat || 'All things') + ' (' + xs.length + ')'),
      e('label', null, 'Sort by ', e('select', { value: sort[0], onChange: function (ev) { sort[1](ev.target.value); } }, e('option', { value: 'pop' }, 'Most popular'), e('option', { value: 'low' }, 'Price, low to high'), e('option', { value: 'high' }, 'Price, high to low')))),
    xs.length ? e('div', { className: 'grid' }, xs.slice(0, shown[0]).map(function (x, i) { return e(Card, { key: i, x: x }); })) : e('p', null, 'Nothing found. Try a shorter word.'),
    xs.length > shown[0] ? e('button', { className: 'btn more', onClick: function () { shown[1](shown[0] + 8); } }, 'Show more') : null);
}

function Sums(p) {
  var s = store.sums();
  return e('div', { className: 'sum' },
    e('div', null, e('span', null, 'Subtotal'), e('span', null, euro(s.sub))),
    s.disc ? e('div', null, e('span', null, 'Discount (' + store.code + ')'), e('span', null, euro(s.disc))) : null,
    p.ship != null ? e('div', null, e('span', null, 'Delivery'), e('span', null, euro(p.ship))) : null,
    e('div', { className: 'tot' }, e('b', null, 'Total'), e('b', null, euro(s.total + (p.ship || 0)))));
}

function Code() {
  var v = useState(''), msg = useState(null), busy = useState(false), s = useStore();
  function apply(ev) {
    ev.preventDefault(); busy[1](true); msg[1](null);
    s.post('code', { c: v[0] }, 600).then(function (r) {
      busy[1](false); var c = CODES[(r.c || '').trim().toUpperCase()];
      if (!r.c) msg[1]('Enter a code first.'); else if (!c) msg[1]('We do not know the code “' + r.c + '”.'); else if (c.expired) msg[1]('This code has expired.');
      else { s.code = r.c.trim().toUpperCase(); s.emit(); }
    });
  }
  return e('form', { onSubmit: apply }, e('div', { className: 'code' },
    e('input', { placeholder: 'Discount code', value: v[0], onChange: function (ev) { v[1](ev.target.value); } }),
    e('button', { className: 'btn', disabled: busy[0] }, busy[0] ? '…' : 'Apply')),
    msg[0] ? e('p', { className: 'err', role: 'alert' }, msg[0]) : s.code ? e('p', { className: 'ok' }, CODES[s.code].pct + ' % off has been applied.') : null);
}

function Drawer(p) {
  var s = useStore();
  return e(React.Fragment, null, e('div', { className: 'shade', onClick: p.close }),
    e('div', { className: 'drawer', role: 'dialog', 'aria-label': 'Your cart' },
      e('header', null, e('h2', null, 'Your cart'), e('button', { className: 'iconbtn', 'aria-label': 'Close', onClick: p.close }, e(Svg, { d: CROSS }))),
      s.cart.length ? null : e('p', null, 'Your cart is empty.'),
      s.cart.map(function (l, i) { var x = s.p(l.id); return e('div', { key: i, className: 'line' + (s.pending[l.id] ? ' pending' : '') },
        e(Pic, { hue: x.hue }),
        e('div', null, e('div', null, x.name), e('div', { className: 'qty' },
          e('button', { 'aria-label': 'Decrease quantity', onClick: function () { s.qty(l.id, -1); } }, '−'), e('span', null, l.qty), e('button', { 'aria-label': 'Increase quantity', onClick: function () { s.qty(l.id, 1); } }, '+')),
          e('button', { className: 'iconbtn', title: 'Remove', onClick: function () { s.qty(l.id, -l.qty); } }, e(Svg, { d: BIN }))),
        e('b', null, euro(x.price * l.qty))); }),
      e(Code), e(Sums),
      e('button', { className: 'btn primary', disabled: !s.cart.length, onClick: function () { p.close(); location.hash = '#/checkout'; } }, 'Checkout')));
}

function Checkout() {
  var s = useStore(), f = useState({ mail: 'ines.duarte@example.com', name: 'Inês Duarte', street: 'Rua do Século 41', zip: '1200-433', city: 'Lisboa', country: 'DE' }), ship = useState('std'), opts = useState(SHIP.DE), busy = useState(false), errs = useState({});
  var seq = useRef(0);
  function set(k, v) { var o = Object.assign({}, f[0]); o[k] = v; f[1](o); }
  function country(c) { set('country', c); opts[1](null); ship[1](null); var n = ++seq.current; s.post('ship', { c: c }, 800).then(function (r) { if (n !== seq.current) return; opts[1](SHIP[r.c]); ship[1]('std'); }); }
  function place(ev) {
    ev.preventDefault(); var er = {};
    if (!/^\S+@\S+\.\S+$/.test(f[0].mail)) er.mail = 'Please enter a valid e-mail address.';
    if (!f[0].zip) er.zip = 'Please enter your post code.';
    if (!ship[0]) er.ship = 'Please choose a delivery.';
    errs[1](er); if (Object.keys(er).length) return;
    busy[1](true);
    s.post('order', {}, 900).then(function () {
      var no = 'HP-' + (20000 + Math.floor(Math.random() * 70000));
      s.orders.push({ no: no, lines: s.cart.map(function (l) { return l.id + 'x' + l.qty; }), code: s.code, to: f[0], ship: ship[0] });
      s.cart = []; s.code = null; s.emit(); location.hash = '#/thanks';
    });
  }
  function inp(k, label) { return e('label', { className: 'f' }, e('span', null, label), e('input', { value: f[0][k], className: errs[0][k] ? 'bad' : '', onChange: function (ev) { set(k, ev.target.value); } }), errs[0][k] ? e('div', { className: 'err' }, errs[0][k]) : null); }
  if (!s.cart.length && !busy[0]) return e('p', null, 'Your cart is empty. ', e('a', { href: '#/' }, 'Back to the shop'));
  var cost = opts[0] && (opts[0].find(function (o) { return o.id === ship[0]; }) || {}).cost;
  return e('form', { className: 'checkout', onSubmit: place, noValidate: true }, e('div', null, e('h1', null, 'Checkout'),
    e('fieldset', null, e('legend', null, 'Where to'), inp('mail', 'E-mail'), inp('name', 'Full name'), inp('street', 'Street and number'), inp('zip', 'Post code'), inp('city', 'City'),
      e('label', { className: 'f' }, e('span', null, 'Country'), e('select', { value: f[0].country, onChange: function (ev) { country(ev.target.value); } }, COUNTRIES.map(function (c) { return e('option', { key: c[0], value: c[0] }, c[1]); })))),
    e('fieldset', null, e('legend', null, 'Delivery'), opts[0] ? opts[0].map(function (o) { return e('label', { className: 'ship', key: f[0].country + o.id }, e('input', { type: 'radio', name: 'ship', checked: ship[0] === o.id, onChange: function () { ship[1](o.id); } }), e('span', null, o.label), e('b', null, euro(o.cost))); }) : e('p', null, 'Looking up deliveries…'), errs[0].ship ? e('div', { className: 'err' }, errs[0].ship) : null)),
    e('aside', null, e('h3', null, 'Your order'), s.cart.map(function (l) { return e('div', { key: l.id }, l.qty + ' × ' + s.p(l.id).name); }), e(Sums, { ship: cost }),
      e('button', { className: 'btn primary', disabled: busy[0] || !opts[0] }, busy[0] ? 'Placing your order…' : 'Place order')));
}

function Thanks() { var o = store.orders[store.orders.length - 1]; return o ? e('div', null, e('h1', null, 'Thank you, ' + o.to.name.split(' ')[0] + '!'), e('p', null, 'Order no. ', e('strong', null, o.no)), e('p', null, 'We have sent a confirmation to ' + o.to.mail + '. You can follow the parcel with the box at the foot of this page.')) : e('p', null, 'No order yet.'); }

function Track() {
  var v = useState(''), r = useState(null);
  function go(ev) { ev.preventDefault(); r[1]({ t: 'Looking…' }); store.post('track', { no: v[0] }, 500).then(function (b) { store.tracked.push(b.no); var ok = store.orders.some(function (o) { return o.no === b.no.trim(); }); r[1](ok ? { ok: 1, t: 'Order ' + b.no + ' is being packed in our warehouse.' } : { t: 'We cannot find that order.' }); }); }
  return e('form', { className: 'track', onSubmit: go }, e('h4', null, 'Track your parcel'), e('input', { placeholder: 'Order number', value: v[0], onChange: function (ev) { v[1](ev.target.value); } }), ' ', e('button', { className: 'btn' }, 'Track'), r[0] ? e('p', { className: r[0].ok ? 'ok' : 'err' }, r[0].t) : null);
}

function App() {
  var s = useStore(), h = useHash(), open = useState(false), typed = useState(''), q = useState(''), wait = useState(false), t = useRef();
  function search(v) { typed[1](v); wait[1](true); clearTimeout(t.current); t.current = setTimeout(function () { wait[1](false); q[1](v.trim()); if (!/^#\/($|c\/)/.test(location.hash || '#/')) location.hash = '#/'; }, 350); }
  var cat = (h.match(/^#\/c\/(.*)/) || [])[1], n = s.sums().n, page;
  if (h === '#/checkout') page = e(Checkout); else if (h === '#/thanks') page = e(Thanks);
  else if (/^#\/page\//.test(h)) page = e('div', null, e('h1', null, h.slice(7).replace(/^./, function (c) { return c.toUpperCase(); })), e('p', null, 'We are rewriting this page. Please call us, we are happy to help.'));
  else page = e(List, { q: q[0], cat: cat });
  return e(React.Fragment, null,
    e('header', { className: 'top' }, e('a', { className: 'logo', href: '#/' }, 'Harbour & Pine'),
      e('nav', null, ['Kitchen', 'Textiles', 'Living'].map(function (c) { return e('a', { key: c, href: '#/c/' + c, className: cat === c ? 'on' : '' }, c); })),
      e('div', { className: 'search' }, e('input', { type: 'search', placeholder: 'Search', value: typed[0], onChange: function (ev) { search(ev.target.value); } }), wait[0] ? e('span', { className: 'spin' }) : null),
      e('button', { className: 'iconbtn', 'aria-label': 'Wish list' }, e(Svg, { d: HEART }), e('span', { className: 'badge' }, s.saved.length)),
      e('button', { className: 'iconbtn', 'aria-label': 'Cart', onClick: function () { open[1](true); } }, e(Svg, { d: BAG }), n ? e('span', { className: 'badge' }, n) : null)),
    e('main', null, page),
    open[0] ? e(Drawer, { close: function () { open[1](false); } }) : null,
    e('div', { className: 'toasts', 'aria-live': 'polite' }, s.toasts.map(function (x) { return e('div', { key: x.k, className: 'toast' }, x.t); })));
}
function mount(c, n) { if (ReactDOM.createRoot) ReactDOM.createRoot(n).render(c); else ReactDOM.render(c, n); }
mount(e(App), document.getElementById('root'));
mount(e(Track), document.getElementById('track-slot'));
fetch('products.json?delay=600').then(function (r) { return r.json(); }).then(function (x) { store.products = x; store.emit(); });
