import { expect, test } from 'vitest';
import { readTree } from '../../../../src/probe/calls/tree-references.ts';

test.each([
  ['a function', '{FUNCEXPR :funcid 16395 :funcresulttype 23}', { functions: [16395] }],
  [
    'an operator, and its function',
    '{OPEXPR :opno 96 :opfuncid 65 :opresulttype 16}',
    { operators: [96], functions: [65] },
  ],
  [
    'an operator of a stored tree, which leaves its function open',
    '{OPEXPR :opno 96 :opfuncid 0}',
    { operators: [96], functions: [] },
  ],
  [
    'an aggregate and a window function',
    '{AGGREF :aggfnoid 2108} {WINDOWFUNC :winfnoid 3100}',
    { functions: [2108, 3100] },
  ],
  [
    'lines that the server wrapped',
    '{FUNCEXPR :funcid\n16395 :opno\n97}',
    { functions: [16395], operators: [97] },
  ],
  [
    'nothing behind a name that looks like a field: blanks in names are escaped',
    ':aliasname :funcid\\ 5',
    { functions: [] },
  ],
])('%s', (_, tree, found) => {
  expect(readTree(tree)).toMatchObject(found);
});

test.each([
  [
    'PostgreSQL 18',
    '{RANGETBLENTRY :rtekind 0 :relid 16390 :inh true :perminfoindex 1} :rteperminfos ({RTEPERMISSIONINFO :relid 16390 :inh false :requiredPerms 3})',
  ],
  [
    'PostgreSQL 12',
    '{RTE :rtekind 0 :relid 16390 :relkind r :rellockmode 3 :tablesample <> :lateral false :inh false :inFromCl false :requiredPerms 3}',
  ],
])('a table that is written, of %s', (_, tree) => {
  expect(readTree(tree)).toMatchObject({ written: [16390] });
});

test('a table that is read is not written', () => {
  expect(readTree('{RTE :relid 16390 :relkind r :requiredPerms 2}')).toMatchObject({
    written: [],
  });
});
