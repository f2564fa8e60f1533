// fixture export 2026-04-30
var MEMBERS = (function () {
  var raw = [
    ['Marek Dvořák','m.dvorak@kolar.example','Viewer','Active','Support','29 Apr 16:40'],
    ['Ida Halvorsen','ida.halvorsen@fjordline.example','Editor','Trial','Sales','29 Apr 16:02'],
    ['Chiamaka Obi','chiamaka@fjordline.example','Admin','Active','IT','29 Apr 15:51'],
    ['Marek Dvořák','marek.dvorak@fjordline.example','Viewer','Active','Finance','29 Apr 15:20'],
    ['Tuomas Leino','tuomas.leino@fjordline.example','Viewer','Active','Ops','29 Apr 14:07'],
    ['Grace Whitcombe','g.whitcombe@fjordline.example','Editor','Invited','Sales','29 Apr 11:33'],
    ['Bastien Roy','bastien@fjordline.example','Editor','Active','Marketing','29 Apr 10:15'],
    ['Ida Halvorsen-Berg','ida.berg@fjordline.example','Viewer','Active','Finance','29 Apr 09:58'],
    ['Siv Moe','siv.moe@fjordline.example','Viewer','Active','Ops','28 Apr 17:21'],
    ['Kemal Aydın','kemal@fjordline.example','Owner','Active','Board','28 Apr 16:44'],
    ['Jon Halvorsen','jon.halvorsen@fjordline.example','Viewer','Trial','Ops','28 Apr 12:09'],
    ['Wren Castellanos','wren@fjordline.example','Editor','Active','Design','28 Apr 11:51'],
    ['Oskar Lindqvist','oskar.l@fjordline.example','Viewer','Suspended','Ops','27 Apr 18:30'],
    ['Jonas Halvorsen','jonas.halvorsen@fjordline.example','Viewer','Active','IT','27 Apr 09:12'],
    ['Noor van Dijk','noor@fjordline.example','Editor','Active','Legal','26 Apr 13:37'],
    ['Péter Szabó','peter.szabo@fjordline.example','Viewer','Invited','Support','25 Apr 10:00'],
    ['Leilani Kahale','leilani@fjordline.example','Viewer','Active','Sales','24 Apr 08:45'],
    ['Anders Brekke','anders.brekke@fjordline.example','Viewer','Active','Ops','23 Apr 15:15'],
    ['Rosa Quintero','rosa.q@fjordline.example','Editor','Suspended','Marketing','22 Apr 12:21'],
    ['Dag Ulriksen','dag@fjordline.example','Viewer','Active','Ops','20 Apr 10:10'],
    ['Faiza Rahman','faiza@fjordline.example','Admin','Active','IT','19 Apr 14:48']
  ];
  return raw.map(function (r, i) { return { id: 1001 + i, name: r[0], mail: r[1], role: r[2], state: r[3], team: r[4], seen: r[5], ord: 100 - i }; });
})();
var INVOICES = [
  { no: 'INV-2041', who: 'Fjordline AS', due: '12 May 2026', sum: 4180.00, note: '' },
  { no: 'INV-2040', who: 'Kolar s.r.o.', due: '12 May 2026', sum: 318.50, note: '' },
  { no: 'INV-2033', who: 'Fjordline AS', due: '12 Apr 2026', sum: 4180.00, note: 'reminder sent' },
  { no: 'INV-2027', who: 'Orbit Shipping', due: '02 Apr 2026', sum: 96.00, note: '' }
];
var AUDIT = [
  { no: 'AU-88127', who: 'chiamaka@fjordline.example', what: 'Rotated API key “warehouse”', at: '29 Apr 15:51' },
  { no: 'AU-88126', who: 'system', what: 'Invoice INV-2041 issued', at: '29 Apr 06:00' },
  { no: 'AU-88119', who: 'kemal@fjordline.example', what: 'Changed plan to Business (25 seats)', at: '28 Apr 16:44' },
  { no: 'AU-88102', who: 'faiza@fjordline.example', what: 'Suspended rosa.q@fjordline.example', at: '22 Apr 12:30' }
];
