import { expect, test } from 'vitest';
import { nextStep, packageManagerOf } from '../../../../src/editor/eslint-setup/package-manager.ts';

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

const both = { plugin: true, eslint: true };

test.each([
  ['npm', [], 'npm install --save-dev'],
  ['pnpm', ['pnpm-workspace.yaml'], 'pnpm add --save-dev --workspace-root'],
  ['pnpm', [], 'pnpm add --save-dev'],
  ['yarn', [], 'yarn add --dev'],
  ['bun', [], 'bun add --dev'],
] as const)('%s with %j installs by its own command', (manager, files, start) => {
  const command = `${start} eslint-plugin-poolguard eslint`;
  expect(nextStep(both, manager, new Set(files), true)).toEqual({
    command,
    sentence: `Next step: ${command}`,
  });
});

test('before the plugin is published, it is installed from a checkout, and the sentence says so', () => {
  const command =
    'npm install --save-dev ../poolguard/artifacts/eslint-plugin-poolguard.tgz eslint';
  expect(nextStep(both, 'npm', new Set(), false)).toEqual({
    command,
    sentence: `Next step: ${command}. The plugin is not published yet; npm run package writes this file in a checkout of Poolguard.`,
  });
  expect(nextStep({ plugin: false, eslint: true }, 'npm', new Set(), false).sentence).toBe(
    'Next step: npm install --save-dev eslint',
  );
});
