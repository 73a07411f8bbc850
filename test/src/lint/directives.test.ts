import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Linter } from 'eslint';
import fc from 'fast-check';
import { parser } from 'typescript-eslint';
import { expect, test } from 'vitest';
import plugin from '../../../rules/index.ts';
import { poolguard } from '../../../src/lint/analyser.ts';
import { createLinter } from '../../../src/lint/linter.ts';

const eslint9 = createRequire(join(import.meta.dirname, '../../eslint-9/package.json'))(
  'eslint',
) as { readonly Linter: typeof Linter };
const path = join(import.meta.dirname, 'orders.ts');
const header =
  "import { Pool } from 'pg';\nconst pool = new Pool({ connectionTimeoutMillis: 9 });\n";
const leak = 'async function f() { const client = await pool.connect(); client.query("x"); }';
const held =
  'async function f() { const client = await pool.connect(); try { await client.query("x"); } finally { client.release(); } }';

const rule = fc.constantFrom(
  'poolguard/no-unreleased-client',
  'poolguard/prefer-pool-query',
  'poolguard/require-pool-error-handler',
  "'poolguard/prefer-pool-query'",
  'no-console',
  'vue/whatever',
);
const rules = fc.array(rule, { maxLength: 3 }).map((names) => names.join(', '));
const reason = fc.constantFrom('', ' -- closed at exit', ' --- a -- b', '--none');
const severity = fc.constantFrom('off', '"off"', 'warn', '1', '2', '["error"]', '[0]', '[1, {}]');
const directive = fc
  .tuple(
    fc.constantFrom(
      ...['eslint-disable', 'eslint-disable-line', 'eslint-disable-next-line'].flatMap((each) => [
        each,
        each,
      ]),
      'eslint-enable',
      'eslint-disable-next-lines',
      'ESLint-disable',
    ),
    rules,
    reason,
  )
  .map(([label, names, why]) => `${label} ${names}${why}`);
const configuration = fc
  .array(fc.tuple(rule, severity), { minLength: 1, maxLength: 2 })
  .map((entries) => `eslint ${entries.map((each) => each.join(': ')).join(', ')}`);
const content = fc.oneof(
  { arbitrary: directive, weight: 6 },
  { arbitrary: configuration, weight: 1 },
  {
    arbitrary: fc.constantFrom('eslint "poolguard/prefer-pool-query": [', 'eslint', 'a word', ''),
    weight: 1,
  },
);
const comment = fc
  .tuple(content, fc.constantFrom('line', 'block', 'block', 'lines'))
  .map(([text, kind]) => {
    if (kind === 'line') return `// ${text}\n`;
    return kind === 'block' ? `/* ${text} */` : `/* ${text}\n */`;
  });
const line = fc.oneof(
  { arbitrary: comment, weight: 3 },
  { arbitrary: fc.constantFrom(leak, held), weight: 2 },
);
const program = fc
  .array(fc.tuple(line, fc.constantFrom(' ', '\n', '\n\n')), { minLength: 5, maxLength: 12 })
  .map(
    (parts) =>
      header + parts.map((each, index) => each.join('').replace(' f()', ` f${index}()`)).join(''),
  );

/** What ESLint reports and what it suppresses, of our rules. Of comments that it does not follow it has words of its own. */
function byEslint(Each: typeof Linter, text: string) {
  const linter = new Each({ cwd: import.meta.dirname }) as Linter & {
    getSuppressedMessages(): Linter.SuppressedLintMessage[];
  };
  const config: Linter.Config = {
    files: ['**/*.ts'],
    ...plugin.configs.strict,
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  };
  const isOurs = ({ ruleId }: Linter.LintMessage) => ruleId?.startsWith('poolguard/') === true;
  const messages = linter.verify(text, [config], { filename: path }).filter(isOurs);
  return {
    reported: messages.map(({ ruleId, severity: level, line: at, column, message, messageId }) =>
      [ruleId, level === 2 ? 'error' : 'warning', at, column, messageId && message].join(' '),
    ),
    suppressed: linter
      .getSuppressedMessages()
      .filter(isOurs)
      .map(({ ruleId, line: at, suppressions }) => [ruleId, at, suppressions]),
  };
}

function byOurs(text: string) {
  const { problems, suppressed } = createLinter(poolguard, { preset: 'strict' })({ path, text });
  return {
    reported: problems.map(({ rule: id, severity: level, place: { start }, message, messageId }) =>
      [id, level, start.line, start.column + 1, messageId && message].join(' '),
    ),
    suppressed: suppressed.map(({ rule: id, place, suppressions }) => [
      id,
      place.start.line,
      suppressions,
    ]),
  };
}

test.each([
  ['10', Linter],
  ['9', eslint9.Linter],
])('comments switch rules off, on and over as in ESLint %s', (_, each) => {
  let seen = 0;
  fc.assert(
    fc.property(program, (text) => {
      const own = byOurs(text);
      expect(own).toEqual(byEslint(each, text));
      seen += own.suppressed.length;
    }),
    { numRuns: 100, seed: 4 },
  );
  expect(seen).toBeGreaterThan(50);
});

test.each([
  [
    'a rule that there is not',
    'eslint-disable poolguard/no-such-rule',
    'There is no rule poolguard/no-such-rule.',
  ],
  [
    'the configuration of such a rule',
    'eslint poolguard/no-such-rule: 2',
    'There is no rule poolguard/no-such-rule.',
  ],
  [
    'no severity',
    'eslint poolguard/no-session-state: 5',
    'In this comment poolguard/no-session-state has no severity.',
  ],
  [
    'an option that there is not',
    'eslint poolguard/no-session-state: [2, {"alow": []}]',
    'In this comment the options of poolguard/no-session-state are not valid: alow is not known.',
  ],
])('a comment with %s is told of, where ESLint does so too', (_, text, sentence) => {
  const code = `${header}/* ${text} */\n`;
  const [problem] = createLinter(
    poolguard,
    {},
  )({ path, text: code }).problems.filter(({ place: { start } }) => start.line === 3);
  expect(problem).toMatchObject({
    severity: 'error',
    place: { start: { line: 3, column: 0 } },
  });
  expect(problem?.message).toContain(sentence);
  const [theirs] = byEslint(Linter, code).reported.filter((each) => each.includes(' 3 1 '));
  expect(theirs?.split(' ')[0]).toBe(problem?.rule);
});
