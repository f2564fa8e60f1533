const { html, render, useState, useEffect, useRef } = htmPreact;

const HOMES = [
  { id: 'q14', title: 'Flat 3, 14 Quay Street', beds: 2, floor: 'First floor, lift', rent: '£798.00' },
  { id: 'q41b', title: 'Flat 8, 41 Quay Street', beds: 2, floor: 'Third floor, no lift', rent: '£836.00' },
  { id: 'tan', title: '7 Tannery Row', beds: 3, floor: 'House with yard', rent: '£1,045.00' },
  { id: 'q41', title: 'Flat 3, 41 Quay Street', beds: 2, floor: 'First floor, no lift', rent: '£812.00' },
  { id: 'mill', title: 'Studio 22, Old Mill', beds: 1, floor: 'Ground floor', rent: '£690.00' },
];
const STEPS = [['home', 'Choose a home'], ['you', 'About you'], ['household', 'Your household'], ['review', 'Check and submit']];
const money = p => '£' + (p / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 });

const blank = {
  home: null, fullName: 'Maria Okafor', email: 'maria.okafor@example.org', phone: '07700 900 316', dob: '1987-03-14',
  rentedBefore: '', tenancy: '', stepFree: 'no', stepFreeNote: '', joint: 'no', jointName: '', job: 'Employed', employer: 'Northmoor General Hospital',
  people: [], pets: false, petKind: '', file: null, agree: false,
};

function Field({ label, hint, error, children, id }) {
  return html`<div class=${'group' + (error ? ' bad' : '')}>
    <label for=${id}>${label}</label>
    ${hint && html`<div class="hint">${hint}</div>`}
    ${error && html`<p class="err"><span class="vh">Error:</span> ${error}</p>`}
    ${children}
  </div>`;
}

function YesNo({ legend, name, value, onChange, error, children }) {
  return html`<fieldset class=${error ? 'bad' : ''}>
    <legend>${legend}</legend>
    ${error && html`<p class="err">${error}</p>`}
    <div class="inline">
      ${['yes', 'no'].map(v => html`<label class="radio"><input type="radio" name=${name} checked=${value === v} onChange=${() => onChange(v)} /><span>${v === 'yes' ? 'Yes' : 'No'}</span></label>`)}
    </div>
    ${value === 'yes' && children && html`<div class="cond">${children}</div>`}
  </fieldset>`;
}

function HomeStep({ form, choose }) {
  const [all, setAll] = useState(null), [beds, setBeds] = useState('any');
  useEffect(() => { const t = setTimeout(() => setAll(HOMES), 450); return () => clearTimeout(t); }, []);
  if (!all) return html`<div class="skel"><i></i><i></i><i></i><span>Loading homes…</span></div>`;
  // the one chosen before goes first
  const list = all.filter(h => beds === 'any' || h.beds == beds).sort((a, b) => (b.id === form.home) - (a.id === form.home));
  return html`
    <h1>Choose a home</h1>
    <p>These homes match your profile. You can apply for one home at a time.</p>
    <div class="bar"><label>Bedrooms <select value=${beds} onChange=${e => setBeds(e.target.value)}><option value="any">Any</option><option>1</option><option>2</option><option>3</option></select></label> <span class="muted">${list.length} homes</span></div>
    <ul class="homes">
      ${list.map(h => html`<li class="home">
        <div class="pic" aria-hidden="true">${'▦'.repeat(h.beds)}</div>
        <div class="grow"><h3>${h.title}</h3><p>${h.beds} bedroom${h.beds > 1 ? 's' : ''} · ${h.floor}</p><p><b>${h.rent}</b> a month</p></div>
        <div class="acts"><button type="button" class="btn" onClick=${() => choose(h.id)}>${h.id === form.home ? 'Keep' : 'Choose'}</button><a href="#more">Details</a></div>
      </li>`)}
    </ul>`;
}

