import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import { methods } from '../../model/drivers.ts';
import type { Checkout } from '../client/checkout.ts';
import type { Edit, Suggestion } from '../findings/finding.ts';
import { isFunction } from '../identity/entities.ts';
import { findAncestor, memberName, type SourceFile, type Variable } from '../files/source-file.ts';
import { awaited } from './add-await.ts';
import { isVisible } from './visible.ts';

/**
 * `pool.query()` becomes `client.query()` where a variable holds the client on every way there. Not in a `catch` while a transaction
 * is open, because one that has failed takes no statement, and not beside a cursor or a COPY, whose end it would wait for.
 */
export function queryHeldClient(checkout: Checkout, call: TSESTree.CallExpression, file: SourceFile): readonly Suggestion[] {
  const { callee } = call;
  const fn = findAncestor(call, isFunction);
  if (callee.type !== 'MemberExpression' || callee.optional || memberName(callee) !== methods.query || fn === undefined || !isOrdinary(call, file)) return [];
  const edits = waitEdits(call, fn);
  if (edits === undefined || streams.test(file.text.slice(...fn.range))) return [];
  const facts = checkout.exploration.states.flatMap(({ point, fact }) => (point.node === call ? [fact] : []));
  if (!facts.every((fact) => fact.status === 'held' && !(fact.inTransaction && isInHandler(call, fn)))) return [];
  const [first, ...others] = facts.map((fact) => checkout.variablesWithClient(fact));
  const holder = first?.find((variable) => others.every((each) => each.includes(variable)) && isVisible(variable, call, file) && isDeclaredIn(fn, variable));
  return holder === undefined ? [] : [{ messageId: 'queryClient', data: { client: holder.name }, edits: [{ range: callee.object.range, text: holder.name }, ...edits] }];
}

const streams = /cursor|stream|copy/iu;

/** Statements that begin or end a transaction, or change the session, mean another connection. */
function isOrdinary({ arguments: [sql] }: TSESTree.CallExpression, file: SourceFile): boolean {
  if (sql === undefined || sql.type === 'SpreadElement') return false;
  return (sql.type !== 'Literal' && sql.type !== 'TemplateLiteral') || /^[`'"]\s*(?:select|insert|update|delete|with)\b/iu.test(file.text.slice(...sql.range));
}

/** One query at a time: it is awaited, or it can be where it is returned. */
function waitEdits(call: TSESTree.CallExpression, fn: Node): readonly Edit[] | undefined {
  if (call.parent.type === 'AwaitExpression') return [];
  return call.parent.type === 'ReturnStatement' && isFunction(fn) && fn.async ? awaited([call]) : undefined;
}

function isInHandler(call: Node, fn: Node): boolean {
  const handler = findAncestor(call, (each): each is Node => each.type === 'CatchClause' || each === fn);
  return handler?.type === 'CatchClause';
}

function isDeclaredIn(fn: Node, { identifiers: [name] }: Variable): boolean {
  return name !== undefined && findAncestor(name as unknown as Node, isFunction) === fn;
}
