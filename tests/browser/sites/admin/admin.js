/* global $, MEMBERS, INVOICES, AUDIT, OTHER */
(function () {
  var BASE = location.pathname.replace(/[^\/]*$/, '');
  var S = { q: '', role: '', state: '', sort: 'ord', dir: -1, pg: 0, per: 8, sel: {}, req: 0, aq: '', ares: null };
  var seq = 88127, ops = [];
  window.northgate = { members: MEMBERS, ops: ops, get page() { return $('#page').attr('data-page'); }, get audit() { return S; } };
  var esc = function (s) { return $('<i>').text(s).html(); };

  function toast(html, kind) {
    var $t = $('<div class="toast ' + (kind || '') + '">' + html + '<a class="x">×</a></div>').appendTo('#toasts');
    setTimeout(function () { $t.remove(); }, 7000);
  }
  function post(data) { return fetch('/echo?delay=400', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(data) }); }
  function log(what) { seq += 4; AUDIT.unshift({ no: 'AU-' + seq, who: 'solveig@northgate.example', what: what, at: '30 Apr 09:14' }); return 'AU-' + seq; }

  /* ---------- routes ---------- */
  var routes = {
    'dashboard': function () {
      return '<h1>Dashboard</h1><div class="tiles"><a href="members" data-route class="tile"><b>21</b>Members</a><a href="invoices" data-route class="tile"><b>€ 8,774.50</b>Open invoices</a>' +
        '<div class="tile"><b>99.98 %</b>Uptime (30 d)</div><div class="tile"><b>25</b>Seats in plan</div></div>' +
        '<div class="cols"><div class="box"><h3>What\'s new</h3><p>Bulk actions now support up to 200 members at once.</p><p>Exports are delivered as .csv by mail. <a href="#">Read more</a></p></div>' +
        '<div class="box"><h3>To do</h3><p>2 trial accounts expired on 28 April.</p><p>1 invoice is overdue since 12 April.</p></div></div>';
    },
    'members': function () {
      return '<div class="crumb">Console / People</div><h1>Members</h1><div class="tools">' +
        '<span class="sbox"><input id="q" type="text" placeholder="Search name, e-mail or team" value="' + esc(S.q) + '"><a id="clr" title="Clear search">✕</a></span>' +
        '<select id="fr" aria-label="Role"><option value="">All roles</option><option>Owner</option><option>Admin</option><option>Editor</option><option>Viewer</option></select>' +
        '<select id="fs" aria-label="Status"><option value="">Any status</option><option>Active</option><option>Trial</option><option>Invited</option><option>Suspended</option></select>' +
        '<span class="sp"></span><button class="b" data-act="export">Export</button><button class="b pri" data-act="invite">Invite member</button></div>' +
        '<div id="bulk"></div><div id="tbl"></div>';
    },
    'invoices': function () {
      return '<div class="crumb">Console / Billing</div><h1>Invoices</h1><p class="hint">Double-click a note to change it.</p><table class="t"><thead><tr><th>No.</th><th>Customer</th><th>Due</th><th class="r">Amount</th><th>Note</th><th></th></tr></thead><tbody>' +
        INVOICES.map(function (v) { return '<tr data-no="' + v.no + '"><td>' + v.no + '</td><td>' + v.who + '</td><td>' + v.due + '</td><td class="r">€ ' + v.sum.toFixed(2) + '</td><td class="note">' + (esc(v.note) || '<span class="ph">–</span>') + '</td><td><button class="b sm" data-act="remind">Send reminder</button></td></tr>'; }).join('') + '</tbody></table>';
    },
    'audit': function () {
      return '<div class="crumb">Console / Security</div><h1>Audit log</h1><form id="af" class="tools"><input id="aq" type="text" placeholder="Entry no. or text"><button class="b">Find</button></form><div id="atbl"></div>';
    },
    'settings': function () {
      return '<h1>Settings</h1><div class="tabs"><a class="on">General</a><a>Security</a><a>Webhooks</a></div><p><label>Workspace name <input value="Fjordline AS"></label></p><p><label><input type="checkbox" checked> Require two-factor sign-in for admins</label></p><button class="b pri" data-act="saveset">Save changes</button>';
    }
  };
  function go(name, push) {
    if (!routes[name]) name = 'dashboard';
    if (push) history.pushState({ name: name }, '', BASE + name);
    closeMenu(); $('.modalbg').remove();
    $('#page').attr('data-page', name).html(routes[name]());
    $('#nav a').removeClass('cur').filter('[href="' + name + '"]').addClass('cur');
    document.title = $('#page h1').text() + ' – Northgate Console';
    if (name === 'members') { S.sel = {}; $('#fr').val(S.role); $('#fs').val(S.state); load(500); }
    if (name === 'audit') auditTable('', 300);
  }
  $(document).on('click', 'a[data-route]', function (e) { e.preventDefault(); go($(this).attr('href'), true); });
  $(document).on('click', 'a[href="#"]', function (e) { e.preventDefault(); });
  window.addEventListener('popstate', function (e) { go((e.state || {}).name || 'dashboard'); });

  /* ---------- members ---------- */
  function match() {
    var q = S.q.toLowerCase();
    return MEMBERS.filter(function (m) {
      return (!q || (m.name + ' ' + m.mail + ' ' + m.team).toLowerCase().indexOf(q) > -1) && (!S.role || m.role === S.role) && (!S.state || m.state === S.state);
    }).sort(function (a, b) { return (a[S.sort] > b[S.sort] ? 1 : a[S.sort] < b[S.sort] ? -1 : 0) * S.dir; });
  }
  function load(ms) {
    var my = ++S.req;
    $('#tbl').addClass('busy').find('.cnt').text('Loading members…');
    if (!$('#tbl').children().length) $('#tbl').html('<div class="sk"></div><div class="sk"></div><div class="sk"></div><p class="cnt">Loading members…</p>');
    fetch('/echo?delay=' + ms, { method: 'POST', body: S.q }).then(function () { if (my === S.req) draw(); });
  }
  function draw() {
    if (!$('#tbl').length) return;
    var list = match(), from = S.pg * S.per, rows = list.slice(from, from + S.per);
    var h = '<table class="t"><thead><tr><th><input type="checkbox" class="all" title="Select all on this page"></th>';
    [['name', 'Name'], ['role', 'Role'], ['state', 'Status'], ['team', 'Team'], ['ord', 'Last activity']].forEach(function (c) { h += '<th class="so" data-k="' + c[0] + '">' + c[1] + (S.sort === c[0] ? (S.dir > 0 ? ' ▴' : ' ▾') : '') + '</th>'; });
    h += '<th></th></tr></thead><tbody>';
    rows.forEach(function (m) {
      h += '<tr data-id="' + m.id + '"' + (S.sel[m.id] ? ' class="sel"' : '') + '><td><input type="checkbox" class="ck"' + (S.sel[m.id] ? ' checked' : '') + '></td><td><span class="av">' + m.name.charAt(0) + '</span><b>' + m.name + '</b><small>' + m.mail + '</small></td><td>' + m.role + '</td><td><span class="st ' + m.state + '">' + m.state + '</span></td><td>' + m.team + '</td><td>' + m.seen + '</td><td><button class="dots" aria-label="More actions">⋯</button></td></tr>';
    });
    if (!rows.length) h += '<tr><td colspan="7" class="none">Nobody matches these filters.</td></tr>';
    h += '</tbody></table><div class="pager"><span class="cnt">' + (S.q || S.role || S.state ? list.length + ' of ' + MEMBERS.length + ' members' : MEMBERS.length + ' members') + '</span><span class="sp"></span><button class="b sm" data-pg="-1"' + (S.pg ? '' : ' disabled') + '>‹ Prev</button> Page ' + (S.pg + 1) + ' of ' + Math.max(1, Math.ceil(list.length / S.per)) + ' <button class="b sm" data-pg="1"' + (from + S.per < list.length ? '' : ' disabled') + '>Next ›</button></div>';
    $('#tbl').removeClass('busy').html(h);
    var n = Object.keys(S.sel).length;
    $('#bulk').toggle(n > 0).html('<b>' + n + ' selected</b> <button class="b sm" data-bulk="Suspended">Suspend</button> <button class="b sm" data-bulk="Active">Reactivate</button> <button class="b sm" data-act="export">Export</button> <a href="#" class="nosel">Clear selection</a>');
  }
  var deb;
  $(document).on('input', '#q', function () { S.q = $.trim ? $.trim(this.value) : this.value.trim(); clearTimeout(deb); deb = setTimeout(function () { S.pg = 0; load(600); }, 300); });
  $(document).on('click', '#clr', function () { S.q = ''; $('#q').val(''); S.pg = 0; load(600); });
  $(document).on('change', '#fr,#fs', function () { S.role = $('#fr').val(); S.state = $('#fs').val(); S.pg = 0; load(450); });
  $(document).on('click', 'th.so', function () { var k = $(this).data('k'); if (S.sort === k) S.dir = -S.dir; else { S.sort = k; S.dir = 1; } draw(); });
  $(document).on('click', '[data-pg]', function () { S.pg += +$(this).data('pg'); load(400); });
  $(document).on('change', '.ck', function () { var id = $(this).closest('tr').data('id'); if (this.checked) S.sel[id] = 1; else delete S.sel[id]; draw(); });
  $(document).on('change', '.all', function () { var on = this.checked; $('#tbl tbody tr[data-id]').each(function () { if (on) S.sel[$(this).data('id')] = 1; else delete S.sel[$(this).data('id')]; }); draw(); });
  $(document).on('click', '.nosel', function () { S.sel = {}; draw(); });

  /* row menu: one menu for the page, filled on demand */
  function closeMenu() { $('#rowmenu').remove(); $('.dots.open').removeClass('open'); }
  $(document).on('click', '.dots', function (e) {
    e.stopPropagation(); var was = $(this).hasClass('open'); closeMenu(); if (was) return;
    var r = this.getBoundingClientRect(), m = byId($(this).closest('tr').data('id'));
    $(this).addClass('open');
    var $m = $('<div id="rowmenu"><div class="mi" data-do="view">View profile</div><div class="mi sub">Change role <span>▸</span><div class="subm"></div></div><div class="mi" data-do="reset">Reset password</div><div class="mi" data-do="susp">' + (m.state === 'Suspended' ? 'Reactivate' : 'Suspend') + '</div><hr><div class="mi red" data-do="del">Remove from workspace</div></div>').data('m', m);
    ['Admin', 'Editor', 'Viewer'].forEach(function (x) { $m.find('.subm').append('<div class="mi" data-role="' + x + '">' + (m.role === x ? '✓ ' : '') + x + '</div>'); });
    $m.css({ left: r.right - 190 + scrollX, top: r.bottom + 4 + scrollY }).appendTo('body');
  });
  $(document).on('click', function (e) { if (!$(e.target).closest('#rowmenu').length) closeMenu(); });
  $(document).on('click', '#rowmenu [data-role]', function () {
    var m = $('#rowmenu').data('m'), role = $(this).data('role'); closeMenu();
    m.role = role; m.ord = ++top_; m.seen = '30 Apr 09:14'; draw();          // shown at once, stored after
    post({ id: m.id, role: role }).then(function () { ops.push('role ' + m.id + ' ' + role); toast('<b>' + m.name + '</b> is now ' + role + '. Audit no. ' + log('Role of ' + m.mail + ' set to ' + role)); });
  });
  $(document).on('click', '#rowmenu [data-do]', function () {
    var m = $('#rowmenu').data('m'), what = $(this).data('do'); closeMenu();
    if (what === 'view') return toast('Profile of ' + m.name + ' opens in the directory');
    if (what === 'reset') { ops.push('reset ' + m.id); return toast('Password mail sent to ' + m.mail); }
    if (what === 'del') return modal('Remove ' + m.name + '?', 'All their drafts are lost.', 'Remove member', function () { MEMBERS.splice(MEMBERS.indexOf(m), 1); ops.push('del ' + m.id); load(300); toast(m.name + ' was removed'); });
    setState([m.id], m.state === 'Suspended' ? 'Active' : 'Suspended');
  });
  var top_ = 200;
  function byId(id) { return MEMBERS.filter(function (m) { return m.id === +id; })[0]; }
  function setState(ids, st) {
    var done = function () {
      return post({ ids: ids, state: st }).then(function () {
        ids.forEach(function (id) { var m = byId(id); m.state = st; m.ord = ++top_; m.seen = '30 Apr 09:14'; });
        ops.push(st + ' ' + ids.slice().sort().join()); S.sel = {}; draw();
        toast(ids.length + ' member' + (ids.length > 1 ? 's' : '') + (st === 'Suspended' ? ' suspended' : ' reactivated') + '. Audit no. ' + log(st + ': ' + ids.map(function (i) { return byId(i).mail; }).join(', ')));
      });
    };
    if (st !== 'Suspended') return done();
    modal('Suspend ' + ids.length + ' member' + (ids.length > 1 ? 's' : '') + '?', 'They are signed out at once and cannot sign in again: ' + ids.map(function (i) { return byId(i).mail; }).join(', ') + '.', 'Yes, suspend', done);
  }
  $(document).on('click', '[data-bulk]', function () { setState(Object.keys(S.sel).map(Number), $(this).data('bulk')); });

  /* ---------- modal, other buttons ---------- */
  function modal(title, text, ok, fn) {
    $('<div class="modalbg"><div class="modal"><h2>' + title + '</h2><p>' + text + '</p><div class="ac"><button class="b" data-m="0">Cancel</button> <button class="b danger" data-m="1">' + ok + '</button></div></div></div>').data('fn', fn).appendTo('body');
  }
  $(document).on('click', '.modal [data-m]', function () {
    var $bg = $(this).closest('.modalbg'), yes = +$(this).data('m');
    if (!yes) return $bg.remove();
    $(this).prop('disabled', true).text('Working…'); Promise.resolve($bg.data('fn')()).then(function () { $bg.remove(); });
  });
  $(document).on('click', '#toasts .x', function () { $(this).parent().remove(); });
  $(document).on('click', '#hideNotice', function () { $('#notice').slideUp ? $('#notice').slideUp(150) : $('#notice').remove(); });
  $(document).on('click', '[data-act]', function () {
    var a = $(this).data('act');
    if (a === 'export') { ops.push('export'); toast('The export is on its way to your inbox'); }
    if (a === 'invite') modal('Invite a member', '<label>E-mail <input type="email" class="inv"></label>', 'Send invitation', function () { ops.push('invite'); toast('Invitation sent'); });
    if (a === 'remind') { var no = $(this).closest('tr').data('no'); ops.push('remind ' + no); $(this).prop('disabled', true).text('Sent'); toast('Reminder for ' + no + ' sent'); }
    if (a === 'saveset') { ops.push('settings'); toast('Settings saved', 'ok'); }
  });
  $(document).on('click', '.tabs a', function () { $(this).addClass('on').siblings().removeClass('on'); });

  /* ---------- invoices: edit in place ---------- */
  $(document).on('dblclick', 'td.note', function () {
    if ($(this).find('input').length) return; var no = $(this).closest('tr').data('no'), v = INVOICES.filter(function (x) { return x.no === no; })[0];
    $(this).html('<input class="ined">').find('input').val(v.note).trigger('focus').trigger('select');
  });
  $(document).on('keydown focusout', '.ined', function (e) {
    if ($(this).data('done')) return;
    if (e.type === 'keydown' && e.key !== 'Enter' && e.key !== 'Escape') return;
    var no = $(this).closest('tr').data('no'), v = INVOICES.filter(function (x) { return x.no === no; })[0];
    if (e.key === 'Enter') { v.note = this.value; ops.push('note ' + no); toast('Note saved'); }
    $(this).data('done', 1); go('invoices');
  });

  /* ---------- audit ---------- */
  function auditTable(q, ms) {
    $('#atbl').html('<p class="hint">Searching the log…</p>'); S.aq = q; S.ares = null;
    fetch('/echo?delay=' + ms, { method: 'POST', body: q }).then(function () {
      var r = AUDIT.filter(function (a) { return !q || (a.no + ' ' + a.what + ' ' + a.who).toLowerCase().indexOf(q.toLowerCase()) > -1; }); S.ares = r.length;
      $('#atbl').html('<p class="hint">' + r.length + (r.length === 1 ? ' entry' : ' entries') + '</p><table class="t"><thead><tr><th>Entry</th><th>When</th><th>Who</th><th>What</th></tr></thead><tbody>' + r.map(function (a) { return '<tr><td>' + a.no + '</td><td>' + a.at + '</td><td>' + a.who + '</td><td>' + a.what + '</td></tr>'; }).join('') + '</tbody></table>');
    });
  }
  var adeb;
  $(document).on('input', '#aq', function () { var v = this.value.trim(); clearTimeout(adeb); adeb = setTimeout(function () { auditTable(v, 350); }, 250); });
  $(document).on('submit', '#af', function (e) { e.preventDefault(); clearTimeout(adeb); auditTable($('#aq').val().trim(), 350); });

  document.getElementById('statusFrame').src = OTHER + BASE + 'status.html?delay=300';
  history.replaceState({ name: 'dashboard' }, '', BASE + 'dashboard');
  go('dashboard');
})();
