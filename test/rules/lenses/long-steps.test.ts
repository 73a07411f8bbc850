import { expect, test } from 'vitest';
import { inspected } from '../../support/inspected.ts';

const header = "import { Pool } from 'pg'; const pool = new Pool();\n";

/** The pieces of what is sent. */
function sent(code: string): readonly (readonly string[])[] {
  return inspected(header + code)
    .statements()
    .filter(({ isSent }) => isSent)
    .map(({ pieces }) => pieces);
}

function chain(steps: number, next: (before: string) => string): string {
  return Array.from(
    { length: steps },
    (_, index) => `const s${index + 1} = ${next(`s${index}`)};`,
  ).join('\n');
}

const start = "const s0 = 'SELECT id FROM users';\n";

test('what a text is does not depend on who asks first', () => {
  const steps = chain(300, (before) => `${before} + ' '`);
  const asked = (queries: string): readonly (readonly string[])[] =>
    sent(`${start}${steps}\n${queries}`);
  const short = 'SELECT id FROM users' + ' '.repeat(20);
  expect(asked('pool.query(s300);')).toEqual([]);
  expect(asked('pool.query(s20); pool.query(s50); pool.query(s100); pool.query(s300);')).toEqual(
    asked('pool.query(s20); pool.query(s50); pool.query(s100);'),
  );
  expect(asked('pool.query(s300); pool.query(s20);')).toEqual([[short]]);
});

test('texts that are asked for in circles are the same for each of them', () => {
  const circle = "let a = 'SELECT id FROM users', b = a;\nif (x) a = b.trim();\n";
  expect(sent(`${circle}pool.query(a); pool.query(b);`)).toEqual([]);
  expect(sent(`${circle}pool.query(b); pool.query(a);`)).toEqual([]);
});

test('a text that doubles with each step is not known, soon', () => {
  const steps = chain(60, (before) => `${before} + ${before}`);
  expect(sent(`${start}${steps}\npool.query(s60); pool.query(s1);`)).toEqual([
    ['SELECT id FROM usersSELECT id FROM users'],
  ]);
});

test('a sum of three hundred is one text', () => {
  const sum = Array.from({ length: 300 }, () => "' '").join(' + ');
  expect(sent(`pool.query('SELECT id FROM users' + ${sum});`)).toEqual([
    ['SELECT id FROM users' + ' '.repeat(300)],
  ]);
});
