// What tsc can't see: promises that nobody awaits, conditions that are always true, `any` that spreads.
import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/array-type": ["error", { default: "array-simple" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-generated-empty-object-type": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-lines": ["error", 400],
      "no-console": "error",
    },
  },
  {
    files: ["**/*.gen.ts"],
    rules: {
      "@typescript-eslint/array-type": "off",
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/no-redundant-type-constituents": "off",
      "max-lines": "off",
    },
  },
  {
    // node:test gives promises that it awaits itself.
    files: ["tests/**"],
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
  {
    // What is there for its type alone.
    files: ["tests/types.ts"],
    rules: {
      "@typescript-eslint/no-unnecessary-type-parameters": "off",
      "@typescript-eslint/no-unused-vars": "off",
    },
  },
);
