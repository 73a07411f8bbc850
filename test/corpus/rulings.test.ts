import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkoutClasses } from './runner/classes.ts';
import { readSites, ruledBy, type Site } from './runner/labels.ts';
import { readTable } from './runner/table.ts';

const file = (name: string): string => join(import.meta.dirname, name);
const sites = ['sites.tsv', 'wild.tsv', 'unseen.tsv'].flatMap(
  (name) => readSites(file(name)).sites,
);
const { rows } = readTable(file('rulings.tsv'));

const isAt = (site: Site, repo: string, path: string, line: number): boolean =>
  site.repo === repo && site.path === path && site.line === line;

test.each(rows.map((cell) => [`${cell('repo')} ${cell('path')}:${cell('line')}`, cell] as const))(
  'a ruling is of a labelled site and a class, says why, and differs from a label: %s',
  (_place, cell) => {
    const line = Number(cell('line'));
    const own = sites.filter((site) => isAt(site, cell('repo'), cell('path'), line));
    expect(checkoutClasses.map(({ id }) => id)).toContain(cell('class'));
    expect(own.map(({ labels }) => labels[cell('class')]?.verdict)).not.toEqual(
      own.map(() => cell('ruling')),
    );
    expect(own.length).toBeGreaterThan(0);
    expect(cell('reason').length).toBeGreaterThan(20);
  },
);

test('a ruling changes the label of its class alone, and the first one stays known', () => {
  const [cell] = rows;
  const ruled = ruledBy(file('rulings.tsv'), sites).find(
    (site) => cell !== undefined && isAt(site, cell('repo'), cell('path'), Number(cell('line'))),
  );
  const name = cell?.('class') ?? '';
  expect(ruled?.labels[name]?.verdict).toBe(cell?.('ruling'));
  expect(ruled?.firstLabels[name]?.verdict).not.toBe(cell?.('ruling'));
  expect({ ...ruled?.labels, [name]: null }).toEqual({ ...ruled?.firstLabels, [name]: null });
});
