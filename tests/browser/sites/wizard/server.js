// Stand-in for the back office: works out the answer, then sends it over the wire so that timing and status are real.
(function () {
  const OLD_TENANCIES = ['NM-207185', 'NM-118240', 'NM-340092'];
  const QUOTES = {
    'q14': { rent: 79800, deposit: 79800, fee: 5500 },
    'q41': { rent: 81200, deposit: 81200, fee: 5500 },
    'tan': { rent: 104500, deposit: 104500, fee: 5500 },
    'q41b': { rent: 83600, deposit: 83600, fee: 5500 },
    'mill': { rent: 69000, deposit: 69000, fee: 0 },
  };
  const log = [], tracked = [];
  function send(body, delay, status) {
    return fetch('/echo?delay=' + delay + '&status=' + status, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    }).then(async r => ({ ok: r.ok, status: r.status, data: await r.json() }));
  }
  const rules = {
    you(f) {
      const e = {};
      if (!f.fullName.trim()) e.fullName = 'Enter your full name';
      if (!/^\S+@\S+\.\S+$/.test(f.email)) e.email = 'Enter an e-mail address like name@example.com';
      if (f.phone.replace(/\D/g, '').length < 10) e.phone = 'Enter a UK telephone number';
      if (!f.rentedBefore) e.rentedBefore = 'Select yes or no';
      if (f.rentedBefore === 'yes') {
        const t = (f.tenancy || '').trim().toUpperCase();
        if (!t) e.tenancy = 'Enter your previous tenancy number';
        else if (!/^NM-\d{6}$/.test(t)) e.tenancy = 'A tenancy number is NM- followed by 6 digits, you entered ' + t.replace(/\D/g, '').length;
        else if (!OLD_TENANCIES.includes(t)) e.tenancy = 'We have no record of tenancy ' + t;
      }
      if (f.joint === 'yes' && !f.jointName) e.jointName = 'Enter the name of the other applicant';
      return e;
    },
    household(f) {
      const e = {};
      if (f.people.length > 3) e.people = 'This home is for at most 3 people besides you. You have listed ' + f.people.length + '.';
      if (f.pets && !f.petKind) e.petKind = 'Select the kind of pet';
      return e;
    },
  };
  window.server = {
    log,
    tracked,
    quote: id => send(QUOTES[id], 700, 200).then(r => r.data),
    validate(step, form) {
      const errors = rules[step](form), bad = Object.keys(errors).length;
      return send({ step, errors }, 650, bad ? 422 : 200);
    },
    household: () => send([
      { id: 31, name: 'Tomas Okafor', rel: 'Partner', age: 38 },
      { id: 32, name: 'Tomasz Okafor-Lis', rel: 'Son', age: 19 },
      { id: 33, name: 'Thomas Okafor', rel: 'Father', age: 71 },
      { id: 34, name: 'Ada Okafor', rel: 'Daughter', age: 6 },
    ], 500, 200).then(r => r.data),
    submit(form) {
      const sum = [...(form.home + form.email + form.people.map(p => p.id))].reduce((a, c) => (a * 31 + c.charCodeAt(0)) % 99991, 7);
      const ref = 'NH' + (log.length + 1) + '-' + String(sum).padStart(5, '0') + '-K';
      log.push({ ref, form: JSON.parse(JSON.stringify(form)) });
      return send({ ref, status: 'Received' }, 900, 201);
    },
    track(ref) {
      const hit = log.find(x => x.ref === ref.trim());
      if (hit) tracked.push(hit.ref);
      return send(hit ? { found: true, ref: hit.ref } : { found: false }, 400, hit ? 200 : 404);
    },
  };
})();