function YouStep({ form, set, errors }) {
  const inp = (k, type = 'text') => html`<input id=${'f-' + k} type=${type} value=${form[k]} onInput=${e => set({ [k]: e.target.value })} />`;
  return html`
    <h1>About you</h1>
    <p class="note">We filled in what we know from your account. Check that it is still right.</p>
    <${Field} label="Full name" id="f-fullName" error=${errors.fullName}>${inp('fullName')}<//>
    <${Field} label="E-mail address" id="f-email" error=${errors.email}>${inp('email', 'email')}<//>
    <${Field} label="Telephone" id="f-phone" hint="We only call about this application" error=${errors.phone}>${inp('phone', 'tel')}<//>
    <${YesNo} legend="Have you rented from us before?" name="rb" value=${form.rentedBefore} error=${errors.rentedBefore} onChange=${v => set({ rentedBefore: v })}>
      <${Field} label="Previous tenancy number" id="f-tenancy" hint="It is on your old rent statements, for example NM-118240" error=${errors.tenancy}>${inp('tenancy')}<//>
    <//>
    <${YesNo} legend="Do you need step-free access?" name="sf" value=${form.stepFree} onChange=${v => set({ stepFree: v })}>
      <${Field} label="Tell us what you need" id="f-stepFreeNote">${inp('stepFreeNote')}<//>
    <//>
    <${YesNo} legend="Are you applying together with someone else?" name="jt" value=${form.joint} onChange=${v => set({ joint: v })}>
      <${Field} label="Name of the other applicant" id="f-jointName" error=${errors.jointName}>${inp('jointName')}<//>
    <//>
    <${Field} label="Work situation" id="f-job"><select id="f-job" value=${form.job} onChange=${e => set({ job: e.target.value })}>
      ${['Employed', 'Self-employed', 'Student', 'Retired', 'Not working'].map(o => html`<option>${o}</option>`)}</select><//>
    ${form.job === 'Employed' && html`<${Field} label="Employer" id="f-employer">${inp('employer')}<//>`}
    ${form.job === 'Self-employed' && html`<${Field} label="Trading name" id="f-employer">${inp('employer')}<//>`}`;
}

function HouseholdStep({ form, set, errors, ready }) {
  const name = useRef(), rel = useRef(), age = useRef();
  if (!ready) return html`<h1>Your household</h1><div class="skel"><i></i><i></i><span>Fetching the people on your account…</span></div>`;
  const remove = id => set({ people: form.people.filter(p => p.id !== id) });
  const add = () => {
    if (!name.current.value) return;
    set({ people: [...form.people, { id: 100 + form.people.length, name: name.current.value, rel: rel.current.value, age: +age.current.value || 0 }] });
    name.current.value = age.current.value = '';
  };
  return html`
    <h1>Your household</h1>
    <p>Who is going to live with you? Remove anyone who is not moving.</p>
    ${errors.people && html`<p class="err">${errors.people}</p>`}
    <table class="people"><thead><tr><th>Name</th><th>Relation to you</th><th>Age</th><th></th></tr></thead>
      <tbody key=${form.people.map(p => p.id).join()}>
        ${[...form.people].sort((a, b) => form.people.length % 2 ? a.age - b.age : b.age - a.age).map(p => html`<tr><td>${p.name}</td><td>${p.rel}</td><td>${p.age}</td><td><button type="button" class="lnk" onClick=${() => remove(p.id)}>Remove</button></td></tr>`)}
      </tbody></table>
    <details><summary>Add another person</summary>
      <div class="addrow"><input ref=${name} placeholder="Full name" /><select ref=${rel} aria-label="Relation"><option>Partner</option><option>Child</option><option>Parent</option><option>Other</option></select><input ref=${age} placeholder="Age" size="3" /><button type="button" class="btn sec" onClick=${add}>Add</button></div>
    </details>
    <label class="tick"><input type="checkbox" checked=${form.pets} onChange=${e => set({ pets: e.target.checked })} /> <span>We are bringing a pet</span></label>
    ${form.pets && html`<${Field} label="Kind of pet" id="f-pet" error=${errors.petKind}><select id="f-pet" value=${form.petKind} onChange=${e => set({ petKind: e.target.value })}><option value="">Select…</option><option>Cat</option><option>Dog</option><option>Small animal</option></select><//>`}
    <${Field} label="Proof of income (optional)" id="f-file" hint="PDF or photo, at most 5 MB. You can send it later."><input id="f-file" type="file" onChange=${e => set({ file: e.target.files[0] ? e.target.files[0].name : null })} /><//>`;
}

function Review({ form, go, set, errors }) {
  const home = HOMES.find(h => h.id === form.home);
  const box = (title, i, rows) => html`<section class="sum"><header><h2>${title}</h2><button type="button" class="lnk" onClick=${() => go(i)}>Change</button></header>
    <dl>${rows.map(([k, v]) => html`<div><dt>${k}</dt><dd>${v}</dd></div>`)}</dl></section>`;
  return html`<h1>Check your answers</h1>
    ${box('Home', 0, [['Address', home.title], ['Rent', home.rent + ' a month']])}
    ${box('About you', 1, [['Name', form.fullName], ['E-mail', form.email], ['Earlier tenancy', form.rentedBefore === 'yes' ? form.tenancy : 'None'], ['Work', form.job]])}
    ${box('Household', 2, [['People', form.people.map(p => p.name).join(', ') || 'Only you'], ['Pets', form.pets ? form.petKind : 'No'], ['Proof of income', form.file || 'Not sent yet']])}
    <label class="tick"><input type="checkbox" checked=${form.agree} onChange=${e => set({ agree: e.target.checked })} /> <span>I confirm that these answers are correct and complete</span></label>
    <label class="tick"><input type="checkbox" checked=${form.news} onChange=${e => set({ news: e.target.checked })} /> <span>Send me news about new homes (optional)</span></label>
    ${errors.agree && html`<p class="err">${errors.agree}</p>`}`;
}

