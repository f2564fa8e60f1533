// Northgate online banking. Everything is drawn from S, see draw()
var S = { route: 'accounts', acc: 'cur', ready: {}, pay: null, signing: false, noteFor: null, noteText: '', filter: '', left: 599 };
function $(id) { return document.getElementById(id); }
function esc(s) { return String(s).replace(/[&<>"]/g, function (c) { return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[c]; }); }
function money(p) { var s = (Math.abs(p) / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ','); return (p < 0 ? '−' : '') + '£' + s; }
function acc(id) { return BANK.accounts.filter(function (a) { return a.id === id; })[0]; }
function payee(id) { return BANK.payees.filter(function (a) { return a.id === id; })[0]; }
function wait(ms, cb) { var x = new XMLHttpRequest(); x.open('POST', '/echo?delay=' + ms); x.setRequestHeader('Content-Type', 'application/json'); x.onload = cb; x.send('{}'); }
function say(t, er) { var d = document.createElement('div'); d.textContent = t; if (er) d.className = 'er'; $('notes').appendChild(d); setTimeout(function () { d.remove(); }, 6000); }

function need(key, ms) { if (S.ready[key] === true) return true; if (!S.ready[key]) { S.ready[key] = 'busy'; wait(ms, function () { S.ready[key] = true; draw(); }); } return false; }

function vAccounts() {
  if (!need('acc', 500)) return '<div class="panel load">Loading your accounts…</div>';
  var h = '<div class="panel"><h2>Good morning, Jonas</h2>' + BANK.accounts.map(function (a) {
    return '<div class="acc"><div><a href="#account/' + a.id + '">' + a.name + '</a><div class="n">' + a.no + '</div></div><div class="bal">' + money(a.bal) + '</div><button data-act="pay-from" data-id="' + a.id + '">Make a payment</button></div>';
  }).join('') + '</div><div class="panel"><h2>Messages</h2><p>Your May statement is ready. <a href="#statements">See statements</a></p></div>';
  return h;
}
function vAccount() {
  var a = acc(S.acc);
  var tabs = '<div class="tabs" role="tablist">' + BANK.accounts.map(function (x) { return '<button role="tab" aria-selected="' + (x.id === a.id) + '" class="' + (x.id === a.id ? 'on' : '') + '" data-act="tab" data-id="' + x.id + '">' + x.name + '</button>'; }).join('') + '</div>';
  if (!need('tx-' + a.id, 800)) return tabs + '<div class="panel load">Loading transactions…</div>';
  var rows = BANK.tx[a.id].map(function (t) {
    var n = S.noteFor === t.id
      ? '<div class="note-edit"><input placeholder="Note" data-k="note" value="' + esc(S.noteText) + '"> <button data-act="note-save" data-id="' + t.id + '">Save</button> <button class="lnk" data-act="note-off">Cancel</button></div>'
      : (t.note ? '<div class="note">' + esc(t.note) + '</div>' : '') + ' <button class="lnk" data-act="note" data-id="' + t.id + '">' + (t.note ? 'Edit note' : 'Add note') + '</button>';
    return '<tr><td>' + t.day + '</td><td>' + esc(t.who) + '<div class="memo">' + esc(t.memo) + '</div></td><td>' + n + '</td><td class="amt">' + money(t.amt) + '</td></tr>';
  }).join('');
  return tabs + '<div class="panel"><h2>' + a.name + ' <small>' + a.no + '</small></h2><p>Balance <b>' + money(a.bal) + '</b></p><table><thead><tr><th>Date</th><th>Details</th><th>Note</th><th class="amt">Amount</th></tr></thead><tbody>' + rows + '</tbody></table></div>';
}
function vPayments() {
  if (S.pay) return vPay();
  if (!need('payees', 900)) return '<div class="panel load">Fetching your payees…</div>';
  var f = S.filter.toLowerCase();
  return '<div class="panel"><h2>Pay someone</h2><div class="fld"><input data-k="filter" placeholder="Find a payee" value="' + esc(S.filter) + '"></div><table><thead><tr><th>Payee</th><th>Bank</th><th>Account</th><th>Last paid</th><th></th></tr></thead><tbody>' +
    BANK.payees.filter(function (p) { return (p.name + p.bank).toLowerCase().indexOf(f) >= 0; }).map(function (p) { return '<tr><td>' + p.name + '</td><td>' + p.bank + '</td><td>' + p.no + '</td><td>' + p.last + '</td><td><button data-act="pay" data-id="' + p.id + '">Pay</button> <button class="lnk" data-act="drop" data-id="' + p.id + '">Delete</button></td></tr>'; }).join('') +
    '</tbody></table></div>';
}
function pence(s) { s = String(s).trim().replace(/[£,]/g, ''); return /^\d+(\.\d{1,2})?$/.test(s) ? Math.round(parseFloat(s) * 100) : NaN; }
function vPay() {
  var p = S.pay, to = payee(p.to), a = acc(p.from), n = pence(p.amount);
  if (p.done) return '<div class="panel"><h2>Payment sent</h2><p>' + money(p.done.amt) + ' to ' + to.name + ', ' + to.bank + ' ' + to.no + '</p><p>Receipt ' + p.done.no + '</p><p><a href="#account/' + p.from + '">View ' + acc(p.from).name + '</a></p><p><button data-act="pay-over">Make another payment</button></p></div>';
  return '<div class="panel"><h2>Pay ' + to.name + '</h2><p>' + to.bank + ' ' + to.no + '</p>' +
    '<div class="fld"><label for="pf">From account</label><select id="pf" data-k="from">' + BANK.accounts.map(function (x) { return '<option value="' + x.id + '"' + (x.id === p.from ? ' selected' : '') + '>' + x.name + '</option>'; }).join('') + '</select><div class="hint">Available: ' + money(a.bal) + '</div></div>' +
    '<div class="fld"><label for="pa">Amount</label><input id="pa" data-k="amount" inputmode="decimal" value="' + esc(p.amount) + '">' + (p.err.amount ? '<div class="bad" role="alert">' + p.err.amount + '</div>' : '') + (n > 0 ? '<div class="hint">Balance after this payment: ' + money(a.bal - n) + '</div>' : '') + '</div>' +
    '<div class="fld"><label for="pr">Reference</label><input id="pr" data-k="ref" maxlength="18" value="' + esc(p.ref) + '">' + (p.err.ref ? '<div class="bad" role="alert">' + p.err.ref + '</div>' : '') + '<div class="hint">Up to 18 characters, the payee will see it</div></div>' +
    '<button class="main" data-act="go"' + (p.busy ? ' disabled' : '') + '>' + (p.busy ? 'Sending…' : 'Continue') + '</button> <button class="lnk" data-act="pay-over">Cancel</button></div>';
}
function vOther() { return '<div class="panel"><h2>' + S.route + '</h2><p>This page is being moved to the new online banking. Please come back soon.</p></div>'; }

function drawHead() { $('hdr').innerHTML = '<div class="in"><span class="brand">Northgate Bank</span><span class="sp"></span><span class="timer">Session ends in ' + Math.floor(S.left / 60) + ':' + ('0' + S.left % 60).slice(-2) + '</span><a href="#messages">Inbox (1)</a><a href="#logout">Log out</a></div>'; }
function draw() {
  drawHead();
  $('side').innerHTML = '<ul>' + [['accounts', 'Accounts'], ['payments', 'Payments'], ['cards', 'Cards'], ['statements', 'Statements'], ['settings', 'Settings']].map(function (x) { return '<li class="' + (S.route === x[0] || (S.route === 'account' && x[0] === 'accounts') ? 'on' : '') + '"><a href="#' + x[0] + '">' + x[1] + '</a></li>'; }).join('') + '</ul><div class="ad"><b>4.6 % on a 1-year bond</b><br>Payments over £2,000 a day need a call to us.</div>';
  var act = document.activeElement, k = act && act.getAttribute && act.getAttribute('data-k'), pos = act && act.selectionStart;
  $('main').innerHTML = ({ accounts: vAccounts, account: vAccount, payments: vPayments }[S.route] || vOther)();
  if (k) { var el = $('main').querySelector('[data-k="' + k + '"]'); if (el) { el.focus(); try { el.setSelectionRange(pos, pos); } catch (x) {} } }
  // the signing window stays in place while the rest is drawn again
  if (S.signing && !$('layer').firstChild) {
    var u = new URL('sign.html', CFG.sign + location.pathname); u.searchParams.set('delay', 500); u.searchParams.set('back', CFG.self); u.searchParams.set('amt', money(pence(S.pay.amount))); u.searchParams.set('to', payee(S.pay.to).name);
    $('layer').innerHTML = '<div class="veil"><div class="dlg" role="dialog" aria-label="Sign the payment"><h3>Sign the payment</h3><p>Our partner SecureSign checks that it is you.</p><iframe title="SecureSign" src="' + esc(u.href) + '"></iframe><p><button data-act="sign-off">Cancel payment</button></p></div></div>';
  }
  if (!S.signing) $('layer').innerHTML = '';
}
setInterval(function () { S.left--; drawHead(); }, 1000);

document.addEventListener('input', function (ev) {
  var k = ev.target.getAttribute('data-k'); if (!k) return;
  if (k === 'filter') { S.filter = ev.target.value; draw(); }
  else if (k === 'note') S.noteText = ev.target.value;
  else if (S.pay) { S.pay[k] = ev.target.value; S.pay.err = {}; draw(); }
});
document.addEventListener('click', function (ev) {
  var b = ev.target.closest('[data-act]'); if (!b) return;
  var id = b.getAttribute('data-id'), p = S.pay;
  switch (b.getAttribute('data-act')) {
    case 'pay': S.pay = { to: id, from: S.from || 'cur', amount: '', ref: '', err: {} }; break;
    case 'pay-from': S.from = id; location.hash = 'payments'; break;
    case 'pay-over': S.pay = null; break;
    case 'drop': BANK.payees = BANK.payees.filter(function (x) { return x.id !== id; }); say('Payee deleted'); break;
    case 'tab': location.hash = 'account/' + id; break;
    case 'note': S.noteFor = id; S.noteText = ''; draw(); var i = document.querySelector('.note-edit input'); if (i) i.focus(); return;
    case 'note-off': S.noteFor = null; break;
    case 'note-save':
      var t = BANK.tx[S.acc].filter(function (x) { return x.id === id; })[0], txt = S.noteText;
      S.noteFor = null; b.textContent = '…'; wait(400, function () { t.note = txt; say('Note saved'); draw(); }); return;
    case 'go':
      var n = pence(p.amount); p.err = {};
      if (!(n > 0)) p.err.amount = 'Enter an amount in pounds, such as 12.50';
      else if (n > acc(p.from).bal) p.err.amount = 'There is not enough money in ' + acc(p.from).name;
      if (!p.ref.trim()) p.err.ref = 'Enter a reference';
      if (!p.err.amount && !p.err.ref) { p.busy = true; S.signing = true; }
      break;
    case 'sign-off': S.signing = false; p.busy = false; break;
  }
  draw();
});
window.addEventListener('message', function (ev) {
  if (ev.origin !== CFG.sign || !ev.data || ev.data.type !== 'signed' || !S.signing) return;
  S.signing = false; draw();
  wait(650, function () {
    var p = S.pay, n = pence(p.amount), no = 'NB-' + Math.floor(1e5 + Math.random() * 9e5);
    acc(p.from).bal -= n; p.done = { amt: n, no: no };
    BANK.tx[p.from].unshift({ id: 't' + no, day: '4 June', who: payee(p.to).name, memo: p.ref.trim(), amt: -n });
    BANK.sent.push({ to: p.to, from: p.from, n: n, ref: p.ref.trim(), no: no }); S.ready['tx-' + p.from] = false; draw();
  });
});
function route() { var h = location.hash.slice(1).split('/'); S.route = h[0] || 'accounts'; if (h[0] === 'account') { S.acc = h[1]; S.noteFor = null; } if (S.route !== 'payments') S.pay = S.pay && S.pay.busy && !S.pay.done ? S.pay : null; draw(); }
window.addEventListener('hashchange', route); route();
