import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drivers } from '../../rules/model/drivers.ts';

const rows = readFileSync(new URL('../../docs/drivers.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'));

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
