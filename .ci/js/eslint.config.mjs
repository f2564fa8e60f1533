// The scripts of agentbrowser/browser/js are put into one function: what one file declares the others use, which tsc
// checks and eslint can't.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { sourceType: "script", ecmaVersion: 2024, globals: globals.browser },
    rules: {
      "no-undef": "off",
      "no-redeclare": "off",
      "no-unused-vars": ["error", { vars: "local" }],
      "no-control-regex": "off",
      "array-callback-return": "error",
      "consistent-return": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "func-style": ["error", "declaration", { allowArrowFunctions: true }],
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
