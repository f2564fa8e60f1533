/* tiny formula engine: + - * / ( ) numbers, refs, SUM / AVG / MAX / MIN over ranges */
var Engine = (function () {
  function colName(i) { return String.fromCharCode(65 + i); }
  function toNumber(s) {
    if (typeof s === 'number') return s;
    var t = String(s).trim().replace(/^£/, '').replace(/,(?=\d{3}\b)/g, '');
    return t !== '' && !isNaN(t) ? Number(t) : null;
  }
  function evaluate(rows, r, c, seen) {
    var raw = rows[r] && rows[r][c];
    if (raw === undefined || raw === '') return '';
    if (raw[0] !== '=') { var n = toNumber(raw); return n === null ? raw : n; }
    var id = r + ':' + c;
    if (seen[id]) return '#LOOP';
    seen[id] = 1;
    var v;
    try { v = parse(raw.slice(1), rows, seen); } catch (e) { v = '#ERR'; }
    delete seen[id];
    return v;
  }
  function cellsOf(range, rows, seen) {
    var m = /^([A-Z])(\d+):([A-Z])(\d+)$/.exec(range), out = [];
    for (var r = m[2] - 1; r <= m[4] - 1; r++) for (var c = m[1].charCodeAt(0) - 65; c <= m[3].charCodeAt(0) - 65; c++) { var v = evaluate(rows, r, c, seen); if (typeof v === 'number') out.push(v); }
    return out;
  }
  function parse(src, rows, seen) {
    var tk = src.toUpperCase().match(/[A-Z]+\d+:[A-Z]+\d+|[A-Z]+\d+|[A-Z]+|\d+\.?\d*|[-+*\/()]/g) || [], p = 0;
    function atom() {
      var t = tk[p++];
      if (t === '-') return -atom();
      if (t === '(') { var v = sum(); p++; return v; }
      if (/^\d/.test(t)) return +t;
      if (/^(SUM|AVG|MAX|MIN)$/.test(t)) {
        p++; var l = cellsOf(tk[p++], rows, seen); p++;
        if (t === 'MAX') return Math.max.apply(0, l); if (t === 'MIN') return Math.min.apply(0, l);
        var s = l.reduce(function (a, b) { return a + b; }, 0); return t === 'SUM' ? s : s / (l.length || 1);
      }
      var m = /^([A-Z])(\d+)$/.exec(t); if (!m) throw 0;
      var x = evaluate(rows, m[2] - 1, m[1].charCodeAt(0) - 65, seen);
      if (x === '') return 0; if (typeof x !== 'number') return 0; return x;
    }
    function prod() { var v = atom(); while (tk[p] === '*' || tk[p] === '/') v = tk[p++] === '*' ? v * atom() : v / atom(); return v; }
    function sum() { var v = prod(); while (tk[p] === '+' || tk[p] === '-') v = tk[p++] === '+' ? v + prod() : v - prod(); return v; }
    return sum();
  }
  // references move when a row is inserted (by = 1) or deleted (by = -1) at index at
  function shift(rows, at, by) {
    rows.forEach(function (row) {
      for (var c = 0; c < row.length; c++) if (row[c][0] === '=') row[c] = row[c].replace(/(:?)([A-Z])(\d+)/g, function (m, colon, col, n) {
        n = +n; var i = n - 1;
        if (by < 0) { if (i > at || (i === at && colon)) n--; } else if (i >= at) n++;
        return colon + col + n;
      });
    });
  }
  return { value: function (rows, r, c) { return evaluate(rows, r, c, {}); }, toNumber: toNumber, colName: colName, shift: shift };
})();
