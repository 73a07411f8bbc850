import { describe, expect, it } from 'vitest';
import type { Hover } from 'vscode-languageserver';
import { createInspector } from '../../../../src/lint/linter.ts';
import { poolguard } from '../../../../src/lint/analyser.ts';
import { wordingFor } from '../../../../src/server/held/wording.ts';
import { toHeldLines } from '../../../../src/server/held-lines.ts';
import { hoverAt } from '../../../../src/server/hovers.ts';
import { hintsIn } from '../../../../src/server/inlay-hints.ts';
import { snapshots } from '../../../../src/server/snapshot.ts';

const uri = 'file:///shop/app%20(1).ts';
const text = `import { Pool } from 'pg';
const pool = new Pool();
export async function pay(id: number) {
  const client = await pool.connect();
  await client.query('BEGIN');
  await fetch('https://bank.test');
  await client.query('UPDATE orders SET paid = true');
  await client.query('COMMIT');
  client.release();
}
export async function count() {
  const other = await pool.connect();
  try {
    return await other.query('SELECT 1');
  } finally {
    other.release();
  }
}
`;
const snapshot = snapshots.create(uri, 'typescript', 1, text);
const inspect = createInspector(poolguard, {});
const spans = inspect({ path: '/app.ts', text }).spans();
const markdown = wordingFor(snapshot, ['markdown', 'plaintext']);

function valueOf(hover: Hover | null): string | undefined {
  return hover !== null && typeof hover.contents === 'object' && 'value' in hover.contents
    ? hover.contents.value
    : undefined;
}

function placeOf(words: string, offset = 1) {
  const at = text.indexOf(words) + offset;
  return snapshot.positions.ofOffsets(at, at).start;
}

describe('a hover', () => {
  const story = [
    '**Client of `pool`**, held from [line 4](file:///shop/app%20%281%29.ts#L4) to [line 9](file:///shop/app%20%281%29.ts#L9)',
    '3 statements, in a transaction: `BEGIN`, `UPDATE orders SET paid`, `COMMIT`',
    'Held during an HTTP request: `fetch` on [line 6](file:///shop/app%20%281%29.ts#L6)',
    'Released on [line 9](file:///shop/app%20%281%29.ts#L9)',
    '**Leaks** if the function exits at [line 5](file:///shop/app%20%281%29.ts#L5) and [line 6](file:///shop/app%20%281%29.ts#L6)',
    'Each leak takes one of 10 clients (the default `max`) permanently; when none is left, callers wait indefinitely',
  ];

  it.each([
    ['the acquire', 'pool.connect'],
    ['the variable', 'client = '],
    ['the release', 'client.release'],
  ])('tells the story at %s', (_, words) => {
    expect(valueOf(hoverAt(snapshot, placeOf(words), spans, markdown))?.split('\n\n')).toEqual(
      story,
    );
  });

  it.each([
    ['a query', "client.query('BEGIN"],
    ['the next function', 'count'],
    ['an import', 'import'],
  ])('says nothing at %s', (_, words) => {
    expect(hoverAt(snapshot, placeOf(words), spans, markdown)).toBeNull();
  });

  it('has no marks where the editor shows none', () => {
    const told = valueOf(
      hoverAt(snapshot, placeOf('other = '), spans, wordingFor(snapshot, undefined)),
    );
    expect(told).toBe(
      'Client of pool, held from line 12 to line 16\n1 statement: SELECT 1\nReleased on line 16',
    );
  });

  it('shows hostile text as text', () => {
    const pool = 'x["`](command:a) **b**\u202E <img>"]';
    const hostile = `import { Pool } from 'pg';\nconst x: Record<string, Pool> = {};\nexport async function f() {\n  const c = await (${pool}).connect();\n  await c.query('SELECT 1');\n  c.release();\n}\n`;
    const [span] = inspect({ path: '/app.ts', text: hostile }).spans();
    expect(span).toBeDefined();
    const told = markdown.code(span?.pool ?? '');
    expect(told.startsWith('`` ') && told.endsWith(' ``')).toBe(true);
    expect(told).not.toMatch(/[\u202E\n]/u);
    expect(markdown.code('a\n\n# b``c`')).toBe('``` a # b``c` ```');
    expect(wordingFor({ ...snapshot, uri: 'command:x' }, ['markdown']).line(3)).toBe('line 3');
    expect(wordingFor({ ...snapshot, uri: 'untitled:a](b) `c`' }, ['markdown']).line(3)).toBe(
      '[line 3](untitled:a%5D%28b%29%20%60c%60#L3)',
    );
  });
});

describe('hints', () => {
  const everything = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };

  it('stand behind acquires and releases', () => {
    expect(
      hintsIn(snapshot, everything, spans, markdown).map(({ position: { line }, label }) => [
        line + 1,
        label,
      ]),
    ).toEqual([
      [4, 'leaks at line 5 · 1 slow call'],
      [9, 'held since line 4'],
      [12, 'held to line 16 · 1 statement'],
      [16, 'held since line 12'],
    ]);
  });

  it('are those of the asked lines', () => {
    expect(
      hintsIn(
        snapshot,
        { start: { line: 10, character: 0 }, end: { line: 12, character: 0 } },
        spans,
        markdown,
      ).map(({ position }) => position),
    ).toEqual([{ line: 11, character: 37 }]);
  });
});

it('held lines are whole lines, and say whether the client is lost', () => {
  expect(toHeldLines(spans, snapshot.positions)).toEqual([
    {
      ranges: [{ start: { line: 3, character: 0 }, end: { line: 8, character: 0 } }],
      isLeaked: true,
    },
    {
      ranges: [{ start: { line: 11, character: 0 }, end: { line: 15, character: 0 } }],
      isLeaked: false,
    },
  ]);
});
