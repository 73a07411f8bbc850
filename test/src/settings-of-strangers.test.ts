import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { poolguard } from '../../src/lint/analyser.ts';
import { ruleIdsOf } from '../../src/lint/analyser.ts';
import { createLinter } from '../../src/lint/linter.ts';
import { isExcluded } from '../../src/server/checks.ts';
import { toLintSettings } from '../../src/server/server-settings.ts';
import { readSettings, settings } from '../../src/settings/settings.ts';
import { spoilt, strangeValue } from '../support/spoilt.ts';

/** What a workspace may set before anybody trusts it: it changes what is shown of its own files, and nothing else. */
const harmless = [
  'lint.enable',
  'lint.preset',
  'lint.rules',
  'lint.run',
  'lint.heldSpans',
  'codeLens.enable',
  'codeLens.probeQuery',
  'probe.markMax',
  'pooler',
  'directAddresses',
  'trace.server',
];

const restricted: readonly string[] =
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
const declared = Object.entries(manifest.contributes.configuration.properties).map(
  ([id, { scope }]) => ({ id, key: id.replace('poolguard.', ''), scope }),
);

test.each(declared)(
  '$id comes from no workspace, waits for trust, or is harmless',
  ({ id, key, scope }) => {
    expect(
      [scope === 'machine', restricted.includes(id), harmless.includes(key)].filter(Boolean),
    ).toHaveLength(1);
  },
);

test('what is restricted, or called harmless, is a setting', () => {
  expect(
    [...restricted.map((id) => id.replace('poolguard.', '')), ...harmless].filter(
      (key) => !(key in settings),
    ),
  ).toEqual([]);
});

const defaults = readSettings({});

test.each([
  null,
  [],
  'text',
  7,
  { lint: [] },
  { lint: null },
  {
    lint: {
      enable: 'yes',
      preset: 7,
      rules: [],
      exclude: '**',
      run: {},
      whenEslintReports: ['both'],
    },
    pooler: {},
    directAddresses: 'x',
    trace: 1,
  },
])('settings of wrong types count as not said: %j', (raw) => {
  expect(readSettings(raw)).toEqual(defaults);
});

const written = {
  lint: { enable: false, preset: 'strict', rules: { 'no-leak': 'warning' }, exclude: ['gen/**'] },
  pooler: 'pgbouncer',
  directAddresses: ['MIGRATION_URL'],
  activity: { intervalSeconds: 5, thresholds: { keptFree: 3 } },
};

test('whatever a settings file says, each setting has a value that it takes', () => {
  fc.assert(
    fc.property(fc.oneof(spoilt([written]), strangeValue, fc.anything()), (raw) => {
      const read: Readonly<Record<string, unknown>> = readSettings(raw);
      for (const [key, { values }] of Object.entries(settings))
        expect([key, v.parse<v.GenericSchema>(values, read[key])]).toEqual([key, read[key]]);
    }),
    { numRuns: 500 },
  );
});

test('the name of a prototype is a rule like any that does not exist', () => {
  const read = readSettings(
    JSON.parse(
      '{ "lint": { "rules": { "__proto__": "off", "constructor": "error", "toString": "off", "no-unreleased-client": "warn" } } }',
    ),
  );
  const { severities } = toLintSettings(read, {}, ruleIdsOf(poolguard));
  expect(severities).toEqual({ 'poolguard/no-unreleased-client': 'warn' });
  expect(Object.getPrototypeOf(read['lint.rules'])).toBe(Object.prototype);
});

test('a rule that is named like a prototype in a comment of a file does nothing', () => {
  const { problems } = createLinter(
    poolguard,
    {},
  )({
    path: '/shop/a.ts',
    text: '/* eslint "__proto__": "off", "constructor": 2 */\nimport "pg";\n',
  });
  expect(problems).toEqual([]);
});

test.each(['', '*'.repeat(1_001)])(
  'a pattern that is empty or too long is left out: %j',
  (pattern) => {
    expect(readSettings({ lint: { exclude: [pattern, 'gen/**'] } })['lint.exclude']).toEqual([
      'gen/**',
    ]);
  },
);

test.each(['+(+(a|aa)+)b', '*a*a*a*a*[b]', '**/a/**/a/**/a/**/a/**/a/**/a/**/[b]', '!(!(a)|*)'])(
  'a pattern that takes others for ever says no at once: %j',
  (pattern) => {
    const read = readSettings({ lint: { exclude: [pattern] } })['lint.exclude'];
    expect(read).toEqual([pattern]);
    expect(isExcluded(`${'a/'.repeat(200)}${'a'.repeat(200)}`, read)).toBe(false);
  },
);

test('the default patterns, and those that people write, stay', () => {
  const usual = [
    '**/node_modules/**',
    '**/*.min.{js,mjs,cjs}',
    'src/gen/*.ts',
    '**/[a-z]?/*.d.ts',
    '**/*-*-*.ts',
  ];
  expect(readSettings({ lint: { exclude: usual } })['lint.exclude']).toEqual(usual);
  expect(readSettings({ lint: { exclude: defaults['lint.exclude'] } })['lint.exclude']).toEqual(
    defaults['lint.exclude'],
  );
});

test('of very many patterns the first count', () => {
  expect(
    readSettings({
      lint: { exclude: Array.from({ length: 100_000 }, (_, index) => `gen/${index}/**`) },
    })['lint.exclude'],
  ).toHaveLength(500);
});

test.each(['[', '{a', '\\', '[!', '{'.repeat(100), '\0'])(
  'a pattern that is none excludes nothing: %j',
  (pattern) => {
    expect(
      isExcluded('src/orders.ts', readSettings({ lint: { exclude: [pattern] } })['lint.exclude']),
    ).toBe(false);
  },
);
