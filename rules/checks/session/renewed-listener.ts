import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction } from '../../syntax/node.ts';
import { methods } from '../../model/drivers.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  definitionOf,
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../../syntax/source-file.ts';
import { clientOf } from './pooled-clients.ts';

const ends: ReadonlySet<unknown> = new Set(['error', 'end']);
const subscribing: ReadonlySet<string | undefined> = new Set(['on', 'once', 'addListener']);
const beginsAgain =
  /reconnect|restart|renew|retry|resubscribe|relisten|^(?:start|connect|listen|subscribe)/iu;

const givesBack = /release|^done$|destroy/iu;

/**
 * Whether the program takes another client when the connection of the one that listens ends: a listener of its 'error' or 'end' gives
 * the client back, so that its place in the pool is free, and calls the function around the LISTEN again, or one whose name says as much.
 */
export function isRenewed(listen: TSESTree.CallExpression, file: SourceFile): boolean {
  const client = clientOf(listen);
  const variable = client === undefined ? undefined : variableOf(file, unwrap(client));
  const around = nameOf(findAncestor(listen, isFunction));
  return (variable?.references ?? []).some(({ identifier }) => {
    const listener = endListener(identifier as unknown as Node);
    return listener !== undefined && callsAgain(listener, around, file);
  });
}

/** `client.on('error', listener)` */
function endListener(client: Node): Node | undefined {
  const member = parentOf(client);
  const call = member === undefined ? undefined : parentOf(member);
  if (
    member?.type !== 'MemberExpression' ||
    member.object !== client ||
    call?.type !== 'CallExpression' ||
    call.callee !== member ||
    !subscribing.has(memberName(member))
  )
    return undefined;
  const [event, listener] = call.arguments;
  return event?.type === 'Literal' && ends.has(event.value) ? listener : undefined;
}

function callsAgain(listener: Node, around: string | undefined, file: SourceFile): boolean {
  const body =
    listener.type === 'Identifier'
      ? (definitionOf(variableOf(file, listener))?.node ?? listener)
      : listener;
  const names: string[] = listener.type === 'Identifier' ? [listener.name] : [];
  walk(file, body as Node, (node) => {
    // An argument as well, because of `setTimeout(start, 1000)`.
    if (node.type === 'CallExpression')
      names.push(...[node.callee, ...node.arguments].flatMap((each) => calledName(each) ?? []));
    return true;
  });
  // A client that is ended instead keeps its place in the pool taken.
  return (
    names.some((name) => givesBack.test(name)) &&
    !names.includes('end') &&
    names.some((name) => name === around || name === methods.acquire || beginsAgain.test(name))
  );
}

function calledName(node: Node): string | undefined {
  const plain = unwrap(node);
  return plain.type === 'Identifier'
    ? plain.name
    : plain.type === 'MemberExpression'
      ? memberName(plain)
      : undefined;
}

/** What a function is called: by itself, the variable or the property that it is the value of. */
function nameOf(fn: Node | undefined): string | undefined {
  if (fn === undefined || !isFunction(fn)) return undefined;
  const name = (fn.type === 'ArrowFunctionExpression' ? null : fn.id) ?? holderOf(fn);
  return name?.type === 'Identifier' ? name.name : undefined;
}

function holderOf(fn: Node): Node | undefined {
  const up = parentOf(fn);
  switch (up?.type) {
    case 'VariableDeclarator':
      return up.id;
    case 'MethodDefinition':
    case 'Property':
    case 'PropertyDefinition':
      return up.key;
    default:
      return undefined;
  }
}
