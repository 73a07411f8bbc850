import {
  isFunction,
  isClass,
  type FunctionNode,
  type Node,
  type CallNode,
} from '../syntax/node.ts';
import {
  findAncestor,
  keyName,
  parentOf,
  referencesTo,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { isInGraph } from '../typestate/outlives.ts';
import { isExportsObject } from '../values/assigned.ts';
import { handlingOf } from '../values/pools/request-handlers.ts';
import type { Here } from '../values/resolver.ts';
import { statementsIn } from '../values/texts/statements.ts';
import type { Finding } from './finding.ts';
import { stepAt, stepOf } from './path-step.ts';
import { keptClient, type KeptClient } from './kept-client.ts';
import type { Analysis } from './analysis.ts';
import { nameOfFunction } from '../syntax/calls.ts';

/** Clients that are checked out once, kept for all who come, and released nowhere. */
export function findSharedClients(analysis: Analysis): readonly Finding[] {
  const { checkouts } = analysis;
  return checkouts.flatMap((checkout) => sharedBy(checkout, analysis) ?? []);
}

function sharedBy(checkout: Checkout, here: Here): Finding | undefined {
  const { file } = here;
  const { call, style } = checkout.acquisition;
  if ((style !== 'promise' && style !== 'callback') || handlingOf(call, file) !== undefined)
    return undefined;
  const kept = keptClient(checkout, here);
  if (kept === undefined || hasWorkOfItsOwn(kept, here)) return undefined;
  const others = kept.queries.filter((query) => !isInGraph(query, checkout.graph));
  const handled = others.map((query) => ({ query, handling: handlingOf(query, file) }));
  if (handled.some(({ handling }) => handling?.isLambda)) return undefined;
  const inRequest = handled.find(({ handling }) => handling !== undefined)?.query;
  const query = inRequest ?? others.find((each) => isOpen(each, kept, file));
  return query && describeKept(checkout, kept, query, file);
}

/** It listens, holds a lock, streams the log, or is in a transaction that its object begins and ends. */
function hasWorkOfItsOwn({ queries, clientOwner }: KeptClient, { file, resolver }: Here): boolean {
  return queries
    .flatMap((query) => statementsIn(query, file, resolver))
    .some(
      ({ effect, verb, transaction }) =>
        effect === 'listen' ||
        effect === 'advisory-lock' ||
        verb === 'START_REPLICATION' ||
        (transaction !== null && clientOwner.kind === 'field'),
    );
}

function describeKept(
  { acquisition: { call, poolText } }: Checkout,
  { clientOwner }: KeptClient,
  query: CallNode,
  file: SourceFile,
): Finding {
  const name = clientOwner.kind === 'field' ? `this.${clientOwner.name}` : clientOwner.name.name;
  return {
    rule: 'no-unreleased-client',
    messageId: 'keptForAll',
    data: { pool: poolText, clientOwner: name, line: String(query.loc.start.line) },
    place: call.loc,
    steps: [
      stepAt(call, `A client is checked out of ${poolText} and kept in ${name}.`),
      stepOf(query, file, 'uses it for every caller.'),
    ],
  };
}

/** Anybody may call the function around a query: a method of the class that keeps the client, or what the file exports. */
function isOpen(query: Node, { clientOwner }: KeptClient, file: SourceFile): boolean {
  const fn = outermostFunction(query);
  if (fn === undefined) return false;
  return clientOwner.kind === 'field' ? isOpenMember(parentOf(fn)) : isExportedFunction(fn, file);
}

/** Below the class, or the file. */
function outermostFunction(node: Node): FunctionNode | undefined {
  let outermost: FunctionNode | undefined;
  for (let up = parentOf(node); up !== undefined && !isClass(up); up = parentOf(up))
    if (isFunction(up)) outermost = up;
  return outermost;
}

function isOpenMember(member: Node | undefined): boolean {
  return (
    (member?.type === 'MethodDefinition' || member?.type === 'PropertyDefinition') &&
    member.accessibility !== 'private' &&
    keyName(member.key, member.computed)?.startsWith('#') === false &&
    keyName(member.key, member.computed) !== 'constructor'
  );
}

function isExportedFunction(fn: FunctionNode, file: SourceFile): boolean {
  return [fn, ...referencesTo(nameOfFunction(fn), file)].some((each) => isPutOut(each, file));
}

/** `export const find = …`, `export { find }`, `module.exports = { find }`, `exports.find = find` */
function isPutOut(value: Node, file: SourceFile): boolean {
  const exported = findAncestor(
    value,
    (each): each is Node =>
      !transparent.has(each.type) &&
      each.type !== 'VariableDeclarator' &&
      each.type !== 'VariableDeclaration',
  );
  if (exported?.type === 'AssignmentExpression') {
    const { left } = exported;
    return (
      isExportsObject(left, file) ||
      (left.type === 'MemberExpression' && isExportsObject(left.object, file))
    );
  }
  return (
    exported?.type === 'ExportNamedDeclaration' ||
    exported?.type === 'ExportDefaultDeclaration' ||
    exported?.type === 'ExportSpecifier'
  );
}

const transparent: ReadonlySet<string> = new Set(['Property', 'ObjectExpression']);
