import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
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
