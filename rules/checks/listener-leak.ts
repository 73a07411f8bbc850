import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Here } from '../values/resolver.ts';
import { constantText } from '../syntax/constants.ts';
import { someIn } from '../syntax/preorder.ts';
import {
  contains,
  findAncestor,
  parentOf,
  variableOf,
  type SourceFile,
  declarationOf,
} from '../syntax/source-file.ts';
import type { Finding } from './finding.ts';
import { checkedOut, stepOf } from './path-step.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import { excerpt } from '../syntax/excerpt.ts';
import { runsOnce } from '../syntax/runs-once.ts';

/** Listeners that are put on a client at each checkout and are still there when it goes back to the pool: one finding a listener. */
export function findListenerLeaks(checkout: Checkout, here: Here): readonly Finding[] {
  const { file } = here;
  const { acquisition, graph, exploration, listeningReleases } = checkout;
  // Whoever lends a client may take off what the callback put on it.
  if (
    listeningReleases.size === 0 ||
    !exploration.isComplete ||
    acquisition.style === 'lent' ||
    runsOnce(graph.root, file) ||
    isFirstOfItsPool(checkout, here)
  )
    return [];
  return [...listeningReleases]
    .filter(([call]) => !isAskedBefore(call, graph.root, file))
    .map(([call, release]) => describe(checkout, call, release, file));
}

/** The function makes the pool that it asks, so that this is no checkout of many. */
function isFirstOfItsPool({ acquisition: { call } }: Checkout, { file, resolver }: Here): boolean {
  const asked =
    call.type === 'CallExpression' && call.callee.type === 'MemberExpression'
      ? call.callee.object
      : undefined;
  if (asked === undefined) return false;
  const pool = resolver.abstractValueOf(asked, file);
  const made =
    pool?.kind === 'pool' && pool.site.file === file ? pool.site.node : madeHere(asked, file);
  const maker = made === undefined ? undefined : findAncestor(made, isFunction);
  return maker !== undefined && contains(maker, call);
}

/** `const pool = new this.postgres.Pool()`: whatever it is, it is new. */
function madeHere(name: Node, file: SourceFile): Node | undefined {
  const definition = declarationOf(variableOf(file, name));
  return definition?.type === 'VariableDeclarator' && definition.init?.type === 'NewExpression'
    ? definition.init
    : undefined;
}

/** `if (!client.listenerCount('error'))`, `if (known.has(client)) return`: what is done once for each connection is told apart by a test that asks about the client. */
function isAskedBefore({ callee }: CallNode, root: Node, file: SourceFile): boolean {
  const client = callee.type === 'MemberExpression' ? file.text.slice(...callee.object.range) : '';
  return someIn(file, root, (node) => {
    const test =
      node.type === 'IfStatement' || node.type === 'ConditionalExpression'
        ? node.test
        : node.type === 'LogicalExpression'
          ? node.left
          : undefined;
    return test !== undefined && asksAbout(test, client, file);
  });
}

/** Whether a test looks at a property of the client, or gives it to a function. */
function asksAbout(test: Node, client: string, file: SourceFile): boolean {
  return someIn(file, test, (node) => {
    const up = parentOf(node);
    const isUsed =
      up?.type === 'MemberExpression' ? up.object === node : up?.type === 'CallExpression';
    return isUsed && node !== test && file.text.slice(...node.range) === client;
  });
}

function describe(checkout: Checkout, call: CallNode, release: Node, file: SourceFile): Finding {
  const { acquisition } = checkout;
  const event = call.arguments[0] === undefined ? undefined : constantText(call.arguments[0]);
  const line = String(release.loc.start.line);
  return {
    rule: 'no-listener-leak',
    messageId: 'left',
    data: {
      pool: acquisition.poolText,
      line,
      what:
        excerpt(call.callee, file).slice(0, -1) + (event === undefined ? '()`' : `('${event}')\``),
      event: event ?? '…',
    },
    place: call.loc,
    steps: [
      checkedOut(checkout),
      stepOf(call, file, 'adds a listener to its connection.'),
      stepOf(release, file, 'releases the client with the listener still on it.'),
    ],
    suggestions: removal(checkout, call, release, file),
  };
}

/** `client.off('error', onError)` before the only release, where the listener has a name that is known there. */
function removal(
  { releases }: Checkout,
  { callee, arguments: [event, listener] }: CallNode,
  release: Node,
  file: SourceFile,
): readonly Suggestion[] {
  const statement = statementOf(release);
  const client = nameOfReceiver(callee);
  const released = release.type === 'CallExpression' ? nameOfReceiver(release.callee) : undefined;
  if (releases !== 1 || statement === undefined || client === undefined || client !== released)
    return [];
  return offBefore(statement, client, event, listener, file);
}

function offBefore(
  statement: Node,
  client: string,
  event: Node | undefined,
  listener: Node | undefined,
  file: SourceFile,
): readonly Suggestion[] {
  if (
    event === undefined ||
    constantText(event) === undefined ||
    listener?.type !== 'Identifier' ||
    !isLasting(listener, statement, file)
  )
    return [];
  const indent = /(?<![ \t])[ \t]*$/u.exec(file.text.slice(0, statement.range[0]))?.[0] ?? '';
  const text = `${client}.off(${file.text.slice(...event.range)}, ${listener.name});\n${indent}`;
  return [
    {
      messageId: 'removeBefore',
      data: { event: constantText(event) ?? '' },
      edits: [{ range: [statement.range[0], statement.range[0]], text }],
    },
  ];
}

/** The statement in a block that consists of nothing but the release. */
function statementOf(release: Node): Node | undefined {
  const statement = parentOf(release);
  return statement?.type === 'ExpressionStatement' && parentOf(statement)?.type === 'BlockStatement'
    ? statement
    : undefined;
}

function nameOfReceiver(callee: Node): string | undefined {
  return callee.type === 'MemberExpression' && callee.object.type === 'Identifier'
    ? callee.object.name
    : undefined;
}

/** A function declaration, a parameter, an import or a constant that is still the same at the release. */
function isLasting(name: TSESTree.Identifier, release: Node, file: SourceFile): boolean {
  const variable = variableOf(file, name);
  const [definition] = variable?.defs ?? [];
  const block = variable?.scope.block as unknown as Node | undefined;
  if (
    variable === undefined ||
    definition === undefined ||
    block === undefined ||
    !contains(block, release)
  )
    return false;
  const node = definition.node as Node;
  // Where an inner name hides it, it is somebody else's.
  const isConstant =
    node.type !== 'VariableDeclarator' ||
    (node.parent.type === 'VariableDeclaration' && node.parent.kind === 'const');
  return (
    isConstant &&
    !variable.references.some((each) => each.isWrite() && each.init !== true) &&
    !isHidden(name.name, block, release, file)
  );
}

function isHidden(name: string, block: Node, release: Node, file: SourceFile): boolean {
  return file.scopes.scopes.some((scope) => {
    const inner = scope.block as unknown as Node;
    return (
      inner !== block &&
      contains(block, inner) &&
      contains(inner, release) &&
      scope.set.has(name) &&
      !isFunctionName(inner, name)
    );
  });
}

function isFunctionName(node: Node, name: string): boolean {
  return isFunction(node) && node.id?.name === name;
}
