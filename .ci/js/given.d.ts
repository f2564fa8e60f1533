// What the scripts find that tsc can't know of: the words that the browser side puts in, and what only Chromium has.
declare const MARK: string;
declare const LIMIT: number;
declare const NAME: string;
declare const EAR_NAME: string;
declare function getEventListeners(target: EventTarget): Record<string, object[]>;
interface CSSStyleDeclaration {
  readonly webkitTextSecurity: string;
}
interface Window {
  readonly navigation?: any;
}
