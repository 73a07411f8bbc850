import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drivers } from '../../rules/model/drivers.ts';
import { libraries } from '../../rules/model/libraries.ts';

const lines = readFileSync(new URL('../../docs/drivers.md', import.meta.url), 'utf8').split('\n');
const rows = lines.filter((line) => line.startsWith('| `'));
const libraryRows = lines
  .slice(lines.indexOf('## Query builders and ORMs'))
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split(' | '));

test('each driver has its row, in the order of the table', () => {
  expect(rows.map((row) => row.split('`')[1])).toEqual(drivers.map(({ module }) => module));
});

test.each(drivers)(
  'the row of $module says how a client is got and whether every rule holds',
  ({ module, acquire, database }) => {
    const row = rows.find((each) => each.startsWith(`| \`${module}\` |`)) ?? '';
    expect(row).toContain(`.${acquire}()`);
    expect(row.includes('| every rule |')).toBe(database === 'postgresql');
  },
);

test('each import of a library has its row, in the order of the table', () => {
  expect(
    libraryRows.flatMap(([name = '', modules = '']) =>
      [...modules.matchAll(/`([^`]+)`/gu)].map(([, module]) => [name.slice(2), module]),
    ),
  ).toEqual(libraries.map(({ name, module }) => [name, module]));
});

test.each(libraries)(
  'the row of $module says what holds a connection and what is checked',
  ({ module, lends, begins, sends, joins, models, holds: decorators }) => {
    const [, , holds = '', checked = ''] =
      libraryRows.find(([, modules = '']) => modules.includes(`\`${module}\``)) ?? [];
    expect([...holds.matchAll(/`\w+\.([^`]+)`/gu)].map(([, call]) => call)).toEqual([
      ...lends
        .filter(({ path }) => path !== '')
        .map(({ path, by }) => (by === null ? `${path}(callback)` : `${path}().${by}(callback)`)),
      ...begins.map(({ path, by }) => (by === null ? `${path}()` : `${path}().${by}()`)),
    ]);
    for (const name of [...decorators, ...models.functions]) expect(holds).toContain(`${name}(`);
    expect(checked.replace(/`[^`]+`(?:, `[^`]+`)*/u, 'queries').replace(' |', '')).toBe(
      [...(sends.length > 0 ? ['queries'] : []), ...(joins ? [] : ['transactions'])].join(', ') ||
        'not checked',
    );
  },
);
