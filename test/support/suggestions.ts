import { Linter } from 'eslint';
import { dirname } from 'node:path';
import { parser } from 'typescript-eslint';
import { expect, test } from 'vitest';
import plugin from '../../rules/index.ts';

type Message = Linter.LintMessage;

/** A text and what all rules say about it. */
export interface Linted {
  readonly text: string;
  readonly path: string;
  readonly messages: readonly Message[];
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
    Object.keys(plugin.rules).map((id) => [`poolguard/${id}`, 'error'] as const),
  );
  const config: Linter.Config = {
    files: ['**/?*'],
    plugins: { poolguard: plugin },
    rules,
    languageOptions: { parser, sourceType: path.endsWith('.cjs') ? 'commonjs' : 'module' },
  };
  return {
    text,
    path,
    messages: new Linter({ cwd: dirname(path) }).verify(text, [config], {
      filename: path,
      allowInlineConfig: false,
    }),
  };
}

/** The text with each suggestion taken, one a suggestion, those of one rule where it is named. */
export function takenFrom({ text, messages }: Linted, rule?: string): readonly Taken[] {
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
      }) => ({ message, title: desc, after: text.slice(0, start) + replacement + text.slice(end) }),
    ),
  );
}

/** The suggestion leaves a text that parses, without what it mends, and in which nothing is reported that was not there before. */
export function expectMended(before: Linted, { message, after }: Taken): void {
  const [was, is] = [countsOf(before), countsOf(lintWithAll(after, before.path))];
  const mended = identityOf(message, before.text);
  const added = [...is.keys()].filter(
    (identity) => (is.get(identity) ?? 0) > (was.get(identity) ?? 0),
  );
  expect(added.filter((identity) => !wasHidden(identity, before.text, after))).toEqual([]);
  expect(is.get(mended) ?? 0).toBeLessThan(was.get(mended) ?? 0);
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

/** One test a sample: the rule reports it, and offers exactly these changes, each of which mends. Samples begin with a pool unless told otherwise. */
export function checkSuggestions(
  rule: string,
  samples: readonly SuggestionSample[],
  header = poolHeader,
): void {
  test.each(samples.map((sample) => [sample.name, sample] as const))(
    '%s',
    (_name, { code, outputs, title }) => {
      const before = lintWithAll(header + code);
      const taken = takenFrom(before, rule);
      expect(before.messages.map(({ ruleId }) => ruleId)).toContain(`poolguard/${rule}`);
      expect(taken.map(({ after }) => after)).toEqual(outputs.map((output) => header + output));
      if (title !== undefined) expect(taken.map((each) => each.title)).toEqual([title]);
      for (const each of taken) expectMended(before, each);
    },
  );
}
