import { parseForESLint } from '@typescript-eslint/parser';
import { expect, test } from 'vitest';
import { buildGraph } from '../../../rules/flow/build-graph.ts';
import type { CallSemantics } from '../../../rules/flow/builder.ts';
import type { FunctionNode, Node } from '../../../rules/syntax/node.ts';
import type { Point } from '../../../rules/flow/graph.ts';
import { childrenOf } from '../../../rules/syntax/preorder.ts';
import type { SourceFile } from '../../../rules/syntax/source-file.ts';

/**
 * The orders in which the calls of a function body can run, loops taken once: `a b!` means that `a` ran and `b` threw.
 * Calls throw as awaits do.
 */
function runsOf(body: string, star = ''): readonly string[] {
  const code = `async function${star} f() { ${body} }`;
  const parsed = parseForESLint(code, { range: true, loc: true });
  const file = {
    path: '',
    text: code,
    ast: parsed.ast,
    scopes: parsed.scopeManager,
    visitorKeys: parsed.visitorKeys,
  } as unknown as SourceFile;
  setParents(file, file.ast);
  const semantics: CallSemantics = {
    givesValue: () => false,
    throws: (node) => (node.type === 'CallExpression' ? 'yes' : 'no'),
    neverReturns: () => false,
    alwaysThrows: () => false,
    executorOf: () => null,
    runBehind: () => [],
    callbackOf: () => null,
    immediateOf: () => null,
    functionOf: () => null,
    handlerOf: () => null,
    throwsAsHandler: () => 'yes',
    childrenOf: (node) => childrenOf(file, node),
  };
  const graph = buildGraph(file.ast.body[0] as FunctionNode, semantics);
  return graph === null ? [] : [...new Set(follow(graph.entry, [], new Map()))].sort();
}

function setParents(file: SourceFile, node: Node): void {
  for (const child of childrenOf(file, node)) {
    child.parent = node;
    setParents(file, child);
  }
}

function follow(
  point: Point,
  ran: readonly string[],
  visits: ReadonlyMap<Point, number>,
): readonly string[] {
  const times = (visits.get(point) ?? 0) + 1;
  if (times > 2) return [];
  if (point.kind === 'exit') return [ran.join(' ')];
  if (point.kind === 'throw-exit') return [`${ran.join(' ')} → throws`];
  const counted = new Map(visits).set(point, times);
  const call =
    point.kind === 'eval' &&
    point.node?.type === 'CallExpression' &&
    point.node.callee.type === 'Identifier'
      ? point.node.callee.name
      : undefined;
  // What nobody handles ends its chain here; the code around it goes on as after any other end.
  const edges = point.edges.filter(({ when }) => point.kind !== 'unhandled' || when === 'throw');
  return edges.flatMap(({ to, when }) =>
    follow(to, call === undefined ? ran : [...ran, when === 'throw' ? `${call}!` : call], counted),
  );
}

