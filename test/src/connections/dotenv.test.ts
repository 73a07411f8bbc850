import { expect, test } from 'vitest';
import { readDotenv } from '../../../src/connections/dotenv.ts';

const rows: readonly (readonly [
  what: string,
  text: string,
  expected: Readonly<Record<string, string>>,
])[] = [
  ['plain values', 'A=1\nB = two words \r\nC=', { A: '1', B: 'two words', C: '' }],
  [
    'export, comments, a byte order mark',
    '\uFEFF# first\nexport A=1 # one\n  #B=2\nC=x#y',
    { A: '1', C: 'x' },
  ],
  [
    'quotes, with what is behind them',
    `A='it is # here' # not\nB="say \\"hi\\"\\nyou"\nC=\`a 'b' "c"\``,
    { A: 'it is # here', B: 'say "hi"\nyou', C: `a 'b' "c"` },
  ],
  [
    'values over several lines',
    'KEY="-----BEGIN\nline\n-----END"\nNEXT=1',
    { KEY: '-----BEGIN\nline\n-----END', NEXT: '1' },
  ],
  ['a quote that is never closed', `A='open\nB=2`, { A: "'open", B: '2' }],
  ['YAML-like lines', 'A: 1\nB:2', { A: '1' }],
  ['the last of two values', 'A=1\nA=2', { A: '2' }],
  [
    'variables of the file, whatever their order',
    'URL=postgres://${USER}@$HOST:${PORT:-5432}/shop\nUSER=app\nHOST=localhost',
    { URL: 'postgres://app@localhost:5432/shop', USER: 'app', HOST: 'localhost' },
  ],
  ['no variables in single quotes', "A=1\nB='${A}'", { A: '1', B: '${A}' }],
  [
    'what nobody set, and what would be run',
    'A=${NOBODY}\nB=$(id)\nC=`id`\nD=pa$$word',
    { A: '${NOBODY}', B: '$(id)', C: 'id', D: 'pa$$word' },
  ],
  ['an escaped dollar sign', 'A=1\nB=\\${A}', { A: '1', B: '${A}' }],
  [
    'defaults and alternatives, nested',
    'E=\nA=${E:-x}\nB=${E-x}\nC=${E:+x}\nD=${N:-${M:-deep}}',
    { E: '', A: 'x', B: '', C: '', D: 'deep' },
  ],
  ['a circle', 'A=${B}\nB=${A}', { A: '${A}', B: '${A}' }],
];

test.each(rows)('reads %s', (_, text, expected) => {
  expect(Object.fromEntries(readDotenv(text).variables)).toEqual(expected);
});

test('names of prototypes are names like others', () => {
  expect([...readDotenv('__proto__=1\nconstructor=2\nA=${toString}').variables]).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
    ['A', '${toString}'],
  ]);
});

test('in files for Compose a comment begins after a space', () => {
  expect(readDotenv('A=x#y\nB=x # y\nC=# y', { comment: 'after space' }).variables).toEqual(
    new Map([
      ['A', 'x#y'],
      ['B', 'x'],
      ['C', ''],
    ]),
  );
});

const longest = 1024 * 1024;

test.each([
  ['line ends', '\n'],
  ['spaces', ' '],
  ['quotes', '"'],
  ['open quotes', 'A="\\"\n'],
  ['escaped quotes', '\\"'],
  ['names', 'A'],
  ['exports', 'export '],
  ['equal signs', 'A=\n'],
  ['references', 'A=${A\n'],
  ['open braces', '${'],
  ['long lines of references', `${'${A:-'.repeat(1500)}\nA=`],
  ['growth', `A${'x'.repeat(20)}=$A$A$A$A$A\nA=${'y'.repeat(4000)}\n`],
])('a megabyte of %s is read in time that grows with its length', (_, part) => {
  // What grew with the square of the length would not end within the time limit of any test.
  readDotenv(`X=${part.repeat(Math.ceil(longest / part.length)).slice(0, longest)}`);
  readDotenv(part.repeat(Math.ceil(longest / part.length)).slice(0, longest));
});

/** Each names the next one, and the last of them one that is there. */
function chain(length: number, reference: (next: string) => string): string {
  const lines = Array.from({ length }, (_, at) => `V${at}=${reference(`V${at + 1}`)}`);
  return [...lines, `V${length}=localhost`].join('\n');
}

test.each([
  ['plainly', (next: string) => `$${next}`],
  ['as a default of one that nobody set', (next: string) => `\${NOBODY:-\${${next}}}`],
  ['in place of one that is set', (next: string) => `\${${next}:+\${${next}}}`],
])('variables that name one another %s are filled in, however many they are', (_, reference) => {
  const { variables, isOutgrown } = readDotenv(chain(4_999, reference));

  expect(new Set(variables.values())).toEqual(new Set(['localhost']));
  expect(isOutgrown).toBe(false);
});

test('variables in a circle stay as they are written where it closes', () => {
  expect(Object.fromEntries(readDotenv('A=1$B\nB=2$C\nC=3$A\nD=${D:-x}').variables)).toEqual({
    A: '123$A',
    B: '23$A',
    C: '3$A',
    D: 'x',
  });
});

test('variables that double each other are filled in up to a megabyte, and the rest is left as it is written', () => {
  const doubling = chain(4_999, (next) => `$${next}$${next}`);
  const { variables, isOutgrown } = readDotenv(doubling);
  const sizes = [...variables.values()].map(({ length }) => length);

  expect(isOutgrown).toBe(true);
  expect(variables.get('V4998')).toBe('localhostlocalhost');
  expect(variables.get('V0')).toBe('$V1$V1');
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2 * 1024 * 1024);
});
