import { Linter, type Rule, type SourceCode } from 'eslint';
import { dirname } from 'node:path';
import { parser } from 'typescript-eslint';
import { expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { noteSamples } from './noted-samples.ts';

type Message = Linter.LintMessage;

/** A text and what all rules say about it. */
export interface Linted {
  readonly text: string;
  readonly path: string;
  readonly messages: readonly Message[];
  /** What the comments say, each run of white space as one space. */
  readonly comments: readonly string[];
}

/** One suggestion of one message, taken. */
export interface Taken {
  readonly message: Message;
  readonly title: string;
  readonly after: string;
}

/** Lints with every rule of the plugin, `recommended` and `strict` being parts of that. Parsing errors are messages, too. */
export function lintWithAll(text: string, path = '/project/sample.ts'): Linted {
  const rules = Object.fromEntries(
    Object.entries(plugin.rules).map(([id, rule]): [string, Linter.RuleEntry] => [
      `poolguard/${id}`,
      saysInTests(rule) ? ['error', { inTests: true }] : 'error',
    ]),
  );
  const config: Linter.Config = {
    files: ['**/?*'],
    plugins: { poolguard: plugin },
    rules,
    languageOptions: { parser, sourceType: path.endsWith('.cjs') ? 'commonjs' : 'module' },
  };
  const linter = new Linter({ cwd: dirname(path) });
  const messages = linter.verify(text, [config], { filename: path, allowInlineConfig: false });
  // The source code is unknown where it does not parse.
  const comments = (linter.getSourceCode() as SourceCode | null)?.getAllComments() ?? [];
  return {
    text,
    path,
    messages,
    comments: comments.map(({ value }) => value.replaceAll(/\s+/gu, ' ')),
  };
}

/** Samples stand in a folder of tests, where such rules say nothing by default. */
function saysInTests({ meta }: Rule.RuleModule): boolean {
  return JSON.stringify(meta?.schema ?? []).includes('"inTests"');
}

/** The text with each suggestion taken, one a suggestion, those of one rule where it is named. */
export function takenFrom({ text, messages }: Linted, rule?: string): readonly Taken[] {
  // ESLint counts offsets behind a byte order mark.
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const plain = text.slice(mark.length);
  const asked = messages.filter(
    ({ ruleId }) => rule === undefined || ruleId === `poolguard/${rule}`,
  );
  return asked.flatMap((message) =>
    (message.suggestions ?? []).map(
      ({
        desc,
        fix: {
          range: [start, end],
          text: replacement,
        },
      }) => ({
        message,
        title: desc,
        after: mark + plain.slice(0, start) + replacement + plain.slice(end),
      }),
    ),
  );
}

const byteOrderMark = '\uFEFF';

/** The same text as some Windows editors write it. */
export function asOnWindows(text: string): string {
  return byteOrderMark + text.replaceAll(/\r?\n/gu, '\r\n');
}

/** The suggestion leaves a text that parses, with all of its comments, without what it fixes, and in which nothing is reported that was not there before. */
export function expectMended(before: Linted, { message, after }: Taken): void {
  const mendedText = lintWithAll(after, before.path);
  const [was, is] = [countsOf(before), countsOf(mendedText)];
  const mended = identityOf(message, before.text);
  const added = [...is.keys()].filter(
    (identity) => (is.get(identity) ?? 0) > (was.get(identity) ?? 0),
  );
  expect(added.filter((identity) => !wasHidden(identity, before.text, after))).toEqual([]);
  expect(is.get(mended) ?? 0).toBeLessThan(was.get(mended) ?? 0);
  expect(mendedText.comments).toEqual(expect.arrayContaining([...before.comments]));
}

/** A checkout for one query is a remark that waits until nothing worse is to be said of it; a suggestion makes it one only by taking queries away. */
function wasHidden(identity: string, before: string, after: string): boolean {
  return (
    identity.startsWith('poolguard/prefer-pool-query:') && queriesIn(after) >= queriesIn(before)
  );
}

function queriesIn(text: string): number {
  return text.split('.query').length;
}

function countsOf({ text, messages }: Linted): ReadonlyMap<string, number> {
  const identities = messages.map((message) => identityOf(message, text));
  return new Map(
    identities.map((identity) => [identity, identities.filter((each) => each === identity).length]),
  );
}

/**
 * Lines move and change, so a report is known by the words that it stands on: `no-unreleased-client: pool.connect`. A cause that is
 * told in other words than before is no new one.
 */
function identityOf({ ruleId, message, line, column }: Message, text: string): string {
  const words =
    /^[\w.]+(?: [\w.]+)*/u.exec(text.split('\n')[line - 1]?.slice(column - 1) ?? '')?.[0] ?? '';
  return `${ruleId ?? message}: ${words}`;
}

export interface SuggestionSample {
  /** What the sample shows; the name of its test. */
  readonly name: string;
  readonly code: string;
  /** The code with each of the rule's suggestions taken, in their order; none where nothing is to be suggested. */
  readonly outputs: readonly string[];
  /** What the suggestion says, where the sample has one. */
  readonly title?: string;
}

const poolHeader = "import { Pool, type PoolClient } from 'pg';\nconst pool = new Pool();\n";

/** One test a sample: the rule reports it, and offers exactly these changes, each of which fixes. Samples begin with a pool unless told otherwise. */
export function checkSuggestions(
  rule: string,
  samples: readonly SuggestionSample[],
  header = poolHeader,
): void {
  noteSamples(
    rule,
    samples.map(({ name, code }) => ({ name, path: 'sample.ts', code: header + code })),
  );
  test.each(samples.map((sample) => [sample.name, sample] as const))(
    '%s',
    (_name, { code, outputs, title }) => {
      const before = lintWithAll(header + code);
      const taken = takenFrom(before, rule);
      expect(before.messages.map(({ ruleId }) => ruleId)).toContain(`poolguard/${rule}`);
      expect(taken.map(({ after }) => after)).toEqual(outputs.map((output) => header + output));
      if (title !== undefined) expect(taken.map((each) => each.title)).toEqual([title]);
      for (const each of taken) expectMended(before, each);
      expect(afterOnWindows(before, rule)).toEqual(taken.map(({ after }) => asOnWindows(after)));
    },
  );
}

function afterOnWindows({ text, path }: Linted, rule: string): readonly string[] {
  return takenFrom(lintWithAll(asOnWindows(text), path), rule).map(({ after }) => after);
}
