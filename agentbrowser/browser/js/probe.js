// What actions ask about elements. Called by probe.py as (element or elements, [question, argument]), or without an element.
// Nothing is written to the page but the scroll position and the caret.
(...given) => {
  const [question, argument] = given.pop();
  const subject = given.pop();
  const SHORT = 80;
  const LONG = 10000;
  // As in states.js, which keeps the same secrets out of observations.
  const CREDENTIALS = /(^|\s)(current-password|new-password|one-time-code|cc-number|cc-csc)(\s|$)/i;

  const parentOf = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
  const holds = (outer, inner) => {
    for (let at = inner; at; at = parentOf(at)) if (at === outer) return true;
    return false;
  };
  const closest = (element, selector) => {
    for (let at = element; at; at = parentOf(at)) if (at.matches(selector)) return at;
    return null;
  };
  const squeeze = (text) => (text ?? "").replace(/\s+/g, " ").trim();

  // A label stands for its control, as it does for Playwright.
  const controlOf = (element) => {
    if (element.matches("a, input, textarea, button, select, [role=link], [role=button], [role=checkbox], [role=radio]"))
      return element;
    return (!element.isContentEditable && element.closest("label")?.control) || element;
  };

  const kindOf = (control) => {
    const role = control.getAttribute("role");
    if (control.localName === "select") return "select";
    if (control.localName === "input" && control.type === "file") return "file";
    if (control.localName === "input" && /^(checkbox|radio)$/.test(control.type)) return "check";
    if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(role)) return "check";
    if (control.localName === "input") return /^(button|submit|reset|image|hidden)$/.test(control.type) ? "other" : "text";
    return control.localName === "textarea" || control.isContentEditable ? "text" : "other";
  };

  const isSecret = (control) =>
    control.type === "password" ||
    CREDENTIALS.test(control.getAttribute("autocomplete") ?? "") ||
    (control.localName === "input" && getComputedStyle(control).webkitTextSecurity !== "none");

  const textOf = (control) => {
    const text = control.isContentEditable ? control.innerText : control.value;
    return typeof text === "string" ? text : "";
  };

  // A page may add separators and spaces to what was written and change its case; it may not drop or replace anything.
  const agree = (text, { written, whole }) => {
    const plain = (some) => some.replace(/\s+/g, "").toLowerCase();
    const fits = (now) => (whole ? now === plain(written) : now.includes(plain(written)));
    const bare = /^[\p{L}\p{N}\s]+$/u.test(written);
    return fits(plain(text)) || (bare && fits(plain(text).replace(/[().,:/_-]/g, "")));
  };

  // Typed text is not looked for where the control shows it in its own way, or has passed the caret on to the next field.
  const isElsewhere = (control, text) =>
    (text !== "" && /^(date|time|month|week|datetime-local|color|range)$/.test(control.type)) ||
    !control.matches(":focus-within");

  // A path of child steps; `>` goes through shadow roots in Playwright, as it does not in the browser itself.
  const pathTo = (element) => {
    const steps = [];
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      if (at.id && at.getRootNode() === document && document.querySelectorAll("#" + CSS.escape(at.id)).length === 1) {
        steps.unshift("#" + CSS.escape(at.id));
        break;
      }
      const alike = [...(at.parentNode?.children ?? [at])].filter((other) => other.localName === at.localName);
      const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(at) + 1})` : "";
      steps.unshift(CSS.escape(at.localName) + place);
    }
    return steps.join(" > ");
  };

  const nameOf = (element) => {
    const text = ["aria-label", "alt", "title", "placeholder"].map((name) => element.getAttribute(name)).find(Boolean);
    return squeeze(element.labels?.[0]?.innerText ?? text ?? element.innerText).slice(0, SHORT);
  };

  const elementAt = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const deeper = found.shadowRoot.elementFromPoint(x, y);
      if (!deeper || deeper === found) break;
      found = deeper;
    }
    return found;
  };

  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };

  // The middle of what can be seen of an element, or the place in it that was asked for.
  const aim = (element, position) => {
    const box = element.getBoundingClientRect();
    if (position) return [box.left + element.clientLeft + position.x, box.top + element.clientTop + position.y];
    const middle = (low, high, end) => (Math.max(low, 0) + Math.min(high, end)) / 2;
    return [middle(box.left, box.right, innerWidth), middle(box.top, box.bottom, innerHeight)];
  };

  const isMoving = async (element) => {
    const place = () => JSON.stringify(element.getBoundingClientRect());
    const before = place();
    await new Promise((done) => (requestAnimationFrame(() => requestAnimationFrame(done)), setTimeout(done, 100)));
    return place() !== before;
  };

  const canScroll = (element, axis) => {
    const [size, seen] = axis === "x" ? ["scrollWidth", "clientWidth"] : ["scrollHeight", "clientHeight"];
    if (element[size] <= element[seen]) return false;
    if (element === document.scrollingElement) return true;
    return /auto|scroll|overlay/.test(getComputedStyle(element)[axis === "x" ? "overflowX" : "overflowY"]);
  };

  const answers = {
    candidates: (elements) => elements.slice(0, 5).map((element) => ({ value: pathTo(element), text: nameOf(element) })),

    // The element under a point of the viewport, and where the point is in it.
    at: (_, { x, y }) => {
      const found = elementAt(x, y);
      if (!found) return null;
      const box = found.getBoundingClientRect();
      const position = { x: x - box.left - found.clientLeft, y: y - box.top - found.clientTop };
      return { css: pathTo(found), position, frame: /^i?frame$/.test(found.localName) };
    },
    indexAt: (elements, { x, y }) => elements.indexOf(elementAt(x, y)),

    state: (element) => {
      const control = controlOf(element);
      const shown = isVisible(element);
      return {
        visible: shown,
        label: shown ? -1 : [...(element.labels ?? [])].findIndex(isVisible),
        enabled: !control.matches(":disabled") && !closest(control, "[aria-disabled=true], [inert]"),
        editable: !control.readOnly && control.getAttribute("aria-readonly") !== "true",
        kind: kindOf(control),
        tag: control.localName + (control.localName === "input" ? `[type=${control.type}]` : ""),
      };
    },

    // What stands in the way of the pointer: it is beside the viewport, covered, or moving.
    obstacle: async (element, position) => {
      if (await isMoving(element)) return { moving: true };
      const [x, y] = aim(element, position);
      const hit = elementAt(x, y);
      if (!hit) return { outside: true };
      const own = holds(element, hit) || hit.closest("label")?.control === element;
      return own ? {} : { coveredBy: { value: pathTo(hit), text: nameOf(hit) } };
    },

    // What a control holds. Text is compared here, so that a secret does not leave the page.
    content: (element, wanted) => {
      const control = controlOf(element);
      const kind = kindOf(control);
      if (kind === "check") return { value: control.checked ?? control.getAttribute("aria-checked") === "true" };
      if (kind !== "text") return {};
      const text = textOf(control);
      const landed = !wanted || agree(text, wanted) || (!wanted.whole && isElsewhere(control, text));
      return isSecret(control) ? { landed, secret: true } : { landed, value: text.slice(0, LONG) };
    },

    options: (element, wanted) => {
      const select = controlOf(element);
      const all = [...select.options];
      const labels = all.map((option) => squeeze(option.label));
      const byValue = (value) => all.findIndex((option) => option.value === value);
      const indexes = wanted.map((value) => (byValue(value) < 0 ? labels.indexOf(squeeze(value)) : byValue(value)));
      const chosen = all.filter((option) => option.selected);
      return {
        indexes,
        missing: wanted.filter((_, place) => indexes[place] < 0),
        disabled: wanted.filter((_, place) => all[indexes[place]]?.matches(":disabled")),
        known: labels.slice(0, 10),
        count: all.length,
        multiple: select.multiple,
        chosen: chosen.map((option) => all.indexOf(option)),
        values: chosen.map((option) => option.value),
      };
    },

    // Put the caret behind the text, as a reader would click behind it; say whether the element takes the keyboard.
    focus: (element) => {
      const control = controlOf(element);
      if (!control.matches(":focus-within")) {
        control.focus();
        if (kindOf(control) === "text") getSelection().modify("move", "forward", "documentboundary");
      }
      return control.matches(":focus, :focus-within");
    },

    scroll: (element, { axis, sign, amount }) => {
      const root = document.scrollingElement ?? document.documentElement;
      let at = element ?? (canScroll(root, axis) ? root : elementAt(innerWidth / 2, innerHeight / 2));
      while (at && !canScroll(at, axis)) at = parentOf(at);
      at ??= root;
      const [place, size] = axis === "x" ? ["scrollLeft", "clientWidth"] : ["scrollTop", "clientHeight"];
      const before = at[place];
      const by = sign * (amount === "page" ? at[size] : amount);
      at.scrollBy({ left: axis === "x" ? by : 0, top: axis === "x" ? 0 : by, behavior: "instant" });
      return at[place] !== before;
    },

    isInView: (element) => {
      const box = element.getBoundingClientRect();
      return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    },
  };
  return answers[question](subject, argument);
};
