import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from './node.ts';
import { isChain } from './chains.ts';
import { memberName, parentOf } from './source-file.ts';

/** What the code around a value does with it. */
export type Use =
  /** `value.member`, called or not. */
  | {
      readonly kind: 'receiver';
      readonly member: string | undefined;
      readonly call: CallNode | null;
    }
  | { readonly kind: 'callee'; readonly call: CallNode | TSESTree.NewExpression }
  /** Given to a call, by itself or inside an object or array. */
  | {
      readonly kind: 'argument';
      readonly call: CallNode | TSESTree.NewExpression;
      readonly inCollection: boolean;
    }
  /** Leaves through `return` or `yield`. */
  | { readonly kind: 'returned'; readonly inCollection: boolean }
  /** Assigned to something that is not a plain variable; `target` is null for a class field. */
  | { readonly kind: 'stored'; readonly target: Node | null }
  /** Bound to a variable; `inCollection` when an object or array around it is. */
  | { readonly kind: 'bound'; readonly inCollection: boolean }
  /** Compared, tested, printed, awaited. */
  | { readonly kind: 'neutral' };

const neutral: Use = { kind: 'neutral' };

/** Parents that hand a value on unchanged. */
const transparent: ReadonlySet<string> = new Set([
  'AwaitExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'ChainExpression',
  'SpreadElement',
  'SequenceExpression',
]);
const collections: ReadonlySet<string> = new Set([
  'ObjectExpression',
  'ArrayExpression',
  'Property',
]);

/** `isPromise`: where the value is awaited, something else goes on. */
export function useOf(value: Node, isPromise = false): Use {
  let node = value;
  let inCollection = false;
  for (let up = parentOf(node); up !== undefined; up = parentOf(node)) {
    if (isPromise && up.type === 'AwaitExpression') return neutral;
    if (collections.has(up.type)) inCollection = true;
    else if (!handsOn(up, node)) return useIn(up, node, inCollection);
    node = up;
  }
  return neutral;
}

function handsOn(up: Node, node: Node): boolean {
  if (up.type === 'ConditionalExpression') return up.test !== node;
  if (up.type === 'LogicalExpression') return up.operator !== '&&' || up.right === node;
  return transparent.has(up.type);
}

function useIn(up: Node, node: Node, inCollection: boolean): Use {
  switch (up.type) {
    case 'MemberExpression':
      return up.object === node ? receiverOf(up) : neutral;
    case 'CallExpression':
    case 'NewExpression':
      return up.callee === node
        ? { kind: 'callee', call: up }
        : { kind: 'argument', call: up, inCollection };
    case 'ReturnStatement':
    case 'YieldExpression':
    case 'ExportDefaultDeclaration':
      return { kind: 'returned', inCollection };
    case 'ArrowFunctionExpression':
      return up.body === node ? { kind: 'returned', inCollection } : neutral;
    case 'AssignmentExpression':
      return up.right !== node
        ? neutral
        : up.left.type === 'MemberExpression'
          ? { kind: 'stored', target: up.left }
          : { kind: 'bound', inCollection };
    case 'PropertyDefinition':
      return { kind: 'stored', target: null };
    case 'VariableDeclarator':
      return { kind: 'bound', inCollection };
    default:
      return neutral;
  }
}

function receiverOf(member: TSESTree.MemberExpression): Use {
  let callee: Node = member;
  while (parentOf(callee)?.type === 'TSNonNullExpression') callee = parentOf(callee) ?? callee;
  const up = parentOf(callee);
  const call = up?.type === 'CallExpression' && up.callee === callee && !isChain(up) ? up : null;
  return { kind: 'receiver', member: memberName(member), call };
}
