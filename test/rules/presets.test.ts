import { Linter } from 'eslint';
import { defineConfig } from 'eslint/config';
import { describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';

const names = ['recommended', 'strict', 'transaction-pooling'] as const;
const leak =
  "import { Pool } from 'pg';\nconst pool = new Pool();\npool.on('error', console.error);\nexport async function f() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n";

function rulesFoundWith(config: Linter.Config[]): readonly (string | null)[] {
  return new Linter().verify(leak, config, { filename: 'f.js' }).map(({ ruleId }) => ruleId);
}

describe.each(names)('%s', (name) => {
  const preset = plugin.configs[name];

  test('holds the rules that name it, with the severity they name', () => {
    const named = Object.entries(plugin.rules).flatMap(([id, { meta }]) =>
      meta.docs.severities[name] === undefined
        ? []
        : [[`poolguard/${id}`, meta.docs.severities[name]]],
    );
    expect(preset.rules).toEqual(Object.fromEntries(named));
  });

  test('works as an element of a list, and by `extends`', () => {
    expect(rulesFoundWith([preset])).toContain('poolguard/no-unreleased-client');
    expect(rulesFoundWith(defineConfig([{ files: ['**/*.js'], extends: [preset] }]))).toContain(
      'poolguard/no-unreleased-client',
    );
    expect(
      rulesFoundWith(
        defineConfig([
          { files: ['**/*.js'], plugins: { poolguard: plugin }, extends: [`poolguard/${name}`] },
        ]),
      ),
    ).toContain('poolguard/no-unreleased-client');
  });
});

test('strict holds every rule', () => {
  expect(Object.keys(plugin.configs.strict.rules ?? {}).sort()).toEqual(
    Object.keys(plugin.rules)
      .map((id) => `poolguard/${id}`)
      .sort(),
  );
});

test('a rule is told in a later element what a preset does not say', () => {
  expect(
    rulesFoundWith(
      defineConfig([
        plugin.configs.recommended,
        { rules: { 'poolguard/no-unreleased-client': 'off' } },
      ]),
    ),
  ).not.toContain('poolguard/no-unreleased-client');
});
