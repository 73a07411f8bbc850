import { dirtySites } from '../typestate/leftovers.ts';
import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../syntax/node.ts';
import type { Point } from '../flow/graph.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { callbackOf } from '../typestate/call-semantics.ts';
import { methods } from '../model/drivers.ts';
import { areApart } from './edits.ts';
import type { Edit, Suggestion } from './suggestion.ts';
import { someIn } from '../syntax/preorder.ts';
import { contains, variableOf, type SourceFile, type Variable } from '../syntax/source-file.ts';
import { beginsLine, indentAt, indentLines } from './lines.ts';
import { isVisible } from './visible.ts';

/** What the callback of a checkout got, and how it is given back. */
interface Giver {
  readonly name: TSESTree.Identifier;
  readonly variable: Variable;
  readonly value: 'release' | 'client';
  /** `done()`, `client.release()` */
  readonly text: string;
}

/** Gives the client back before every `return` that leaves a callback with it. Empty when it is also lost in another way. */
export function callDone(checkout: Checkout, file: SourceFile): readonly Suggestion[] {
  const { call, style } = checkout.acquisition;
  const callback = style === 'callback' && call.type === 'CallExpression' ? callbackOf(call) : null;
  const giver = callback === null ? undefined : giverOf(callback, callback.body, file);
  const exits = giver === undefined ? undefined : losingReturns(checkout);
  if (giver === undefined || exits === undefined || exits.length === 0) return [];
  const edits: Edit[] = [];
  for (const exit of exits) {
    const own = isHeldAt(exit, giver, checkout, file)
      ? releaseBefore(exit, giver.text, file)
      : undefined;
    if (own === undefined) return [];
    edits.push(...own);
  }
  return areApart(edits) ? [{ messageId: 'callDone', data: { release: giver.text }, edits }] : [];
}

/** The statements with which the client is lost; undefined when it is lost without one, too. */
function losingReturns({
  acquisition,
  exploration: { states },
}: Checkout): readonly TSESTree.ReturnStatement[] | undefined {
  const held = new Set(
    states.flatMap(({ point, fact }) =>
      fact.status === 'held' && !fact.followsImplicitThrow ? [point] : [],
    ),
  );
  const returns = [...held].filter(
    ({ node }) => node?.type === 'ReturnStatement' && !contains(node, acquisition.call),
  );
  const losing = returns.filter((point) => reachesEnd([point], held, new Set()));
  // A `return` around a callback comes after what was lost in it.
  const inner = new Set(
    losing.filter(
      ({ node }) =>
        !losing.some(
          (other) =>
            other.node !== node &&
            node !== null &&
            other.node !== null &&
            contains(node, other.node),
        ),
    ),
  );
  if (reachesEnd([...held].slice(0, 1), held, inner)) return undefined;
  return [
    ...new Set([...inner].flatMap(({ node }) => (node?.type === 'ReturnStatement' ? node : []))),
  ];
}

/** Whether control comes to an end of the function while the client is held, and passes none of these points. */
function reachesEnd(
  from: readonly Point[],
  held: ReadonlySet<Point>,
  stops: ReadonlySet<Point>,
): boolean {
  const seen = new Set(from);
  for (const point of seen) {
    if (point.kind === 'exit' || point.kind === 'throw-exit') return true;
    if (stops.has(point)) continue;
    for (const { to, when } of point.edges)
      if (when !== 'implicit-throw' && held.has(to)) seen.add(to);
  }
  return false;
}

/** What a callback `(error, client, done)` has to give the client back, where it is in sight of a place. */
export function giverOf(
  { params: [, client, done] }: FunctionNode,
  place: Node,
  file: SourceFile,
): Giver | undefined {
  const name = done ?? client;
  const variable = variableOf(file, name);
  if (name?.type !== 'Identifier' || variable === undefined) return undefined;
  if (!isVisible(variable, place, file)) return undefined;
  return done === undefined
    ? { name, variable, value: 'client', text: `${name.name}.${methods.release}()` }
    : { name, variable, value: 'release', text: `${name.name}()` };
}

/** On every way to this `return` the client is out, and what it returns has nothing to do with it. */
function isHeldAt(
  exit: TSESTree.ReturnStatement,
  { name, variable, value }: Giver,
  checkout: Checkout,
  file: SourceFile,
): boolean {
  const facts = checkout.exploration.states
    .filter(({ point }) => point.node === exit)
    .map(({ fact }) => fact);
  if (
    !isVisible(variable, exit, file) ||
    !facts.every(
      (fact) =>
        fact.status === 'held' &&
        fact.transaction !== 'open' &&
        dirtySites(fact).length === 0 &&
        checkout.valueOf(name, fact) === value,
    )
  )
    return false;
  return !someIn(
    file,
    exit,
    (node) =>
      node.type === 'Identifier' && facts.some((fact) => isOwn(checkout.valueOf(node, fact))),
  );
}

function isOwn(value: string | undefined): boolean {
  return value === 'client' || value === 'release' || value === 'collection';
}

function releaseBefore(
  exit: TSESTree.ReturnStatement,
  release: string,
  file: SourceFile,
): readonly Edit[] | undefined {
  const { text } = file;
  const [start, end] = exit.range;
  const statement = text.slice(...exit.range).endsWith(';') ? `${release};` : release;
  const up: Node = exit.parent;
  if (up.type === 'BlockStatement' || up.type === 'SwitchCase') {
    const isOwnLine = beginsLine(text, start);
    return isOwnLine || statement.endsWith(';')
      ? [
          {
            range: [start, start],
            text: statement + (isOwnLine ? `\n${indentAt(text, start)}` : ' '),
          },
        ]
      : undefined;
  }
  if (up.type !== 'IfStatement') return undefined;
  const before = text.slice(0, start).trimEnd().length;
  if (!/[)e]$/u.test(text.slice(0, before))) return undefined;
  if (!beginsLine(text, up.range[0]))
    return [
      { range: [start, start], text: `{ ${release}; ` },
      { range: [end, end], text: ' }' },
    ];
  const outer = indentAt(text, up.range[0]);
  const isBelow = beginsLine(text, start);
  const inner = isBelow ? indentAt(text, start) : outer + unitAround(up, file);
  return [
    { range: [before, start], text: ` {\n${inner}${statement}\n${inner}` },
    ...(isBelow
      ? []
      : indentLines(file, [start, end], inner.slice(outer.length), [exit], []).filter(
          ({ range }) => range[0] > start,
        )),
    { range: [end, end], text: `\n${outer}}` },
  ];
}

/** By how much the `if` stands further in than what is around it. */
function unitAround(statement: Node, { text }: SourceFile): string {
  const own = indentAt(text, statement.range[0]);
  const outer = statement.parent === undefined ? '' : indentAt(text, statement.parent.range[1] - 1);
  return own.startsWith(outer) && own.length > outer.length ? own.slice(outer.length) : '  ';
}
