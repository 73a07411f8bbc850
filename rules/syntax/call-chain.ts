import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from './node.ts';
import { memberName, parentOf } from './source-file.ts';

/** The methods that are called on what a call gives, as far as the chain goes. */
export function methodsBehind(call: TSESTree.CallExpression): readonly string[] {
  const names: string[] = [];
  for (let next = nextInChain(call); next !== undefined; next = nextInChain(next))
    names.push(calledMember(next) ?? '');
  return names;
}

function nextInChain(call: Node): TSESTree.CallExpression | undefined {
  const member = parentOf(call);
  const next =
    member?.type === 'MemberExpression' && member.object === call ? parentOf(member) : undefined;
  return next?.type === 'CallExpression' && next.callee === member ? next : undefined;
}

export function calledMember({ callee }: TSESTree.CallExpression): string | undefined {
  return callee.type === 'MemberExpression' ? memberName(callee) : undefined;
}

const settlers: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

/** Somebody waits for what a chain gives: with `await`, `then`, as one of several, or as what a function gives back. */
export function isWaitedFor(call: TSESTree.CallExpression): boolean {
  let last: Node = call;
  for (let next = nextInChain(last); next !== undefined; next = nextInChain(last)) {
    if (settlers.has(calledMember(next) ?? '')) return true;
    last = next;
  }
  const up = parentOf(last);
  return up !== undefined && waitsFor(up, last);
}

function waitsFor(up: Node, value: Node): boolean {
  switch (up.type) {
    case 'AwaitExpression':
    case 'ReturnStatement':
      return true;
    case 'ArrowFunctionExpression':
      return up.body === value;
    case 'ForOfStatement':
      return up.await && up.right === value;
    case 'ArrayExpression':
      return isGivenToPromise(up);
    default:
      return false;
  }
}

function isGivenToPromise(array: Node): boolean {
  const call = parentOf(array);
  return (
    call?.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    call.callee.object.type === 'Identifier' &&
    call.callee.object.name === 'Promise'
  );
}
