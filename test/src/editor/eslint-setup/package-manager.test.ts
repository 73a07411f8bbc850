import { expect, test } from 'vitest';
import {
  installCommand,
  packageManagerOf,
} from '../../../../src/editor/eslint-setup/package-manager.ts';

test.each([
  ['pnpm@9.1.0', ['package-lock.json'], 'pnpm'],
  ['yarn@4.0.0+sha', [], 'yarn'],
  ['something@1', ['bun.lock'], 'bun'],
  [undefined, ['yarn.lock'], 'yarn'],
  [undefined, ['package-lock.json'], 'npm'],
  [{ hostile: true }, [], 'npm'],
])('%j with %j is %s', (named, files, manager) => {
  expect(packageManagerOf(named, new Set(files))).toBe(manager);
});

test.each([
  ['npm', [], 'npm install --save-dev a b'],
  ['pnpm', ['pnpm-workspace.yaml'], 'pnpm add --save-dev --workspace-root a b'],
  ['pnpm', [], 'pnpm add --save-dev a b'],
  ['yarn', [], 'yarn add --dev a b'],
  ['bun', [], 'bun add --dev a b'],
] as const)('%s with %j installs by its own command', (manager, files, command) => {
  expect(installCommand(manager, ['a', 'b'], new Set(files))).toBe(command);
});
