/** Hidden text caret: it blinks, so that pictures of one state would differ. */

import { FRAGMENT, focusedElement, isEdited, kindOf, reader, rootOf, tagOf } from "../../dom/nodes.js";

const ofDocument = reader(Document, "adoptedStyleSheets");
const ofShadow = reader(ShadowRoot, "adoptedStyleSheets");
/** The ids, which no element has, outweigh the page's own rules. */
const OUTWEIGH = ":not(#agentbrowser#agentbrowser#agentbrowser)";
const HIDE = `:focus${OUTWEIGH}, :focus ${OUTWEIGH} { caret-color: transparent !important; }`;

/** @type {CSSStyleSheet|undefined} */
let sheet;
/** The style sheets of the document or shadow root in which the caret is hidden. @type {CSSStyleSheet[]|null} */
let sheets = null;

/**
 * Hide the caret of the focused field. A style sheet does it that is no node, so that no observer of the page sees it.
 * @returns {{isHidden: boolean, isInFrame: boolean}} `isInFrame` if a frame in this document has the focus
 */
export function hideCaret() {
  showCaret();
  const focused = focusedElement();
  const tag = focused ? tagOf(focused) : "";
  if (tag === "input" || tag === "textarea" || isEdited(focused)) {
    const root = rootOf(focused);
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(HIDE);
    }
    sheets = (kindOf(root) === FRAGMENT ? ofShadow : ofDocument)(root);
    sheets?.push(sheet);
  }
  return { isHidden: sheets !== null, isInFrame: tag === "iframe" || tag === "frame" };
}

/** Show the caret again. */
export function showCaret() {
  const index = sheet && sheets ? sheets.indexOf(sheet) : -1;
  if (index >= 0) sheets?.splice(index, 1);
  sheets = null;
  return {};
}