test.each([
  [
    'try--finally',
    'try { a(); } finally { z(); }',
    ['a z', 'a z! → throws', 'a! z → throws', 'a! z! → throws'],
  ],
  [
    'try--catch',
    'try { a(); } catch { b(); } c();',
    ['a c', 'a c! → throws', 'a! b c', 'a! b c! → throws', 'a! b! → throws'],
  ],
  [
    'try--return-through-finally',
    'try { return a(); } finally { z(); } b();',
    ['a z', 'a z! → throws', 'a! z → throws', 'a! z! → throws'],
  ],
  ['try--finally-overrides', 'try { a(); } finally { return; }', ['a', 'a!']],
  [
    'loop--break-through-finally',
    'for (;;) { try { a(); break; } finally { z(); } }',
    ['a z', 'a z! → throws', 'a! z → throws', 'a! z! → throws'],
  ],
  ['logical--and', 'a() && b();', ['a', 'a b', 'a b! → throws', 'a! → throws']],
  [
    'optional--call',
    'x?.y(a()); b();',
    ['a b', 'a b! → throws', 'a! → throws', 'b', 'b! → throws', 'a → throws'].sort(),
  ],
  ['conditional', 'q ? a() : b();', ['a', 'a! → throws', 'b', 'b! → throws']],
  [
    'switch--fall-through',
    'switch (q) { case 1: a(); case 2: b(); break; default: c(); }',
    ['a b', 'a b! → throws', 'a! → throws', 'b', 'b! → throws', 'c', 'c! → throws'],
  ],
  [
    'label--break',
    'out: { if (q) break out; a(); } b();',
    ['a b', 'a b! → throws', 'a! → throws', 'b', 'b! → throws'],
  ],
  ['throw--in-catch', 'try { a(); } catch (e) { throw e; }', ['a', 'a! → throws']],
  [
    'switch--default-in-the-middle',
    'switch (q) { case 1: a(); break; default: b(); case 2: c(); }',
    ['a', 'a! → throws', 'b c', 'b c! → throws', 'b! → throws', 'c', 'c! → throws'],
  ],
  [
    'label--continue',
    'out: for (const x of q) { for (;;) { try { a(); continue out; } finally { z(); } } }',
    [
      '',
      'a z',
      'a z a z! → throws',
      'a z a! z → throws',
      'a z a! z! → throws',
      'a z! → throws',
      'a! z → throws',
      'a! z! → throws',
    ],
  ],
  [
    'assignment--nullish',
    'x ??= a(); b();',
    ['a b', 'a b! → throws', 'a! → throws', 'b', 'b! → throws'],
  ],
  [
    'assignment--and',
    'x &&= a(); b();',
    ['a b', 'a b! → throws', 'a! → throws', 'b', 'b! → throws'],
  ],
  [
    'pattern--default',
    'const { x = a() } = q; b();',
    ['a b', 'a b! → throws', 'a! → throws', 'b', 'b! → throws'],
  ],
  [
    'pattern--default-in-an-array',
    'const [{ x = a() }] = q; b();',
    ['a b', 'a b! → throws', 'a! → throws', 'b', 'b! → throws'],
  ],
  [
    'class--definition',
    'class A extends a() { [k()] = x(); static y = b(); static { c(); } }',
    ['a k b c', 'a k b c! → throws', 'a k b! → throws', 'a k! → throws', 'a! → throws'],
  ],
  [
    'try--nested',
    'try { try { a(); } finally { y(); } } catch { c(); } finally { z(); }',
    [
      'a y z',
      'a y z! → throws',
      'a y! c z',
      'a y! c z! → throws',
      'a y! c! z → throws',
      'a y! c! z! → throws',
      'a! y c z',
      'a! y c z! → throws',
      'a! y c! z → throws',
      'a! y c! z! → throws',
      'a! y! c z',
      'a! y! c z! → throws',
      'a! y! c! z → throws',
      'a! y! c! z! → throws',
    ],
  ],
  [
    'finally--break-overrides',
    'for (;;) { try { a(); } finally { break; } } b();',
    ['a b', 'a b! → throws', 'a! b', 'a! b! → throws'],
  ],
  [
    'optional--chain',
    'x?.y.z(a())?.w(b()); c();',
    [
      'a b c',
      'a b c! → throws',
      'a b → throws',
      'a b! → throws',
      'a c',
      'a c! → throws',
      'a → throws',
      'a! → throws',
      'c',
      'c! → throws',
    ],
  ],
  ['while--true', 'while (true) { if (a()) break; }', ['a', 'a a', 'a a! → throws', 'a! → throws']],
])('%s', (_name, body, runs) => {
  expect(runsOf(body)).toEqual(runs);
});

test.each([
  ['yield--stopped', 'a(); yield 1; b();', ['a', 'a b', 'a b! → throws', 'a! → throws']],
  [
    'yield--stopped-through-finally',
    'try { yield a(); b(); } catch { c(); } finally { z(); }',
    [
      'a b z',
      'a b z! → throws',
      'a b! c z',
      'a b! c z! → throws',
      'a b! c! z → throws',
      'a b! c! z! → throws',
      'a z',
      'a z! → throws',
      'a! c z',
      'a! c z! → throws',
      'a! c! z → throws',
      'a! c! z! → throws',
    ],
  ],
])('%s', (_name, body, runs) => {
  expect(runsOf(body, '*')).toEqual(runs);
});

// A call in a chain may throw, and what it gave may reject: `a c` is the second.
test.each([
  [
    'chain--then-catch',
    'a().then(() => b()).catch(() => c());',
    ['a b', 'a b c', 'a b! c', 'a c', 'a! c'],
  ],
  ['chain--two-handlers', 'a().then(() => b(), () => c());', ['a b', 'a c', 'a! c']],
  ['chain--finally', 'return a().finally(() => z());', ['a z']],
])('%s', (_name, body, fulfilled) => {
  expect(runsOf(body).filter((run) => !run.endsWith('→ throws'))).toEqual(fulfilled);
});

test('a rejection passes handlers that are not its own', () => {
  expect(
    runsOf('a().then(() => b(), () => c());').filter((run) => run.endsWith('→ throws')),
  ).toEqual([
    'a b → throws',
    'a b! → throws',
    'a c → throws',
    'a c! → throws',
    'a! c → throws',
    'a! c! → throws',
  ]);
});
