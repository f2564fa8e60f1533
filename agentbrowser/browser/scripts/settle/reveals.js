/** Short animations that show or hide something with words. */

import { animationsInDocument } from "../dom/nodes.js";
import { documentBegin } from "./activity.js";

const MAX_ANIMATIONS = 200;
const MAX_MS = 500;
const REVEALING =
  /^(opacity|visibility|display|(max|min)?-?(height|width|blockSize|inlineSize)|max(Height|Width)|transform|translate|scale|clip(-path|Path)?|grid.*|margin.*|top|left|right|bottom|inset.*)$/;

/**
 * Return the ms until the last of the animations ends that began after a time, and show or hide something; 0 if none runs.
 * @param {number} begin Unix time in ms
 */
export function revealingMs(begin) {
  const since = begin - documentBegin();
  const animations = animationsInDocument(document);
  let longest = 0;
  for (let i = 0; i < animations.length && i < MAX_ANIMATIONS; i++) {
    const left = remainingMs(animations[i], since);
    if (left > longest && left <= MAX_MS && isReveal(animations[i])) longest = left;
  }
  return longest;
}

/**
 * Return the ms until an animation ends; 0 if it does not run, or began before the time.
 * @param {Animation} animation
 * @param {number} since
 */
function remainingMs(animation, since) {
  if (animation.playState !== "running" || !animation.effect) return 0;
  if (animation.startTime !== null && Number(animation.startTime) < since) return 0;
  const { endTime } = animation.effect.getComputedTiming();
  return Math.max(0, Number(endTime ?? 0) - Number(animation.currentTime ?? 0));
}

/** @param {Animation} animation */
function isReveal(animation) {
  const effect = /** @type {KeyframeEffect} */ (animation.effect);
  if (!effect.target?.textContent?.trim()) return false;
  if (animation instanceof CSSTransition) return REVEALING.test(animation.transitionProperty);
  return effect.getKeyframes().some((frame) => Object.keys(frame).some((property) => REVEALING.test(property)));
}
