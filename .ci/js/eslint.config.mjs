import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/bundle.gen.js"] },
  js.configs.recommended,
  {
    languageOptions: {
      sourceType: "module",
      ecmaVersion: 2024,
      globals: { ...globals.browser, getEventListeners: "readonly" }, // the latter is of Chromium's console
    },
    rules: {
      "no-control-regex": "off",
      "array-callback-return": "error",
      "consistent-return": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "func-style": ["error", "declaration", { allowArrowFunctions: true }],
      "no-duplicate-imports": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
