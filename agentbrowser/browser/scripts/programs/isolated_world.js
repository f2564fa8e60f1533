/** Program of the isolated world: the functions that the browser side calls by name. */

import { copyText, listenAgain, openCopies } from "../act/clipboard.js";
import { question } from "../act/controls.js";
import { disarm, giveUp } from "../act/guard.js";
import { throughFrame } from "../act/hit_target.js";
import { noticeCookies, openNotices } from "../act/landing_notice.js";
import { prepare, verify } from "../act/pointer.js";
import { endPressWatch, isPressHeld, pressThroughFrame, refuseInput, watchFramePress, watchPress, watchRelease } from "../act/press_watch.js";
import { asksForSecrets } from "../act/query_guard.js";
import { ownerCss } from "../act/recorded_locator.js";
import { dropUnfinished, originHere, placesOf, secretPlaces, textsHere } from "../act/secret_input.js";
import { elementIndexes } from "../act/selector_evaluator.js";
import { choose, finishChoosing, finishWriting, leaveField, selectionHeard, startWriting, writeInEditor } from "../act/writing.js";
import { hold, subject } from "../dom/held_element.js";
import { gatherData, sourcesOf } from "../extract/gather.js";
import { listCandidates } from "../observe/candidates.js";
import { listenIn, openChannel } from "../observe/listeners/click_listeners.js";
import { readContent, readDom } from "../observe/content/content.js";
import { identityOf, inspect, secretTexts, showsSecretField, stateOf } from "../observe/content/element_state.js";
import { readForm, writeForm } from "../observe/content/form_values.js";
import { hideCaret, showCaret } from "../observe/content/hidden_caret.js";
import { hiddenParts } from "../observe/content/hidden_parts.js";
import { outline } from "../observe/content/outline.js";
import { checkSize, extent } from "../observe/content/page_size.js";
import { frameGeometries, registerFrame } from "../observe/frame_tree.js";
import { about, observe } from "../observe/observe.js";
import { showRedactions } from "../observe/redaction_overlay.js";
import { locate, revertObservation } from "../observe/ref_lookup.js";
import { spellRefs } from "../observe/refs.js";
import { declaredTools } from "../observe/webmcp_forms.js";
import { openInternals } from "../dom/nodes.js";
import { openActivityChannel } from "../settle/activity.js";
import { isAtRest, settle } from "../settle/settle.js";
import { waitForWords } from "../settle/words.js";

/** @type {Object<string, (argument: any, element?: any) => unknown>} */
const CALLS = {
  about, asksForSecrets, checkSize, choose, copyText, declaredTools, disarm, dropUnfinished, elementIndexes, endPressWatch, extent, finishChoosing, finishWriting, giveUp,
  frameGeometries, gatherData, hiddenParts, hideCaret, hold, identityOf, inspect, isAtRest, isPressHeld, leaveField, lendSerialiser, listCandidates, listenAgain, locate, noticeCookies, observe, originHere,
  outline, ownerCss, placesOf, prepare, pressThroughFrame, question, readContent, readDom, readForm, refuseInput, registerFrame, revertObservation, secretPlaces,
  secretTexts, selectionHeard, settle, showCaret, showRedactions, showsSecretField, sourcesOf, startWriting, stateOf, textsHere, throughFrame, verify, waitForWords,
  watchFramePress, watchPress, watchRelease, writeForm, writeInEditor,
};

/** The name of the event at which the program `serialiser` lends its functions. */
let lending = "";

function lendSerialiser() {
  performance.dispatchEvent(new Event(lending));
  return {};
}

/** The start of half a surrogate pair, as JSON escapes it. */
const LONE_SURROGATE = "\\ud";

/**
 * Answer a call as JSON text; as a promise of it where the function returns a promise.
 * @param {string} request the name of a function, its argument, and true if the client has used secrets, as JSON
 * @param {any} [element] an element that comes with it
 * @returns {string|Promise<string>}
 */
function call(request, element) {
  const [name, argument, hasSecrets] = JSON.parse(request);
  spellRefs(!hasSecrets);
  const answer = CALLS[name](argument, element);
  return answer instanceof Promise ? answer.then(jsonFor) : jsonFor(answer);
}

/** @param {unknown} answer */
function jsonFor(answer) {
  const text = JSON.stringify(answer);
  if (!text.includes(LONE_SURROGATE)) return text;
  const mend = (_, value) => (typeof value === "string" ? value.toWellFormed() : value);
  return JSON.stringify(JSON.parse(text), mend);
}

// The browser side reads the element itself, to find it in the browser's own trees.
Object.defineProperty(call, "held", { value: subject });

/**
 * Install `call` in this world, unless it is there, and return whether the page's listeners can be asked for.
 * @param {symbol} key of the only property that is added to the globals
 * @param {string} channelName of the events that ask for the page's listeners; those for its activity end in `activity`,
 *   those for its clipboard in `copies`, and the one for its serialiser in `serialiser`
 * @param {string} bindingName of the global function that sends notices, which is removed
 */
export default function install(key, channelName, bindingName) {
  openNotices(globalThis[bindingName]);
  openCopies(`${channelName} copies`, globalThis[bindingName]);
  delete globalThis[bindingName];
  openChannel(channelName);
  openActivityChannel(`${channelName} activity`);
  openInternals(`${channelName} activity`);
  lending = `${channelName} serialiser`;
  globalThis[key] ??= call;
  return listenIn(null);
}
