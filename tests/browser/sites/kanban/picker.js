// <person-picker> from our design system (shadow root, own drop-down)
customElements.define('person-picker', class extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: 'open' }); this._open = false; this.people = []; this.value = null;
    this.shadowRoot.addEventListener('click', e => {
      const o = e.target.closest('[data-v]'); if (o) { this.value = o.dataset.v || null; this._open = false; this.draw(); this.dispatchEvent(new CustomEvent('change', { bubbles: true, composed: true })); return; }
      if (e.target.closest('.btn')) { this._open = !this._open; this.draw(); }
    }); }
  connectedCallback() { this.draw(); }
  draw() {
    const p = this.people.find(x => x.id === this.value), label = this.getAttribute('label') || '';
    this.shadowRoot.innerHTML = `<style>:host{display:block;position:relative}.btn{font:inherit;width:100%;text-align:left;padding:7px 10px;border:1px solid #b8c4d2;border-radius:4px;background:#fff;cursor:pointer}.l{font-weight:600;font-size:13px;margin-bottom:3px}ul{position:absolute;left:0;right:0;margin:2px 0;padding:4px 0;background:#fff;border:1px solid #b8c4d2;border-radius:4px;list-style:none;z-index:3;box-shadow:0 6px 18px #0003}li{padding:6px 12px;cursor:pointer}li:hover{background:#e6eff8}</style>
    <div class="l">${label}</div><button type="button" class="btn" aria-haspopup="listbox" aria-expanded="${this._open}" aria-label="${label}: ${p ? p.name : 'Nobody'}">${p ? p.name : 'Nobody'} ▾</button>
    ${this._open ? `<ul role="listbox"><li role="option" data-v="">Nobody</li>${this.people.map(x => `<li role="option" data-v="${x.id}" aria-selected="${x.id === this.value}">${x.name}</li>`).join('')}</ul>` : ''}`;
  }
});
