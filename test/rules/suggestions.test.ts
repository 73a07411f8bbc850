import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, simpleTraverse, AST_NODE_TYPES } from '@typescript-eslint/typescript-estree';
import { afterAll, describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { codeBlocksOf } from '../support/code-blocks.ts';
import { poolModule } from '../support/pool-module.ts';
import { asOnWindows, expectMended, lintWithAll, takenFrom } from '../support/suggestions.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
/** What the examples of the pages import from. */
const project = await createTemporaryFolder({ 'pool.js': poolModule() });

afterAll(() => project[Symbol.asyncDispose]());

interface Source {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

function filesIn(folder: string): readonly Source[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(?:ts|js|cjs)$/u.test(path),
  );
  return paths.sort().map((path) => ({
    name: path,
    path: join(root, folder, path),
    text: readFileSync(join(root, folder, path), 'utf8'),
  }));
}

function examplesOfPages(): readonly Source[] {
  const folder = join(root, 'docs/rules');
  return readdirSync(folder).flatMap((file) =>
    codeBlocksOf(readFileSync(join(folder, file), 'utf8'))
      .filter(({ caption }) => caption.startsWith('❌'))
      .map(({ language, text, line }) => ({
        name: `${file}:${line}`,
        path: join(project.path, `example.${language}`),
        text,
      })),
  );
}

const sources = {
  'leaky-api': filesIn('examples/leaky-api'),
  'the wrong examples of the pages': examplesOfPages(),
  'shapes of real code': filesIn('test/fixtures/suggestions'),
};

const cases = Object.entries(sources).flatMap(([group, files]) =>
  files.flatMap(({ name, path, text }) => {
    const before = lintWithAll(text, path);
    return takenFrom(before).map((taken) => ({
      title: `${group}, ${name}:${taken.message.line} ${taken.title}`,
      before,
      taken,
    }));
  }),
);

test.each(cases)('$title', ({ before, taken }) => {
  expectMended(before, taken);
  expect(strangeLines(taken.after)).toEqual(strangeLines(before.text));
});

test.each(Object.values(sources).flat())(
  '$name: the suggestions in lines of Windows, behind a byte order mark',
  ({ path, text }) => {
    const [here, there] = [text, asOnWindows(text)].map((each) =>
      takenFrom(lintWithAll(each, path)).map(({ after }) => after),
    );
    expect(there).toEqual(here?.map(asOnWindows));
  },
);

/** How else a receiver may be written. */
const receivers: Readonly<Record<string, (receiver: string, at: number) => string>> = {
  'in parentheses': (receiver) => `(${receiver})`,
  cast: (receiver) => `(${receiver} as unknown)`,
  'cast to what has less': (receiver) =>
    `(${receiver} as unknown as { end(): Promise<void>; readonly [name: string]: any })`,
  'said to be there': (receiver) => `${receiver}!`,
  'behind a comment': (receiver, at) => `(/* the one of ${at} */ ${receiver})`,
  'before a comment': (receiver, at) => `${receiver} /* the one of ${at} */`,
};

function wrapReceivers(text: string, wrap: (receiver: string, at: number) => string): string {
  const ranges: (readonly [number, number])[] = [];
  simpleTraverse(parse(text, { range: true }), {
    enter(node) {
      if (
        node.type === AST_NODE_TYPES.CallExpression &&
        node.callee.type === AST_NODE_TYPES.MemberExpression &&
        node.callee.object.type === AST_NODE_TYPES.Identifier
      )
        ranges.push(node.callee.object.range);
    },
  });
  return ranges
    .sort(([a], [b]) => b - a)
    .reduce(
      (whole, [start, end]) =>
        whole.slice(0, start) + wrap(whole.slice(start, end), start) + whole.slice(end),
      text,
    );
}

describe.each(Object.entries(receivers))('receivers %s', (_, wrap) => {
  const linted = Object.values(sources)
    .flat()
    .filter(({ path }) => !path.endsWith('.cjs'))
    .map(({ name, path, text }) => ({
      name,
      before: lintWithAll(wrapReceivers(text, wrap), path.replace(/\.js$/u, '.ts')),
    }));
  const offered = linted.flatMap(({ name, before }) =>
    takenFrom(before).map((taken) => ({
      title: `${name}:${taken.message.line} ${taken.title}`,
      before,
      taken,
    })),
  );

  test('parse, and are offered changes', () => {
    expect(linted.flatMap(({ before }) => before.messages.filter(({ fatal }) => fatal))).toEqual(
      [],
    );
    expect(offered.length).toBeGreaterThan(20);
  });

  test.each(offered)('$title', ({ before, taken }) => {
    expectMended(before, taken);
  });
});

test('each rule that is said to have suggestions shows one here, and no other', () => {
  const offering = Object.entries(plugin.rules)
    .filter(([, { meta }]) => meta.hasSuggestions === true)
    .map(([id]) => `poolguard/${id}`);
  expect([...new Set(cases.map(({ taken }) => taken.message.ruleId))].sort()).toEqual(
    offering.sort(),
  );
});

/** Lines that end in white space, and empty lines before a closing brace. */
function strangeLines(text: string): readonly string[] {
  return text.match(/^.*[ \t]+$|^\s*\n\s*\}/gmu) ?? [];
}