function Done({ ref_, email }) {
  const [q, setQ] = useState(''), [res, setRes] = useState(null), [busy, setBusy] = useState(false);
  const look = async e => {
    e.preventDefault(); setBusy(true); setRes(null);
    const r = await server.track(q); setBusy(false); setRes(r);
  };
  return html`<div class="panel"><h1>Application received</h1><p>Your reference is ${ref_}</p></div>
    <p>We have sent a confirmation to ${email}. A housing officer reads your application within 5 working days.</p>
    <h2>Follow your application</h2>
    <form class="track" onSubmit=${look}><input value=${q} onInput=${e => setQ(e.target.value)} placeholder="Application reference" /><button class="btn sec" disabled=${busy}>${busy ? 'Looking…' : 'Show status'}</button></form>
    ${res && (res.ok ? html`<p class="ok">${res.data.ref}: received, waiting for a housing officer</p>` : html`<p class="err">We do not know this reference.</p>`)}`;
}

function App() {
  const [form, setForm] = useState(blank), [step, setStep] = useState(0), [errors, setErrors] = useState({});
  const [busy, setBusy] = useState(false), [quote, setQuote] = useState(null), [ready, setReady] = useState(false), [done, setDone] = useState(null);
  app.form = form;
  const set = patch => setForm(f => ({ ...f, ...patch }));
  const go = i => { setErrors({}); setStep(i); history.pushState({ i }, '', '#step-' + (i + 1)); scrollTo(0, 0); };
  useEffect(() => { const back = e => { setErrors({}); setStep(e.state ? e.state.i : 0); }; addEventListener('popstate', back); return () => removeEventListener('popstate', back); }, []);
  useEffect(() => {
    if (!form.home) return;
    let live = true; setQuote(null);
    server.quote(form.home).then(q => live && setQuote(q));
    return () => { live = false; };
  }, [form.home]);
  useEffect(() => { if (step === 2 && !ready) server.household().then(people => { set({ people }); setReady(true); }); }, [step]);
  const choose = id => { set({ home: id }); go(1); };
  const next = async () => {
    const name = STEPS[step][0];
    if (name === 'review') {
      if (!form.agree) return setErrors({ agree: 'Tick the box to confirm your answers' });
      setBusy(true);
      const r = await server.submit(form);
      setBusy(false); setDone(r.data.ref); scrollTo(0, 0);
      return;
    }
    setBusy(true);
    const r = await server.validate(name, form);
    setBusy(false);
    if (!r.ok) { setErrors(r.data.errors); scrollTo(0, 0); return; }
    go(step + 1);
  };
  if (done) return html`<${Done} ref_=${done} email=${form.email} />`;
  const home = HOMES.find(h => h.id === form.home), list = Object.values(errors);
  return html`
    <ol class="steps">${STEPS.map(([k, t], i) => html`<li class=${i === step ? 'on' : i < step ? 'past' : ''}><span>${i < step ? '✓' : i + 1}</span>${t}</li>`)}</ol>
    <div class="two"><div class="main">
      ${list.length > 0 && html`<div class="errsum" role="alert"><h2>There is a problem</h2><ul>${list.map(m => html`<li><a href="javascript:void 0">${m}</a></li>`)}</ul></div>`}
      ${step === 0 && html`<${HomeStep} form=${form} choose=${choose} />`}
      ${step === 1 && html`<${YouStep} form=${form} set=${set} errors=${errors} />`}
      ${step === 2 && html`<${HouseholdStep} form=${form} set=${set} errors=${errors} ready=${ready} />`}
      ${step === 3 && html`<${Review} form=${form} set=${set} go=${go} errors=${errors} />`}
      ${step > 0 && html`<div class="nav"><button type="button" class="btn" disabled=${busy || (step === 2 && !ready)} onClick=${next}>${busy ? 'Checking…' : step === 3 ? 'Submit application' : 'Save and continue'}</button>
        <button type="button" class="lnk" onClick=${() => go(step - 1)}>Back</button></div>`}
    </div>
    <aside>
      <h3>Your application</h3>
      ${home ? html`<p><b>${home.title}</b></p>${quote ? html`<table class="quote"><tr><td>First month</td><td>${money(quote.rent)}</td></tr><tr><td>Deposit</td><td>${money(quote.deposit)}</td></tr><tr><td>Key fee</td><td>${money(quote.fee)}</td></tr><tr class="tot"><td>Due on moving in</td><td>${money(quote.rent + quote.deposit + quote.fee)}</td></tr></table>` : html`<p class="muted">Working out the costs…</p>`}` : html`<p class="muted">No home chosen yet</p>`}
      <h3>Need help?</h3><p>Call 0300 555 0148 or <a href="#chat">chat with us</a>.</p>
    </aside></div>`;
}
window.app = {};
render(html`<${App} />`, document.getElementById('main'));
