import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createLinter, type LintedFile } from '../../../../src/lint/linter.ts';
import { poolguard } from '../../../../src/lint/analyser.ts';
import { positionsIn } from '../../../../src/lint/positions.ts';
import { fixAll } from '../../../../src/server/actions/fix-all.ts';
import { lineEdits } from '../../../../src/server/actions/line-edits.ts';
import { safeFixOf } from '../../../../src/server/actions/safe-fixes.ts';
import { codeBlocksOf } from '../../../support/code-blocks.ts';
import { poolModule } from '../../../support/pool-module.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../../..');
const project = await createTemporaryFolder({ 'pool.js': poolModule() });
afterAll(() => project[Symbol.asyncDispose]());

const strict = createLinter(poolguard, { preset: 'strict' });

interface Source {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

const examples: readonly Source[] = readdirSync(join(root, 'docs/rules')).flatMap((file) =>
  codeBlocksOf(readFileSync(join(root, 'docs/rules', file), 'utf8'))
    .filter(({ caption }) => caption.startsWith('❌'))
    .map(({ language, text, line }) => ({
      name: `${file}:${line}`,
      path: join(project.path, `example.${language}`),
      text,
    })),
);

const header = "import { Pool, type PoolClient } from 'pg';\nconst pool = new Pool();\n";

/** The samples of the rules' own tests, read from their text: what stands between `code: \`` and its end without a placeholder. */
const samples: readonly Source[] = readdirSync(join(root, 'test/rules'))
  .filter((file) => /^(?:no|prefer|require)-.*\.test\.ts$/u.test(file))
  .flatMap((file) =>
    [
      ...readFileSync(join(root, 'test/rules', file), 'utf8').matchAll(
        /\bcode: `((?:[^`\\$]|\\.)*)`/gu,
      ),
    ].map(([, code = ''], index) => ({
      name: `${file}#${index}`,
      path: join(project.path, 'sample.ts'),
      text: header + code.replace(/\\(.)/gu, '$1'),
    })),
  );

function countsOf({ problems }: LintedFile): ReadonlyMap<string, number> {
  const rules = problems.map(({ rule }) => rule ?? 'unparsable');
  return new Map(rules.map((rule) => [rule, rules.filter((each) => each === rule).length]));
}

describe('the text after it parses, and nothing is reported of a rule that was not reported as often before', () => {
  it.each([...examples, ...samples].map((source) => [source.name, source] as const))(
    '%s',
    (_, { path, text }) => {
      const lint = (each: string): LintedFile => strict({ path, text: each });
      const before = lint(text);
      if (!before.problems.some((problem) => safeFixOf(problem) !== undefined)) {
        expect(fixAll(text, () => before)).toBe(text);
        return;
      }
      const [was, is] = [countsOf(before), countsOf(lint(fixAll(text, lint)))];
      // That rule waits until nothing worse is to be said of a checkout.
      expect(
        [...is].filter(
          ([rule, amount]) =>
            rule !== 'poolguard/prefer-pool-query' && amount > (was.get(rule) ?? 0),
        ),
      ).toEqual([]);
    },
  );
});

it('mends several problems of one file, in rounds', () => {
  const leak = (name: string): string =>
    `export async function ${name}() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n  await client.query('SELECT 2');\n  client.release();\n}\n`;
  const text = `import { Pool } from 'pg';\nconst pool = new Pool();\npool.on('error', console.error);\n${leak('a')}${leak('b')}`;
  const lint = createLinter(poolguard, {});
  const after = fixAll(text, (each) => lint({ path: '/app.ts', text: each }));
  expect(after.match(/finally/gu)).toHaveLength(2);
  expect(lint({ path: '/app.ts', text: after }).problems).toEqual([]);
});

it('line edits turn one text into the other', () => {
  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\r', '\n', 'd'), { maxLength: 12 })
    .map((lines) => lines.join(''));
  fc.assert(
    fc.property(text, text, (from, to) => {
      const document = TextDocument.create('file:///a.ts', 'typescript', 1, from);
      const edits = lineEdits(positionsIn(from), to);
      expect(TextDocument.applyEdits(document, edits)).toBe(to);
    }),
    { numRuns: 500 },
  );
});

it('line edits leave the other lines alone', () => {
  const positions = positionsIn('a\nb\nc\nd\ne\n');
  expect(lineEdits(positions, 'a\nB\nc\nd\nd2\ne\n').map(({ newText }) => newText)).toEqual([
    'B\n',
    'd2\n',
  ]);
});
