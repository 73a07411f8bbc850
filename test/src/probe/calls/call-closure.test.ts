import { expect, test } from 'vitest';
import type { NamedObject, RelationPart } from '../../../../src/database/read-call-facts.ts';
import { closeOver, type Closure, type Root } from '../../../../src/probe/calls/call-closure.ts';
import { callLines } from '../../../../src/probe/calls/describe-calls.ts';
import { aBook, aFunction } from '../../../support/a-function.ts';

const reading = { isWriting: false, allowed: new Set<string>() };
const writing = { ...reading, isWriting: true };

function fromStatement(references: Root['references']): readonly Root[] {
  return [{ caller: { label: 'the statement', above: null, allowedAs: null }, references }];
}

function close(...args: Parameters<typeof closeOver>): Closure {
  const closure = closeOver(...args);
  if (closure === null) throw new Error('too much');
  return closure;
}

function aPart(change: Partial<RelationPart>): RelationPart {
  return {
    oid: 30_000,
    schema: 'public',
    name: 't',
    relationKind: 'r',
    hasRowSecurity: false,
    kind: 'relation',
    part: 't',
    tree: null,
    functions: null,
    relations: null,
    types: null,
    ...change,
  };
}

function aName(change: Partial<NamedObject>): NamedObject {
  return {
    kind: 'function',
    oid: 20_001,
    name: 'g',
    schema: 'public',
    isAttribute: false,
    ...change,
  };
}

test('what was not read yet is missing, what PostgreSQL brings is not looked into', () => {
  const { missing } = close(
    fromStatement({
      functions: [65, 20_000],
      operators: [96, 30_001],
      types: [23, 30_002],
      relations: [1262, 30_003],
    }),
    aBook(),
    reading,
  );
  expect(missing).toMatchObject({
    functions: new Set([65, 20_000]),
    operators: new Set([30_001]),
    types: new Set([30_002]),
    relations: new Set([30_003]),
  });
});

test('a body names others, along the search path and that of the function', () => {
  const functions = new Map([
    [
      20_000,
      aFunction({
        source: 'SELECT g()',
        language: 'sql',
        settings: ['search_path=hidden, "$user"'],
      }),
    ],
  ]);
  const names = new Map([
    ['select', []],
    [
      'g',
      [
        aName({ schema: 'elsewhere', oid: 1 }),
        aName({ schema: 'hidden', oid: 20_002 }),
        aName({ schema: 'app', oid: 20_003 }),
      ],
    ],
  ]);
  const { missing } = close(
    fromStatement({ functions: [20_000] }),
    aBook({ functions, names }),
    reading,
  );
  expect(missing.functions).toEqual(new Set([20_002, 20_003]));
});

test('a function that is called like a column', () => {
  const functions = new Map([
    [20_000, aFunction({ source: 'SELECT o.evil FROM orders AS o', language: 'sql' })],
  ]);
  const names = new Map<string, readonly NamedObject[]>([
    ...['select', 'o', 'from', 'orders', 'as'].map((name) => [name, []] as const),
    ['evil', [aName({ name: 'evil', isAttribute: true })]],
  ]);
  expect(
    close(fromStatement({ functions: [20_000] }), aBook({ functions, names }), reading).missing
      .functions,
  ).toEqual(new Set([20_001]));
});

test('what an allowed function calls is not looked at', () => {
  const functions = new Map([[20_000, aFunction({ source: 'SELECT g()' })]]);
  const { missing, functions: called } = close(
    fromStatement({ functions: [20_000] }),
    aBook({ functions }),
    {
      ...reading,
      allowed: new Set(['public.f']),
    },
  );
  expect(called).toHaveLength(1);
  expect(missing.names.size).toBe(0);
});

test.each([
  ['reads', reading, ['index', 'policy', 'generated', 'view']],
  ['writes', writing, ['index', 'policy', 'generated', 'view', 'default', 'trigger', 'rule']],
] as const)('of a table, what runs when a statement %s', (_, rules, run) => {
  const kinds = ['index', 'policy', 'generated', 'default', 'trigger', 'rule'] as const;
  const parts = kinds.map((kind, at) =>
    aPart({ kind, part: kind, hasRowSecurity: true, functions: [20_000 + at] }),
  );
  const relations = new Map([
    [
      30_000,
      [
        ...parts,
        aPart({ kind: 'view', relationKind: 'v', functions: [20_100] }),
        aPart({ kind: 'view', relationKind: 'm', functions: [20_200] }),
      ],
    ],
  ]);
  const { missing } = close(
    fromStatement({ relations: [30_000], written: [30_000] }),
    aBook({ relations }),
    rules,
  );
  expect(
    [...missing.functions]
      .map((oid) => kinds[oid - 20_000] ?? (oid === 20_100 ? 'view' : oid))
      .sort(),
  ).toEqual([...run].sort());
});

test('policies of a table without row security do not run', () => {
  const relations = new Map([[30_000, [aPart({ kind: 'policy', functions: [20_000] })]]]);
  expect(
    close(fromStatement({ relations: [30_000] }), aBook({ relations }), reading).missing.functions
      .size,
  ).toBe(0);
});

test('a partition that is a foreign table', () => {
  const relations = new Map([
    [30_000, [aPart({ relations: [30_001] })]],
    [30_001, [aPart({ oid: 30_001, name: 'far', relationKind: 'f' })]],
  ]);
  expect(
    close(fromStatement({ relations: [30_000] }), aBook({ relations }), reading).foreignTables,
  ).toMatchObject([{ facts: { name: 'far' } }]);
});

test('functions behind each other end', () => {
  const names = new Map([
    ['select', []],
    ['f', [aName({ name: 'f', oid: 20_000 })]],
  ]);
  const functions = new Map([[20_000, aFunction({ source: 'SELECT f()', language: 'sql' })]]);
  expect(
    close(fromStatement({ functions: [20_000] }), aBook({ functions, names }), reading).functions,
  ).toHaveLength(1);
});

test('the plan names the view rather than the statement that holds it', () => {
  const functions = new Map([[20_000, aFunction({ name: 'order_total' })]]);
  const relations = new Map([
    [
      30_000,
      [aPart({ kind: 'view', relationKind: 'v', name: 'order_list', tree: ':funcid 20000' })],
    ],
  ]);
  const closure = close(
    fromStatement({ functions: [20_000], relations: [30_000] }),
    aBook({ functions, relations }),
    reading,
  );
  expect(callLines(closure, new Set())).toEqual([
    'public.order_total(integer): plpgsql, volatile, called by view public.order_list',
  ]);
});
