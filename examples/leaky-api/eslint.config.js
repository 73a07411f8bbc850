import poolguard from 'eslint-plugin-poolguard';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist/'] },
  { files: ['**/*.ts'], extends: [tseslint.configs.base] },
  poolguard.configs.recommended,
);
