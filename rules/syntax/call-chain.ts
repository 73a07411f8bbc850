import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction, type CallNode } from './node.ts';
import { calledName } from './calls.ts';
import { findAncestor, memberName, parentOf } from './source-file.ts';
import { isOfPromise } from './promise-calls.ts';

/** What may ask a database for something: `db.select()`, and the tagged template in ``await sql`SELECT 1` ``. */
export type Request = CallNode | TSESTree.TaggedTemplateExpression;

export function isRequest(node: Node): node is Request {
  return node.type === 'CallExpression' || node.type === 'TaggedTemplateExpression';
}

/** `db.select` of `db.select()`, `sql` of ``sql`SELECT 1` `` */
export function askedBy(request: Request): Node {
  return request.type === 'CallExpression' ? request.callee : request.tag;
}

/** The methods that are called on what a call gives, as far as the chain goes. */
export function methodsBehind(call: Node): readonly string[] {
  const names: string[] = [];
  for (let next = nextInChain(call); next !== undefined; next = nextInChain(next))
    names.push(calledMember(next) ?? '');
  return names;
}

export function nextInChain(call: Node): CallNode | undefined {
  const member = parentOf(call);
  const next =
    member?.type === 'MemberExpression' && member.object === call ? parentOf(member) : undefined;
  return next?.type === 'CallExpression' && next.callee === member ? next : undefined;
}

/** `pool.query(…).catch(log)` of `pool.query(…)` */
export function lastInChain(call: Node): Node {
  const next = nextInChain(call);
  return next === undefined ? call : lastInChain(next);
}

/** `query` of `client.query()`; undefined for what calls no member. */
export function calledMember(call: Node | undefined): string | undefined {
  return call?.type === 'CallExpression' ? memberName(call.callee) : undefined;
}

/** `client` of `client.query()`; undefined for what calls no member. */
export function receiverOf(call: Node | undefined): Node | undefined {
  const callee = call?.type === 'CallExpression' ? call.callee : undefined;
  return callee?.type === 'MemberExpression' ? callee.object : undefined;
}

export const settlers: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

/** Whether somebody waits for a value here, whether a function gives it back and its callers may, or neither. */
export type Wait = 'waited for' | 'given back' | 'dropped';

/** Who waits for what a chain gives: with `await`, `then`, as one of several, or as what a function gives back. */
export function waitFor(request: Node): Wait {
  let last: Node = request;
  for (let next = nextInChain(last); next !== undefined; next = nextInChain(last)) {
    if (settlers.has(calledMember(next) ?? '')) return 'waited for';
    last = next;
  }
  return waitForValue(last);
}

function waitForValue(value: Node): Wait {
  const up = parentOf(value);
  switch (up?.type) {
    case 'AwaitExpression':
      return 'waited for';
    case 'ReturnStatement':
      return waitForResult(findAncestor(up, isFunction));
    case 'ArrowFunctionExpression':
      return up.body === value ? waitForResult(up) : 'dropped';
    case 'ForOfStatement':
      return up.await && up.right === value ? 'waited for' : 'dropped';
    case 'ArrayExpression':
      return isGivenToPromise(up) ? 'waited for' : 'dropped';
    default:
      return up !== undefined && handsOn(up, value) ? waitForValue(up) : 'dropped';
  }
}

/** An expression whose value may be that of a part of it. */
function handsOn(up: Node, part: Node): boolean {
  switch (up.type) {
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'ChainExpression':
      return true;
    case 'LogicalExpression':
      return up.operator !== '&&' || up.right === part;
    case 'ConditionalExpression':
      return up.test !== part;
    default:
      return false;
  }
}

/** What becomes of what a function gives back. */
function waitForResult(fn: FunctionNode | undefined): Wait {
  if (fn === undefined) return 'dropped';
  if (fn.async) return 'waited for';
  const call = parentOf(fn);
  return call?.type === 'CallExpression' && call.callee !== fn
    ? waitForCallback(call)
    : 'given back';
}

/** What becomes of what a function gives to what calls it. */
function waitForCallback(call: CallNode): Wait {
  const name = calledName(call.callee) ?? '';
  if (droppers.has(name)) return 'dropped';
  if (folds.has(name)) return waitForValue(call);
  return !rounds.has(name) || isListWaitedFor(call) ? 'waited for' : 'given back';
}

/** What calls a function and does not look at what it gives. */
const droppers: ReadonlySet<string> = new Set([
  'forEach',
  'setTimeout',
  'setInterval',
  'setImmediate',
]);

/** Methods that give back what a function gave for each element. */
const rounds: ReadonlySet<string> = new Set(['map', 'flatMap']);

/** Methods that give what the last call of a function gave. */
const folds: ReadonlySet<string> = new Set(['reduce', 'reduceRight']);

/** `Promise.all(ids.map(…))`, `Promise.all([...ids.map(…)])` */
function isListWaitedFor(list: Node): boolean {
  const up = parentOf(list);
  if (up?.type === 'SpreadElement')
    return up.parent.type === 'ArrayExpression' && isListWaitedFor(up.parent);
  return isGivenToPromise(list);
}

/** `Promise.all(list)` and its like. */
function isGivenToPromise(list: Node): boolean {
  const call = parentOf(list);
  return isOfPromise(call) && call.callee !== list;
}
