// What only Chromium has, which tsc does not know.
declare function getEventListeners(target: EventTarget): Record<string, object[]>;
interface CSSStyleDeclaration {
  readonly webkitTextSecurity: string;
}
interface Window {
  readonly navigation?: any;
}
