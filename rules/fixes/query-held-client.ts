import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { awaited } from './edits.ts';
import type { Edit, Suggestion } from './suggestion.ts';
import { calledMember, type Request } from '../syntax/call-chain.ts';
import { handleOf } from '../values/handles.ts';
import type { Resolver } from '../values/resolver.ts';
import {
  findAncestor,
  memberName,
  unwrap,
  type SourceFile,
  type Variable,
  contains,
  parentOf,
} from '../syntax/source-file.ts';
import { isVisible } from './visible.ts';
import { tellHandle } from './tell-handle.ts';
import { isAskedInside } from '../values/handle-call.ts';
import { takingCall } from '../values/library-calls.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { isChain } from '../syntax/chains.ts';

/**
 * `pool.query()` becomes `client.query()` where a variable holds the client on every way there. Not in a `catch`
 * or `finally` of what may have begun a transaction, because one that has failed takes no statement, nor where the code goes on when
 * the query fails, and not beside a cursor or a COPY, whose end it would wait for.
 */
export function queryHeldClient(
  checkout: Checkout,
  call: CallNode,
  file: SourceFile,
): readonly Suggestion[] {
  const { callee } = call;
  const fn = findAncestor(call, isFunction);
  if (
    callee.type !== 'MemberExpression' ||
    callee.optional ||
    memberName(callee) !== methods.query ||
    fn === undefined ||
    !isOrdinary(call, file)
  )
    return [];
  const edits = waitEdits(call, fn);
  if (edits === undefined || streams.test(file.text.slice(...fn.range))) return [];
  const begun = beginsOf(checkout);
  if (begun.length > 0 && (isInHandler(call, fn) || goesOnAfterFailure(call, begun))) return [];
  const holder = holderAt(call, fn, checkout, file);
  return holder === undefined
    ? []
    : [
        {
          messageId: 'queryClient',
          data: { client: holder.name },
          edits: [{ range: callee.object.range, text: holder.name }, ...edits],
        },
      ];
}

/** The transaction's handle takes the place of the outer one, or is told to the query, where it is in sight. */
export function useHandle(
  checkout: Checkout,
  call: Request,
  file: SourceFile,
  resolver: Resolver,
): readonly Suggestion[] {
  const fn = findAncestor(call, isFunction);
  const taking = takingCall(call, file, resolver);
  const holder = fn === undefined ? undefined : holderAt(call, fn, checkout, file);
  if (taking === undefined || holder === undefined || goesOnAfterFailure(call, [])) return [];
  if (taking.library.isTold)
    return call.type === 'CallExpression'
      ? tellHandle(taking, call, holder.name, (node) => isHandleAt(call, node, checkout))
      : [];
  return isAskedInside(taking) ? inPlace(taking.handle, call, holder, { file, resolver }) : [];
}

/** A node is the client of the checkout on every way on which a call is made. */
export function isHandleAt(call: Node, node: Node, checkout: Checkout): boolean {
  const facts = checkout.exploration.states.flatMap(({ point, fact }) =>
    point.node === call ? [fact] : [],
  );
  return facts.length > 0 && facts.every((fact) => checkout.valueOf(node, fact) === 'client');
}

/** `db.insert()` becomes `tx.insert()` where the transaction's handle has that method. */
function inPlace(
  handle: Node,
  call: Request,
  { name }: Variable,
  { file, resolver }: { readonly file: SourceFile; readonly resolver: Resolver },
): readonly Suggestion[] {
  const replaced = alikeIn(handle, call, file, resolver);
  return replaced === undefined
    ? []
    : [
        {
          messageId: 'useHandle',
          data: { client: name },
          edits: [{ range: replaced.range, text: name }],
        },
      ];
}

/** The part of a handle's expression in whose place a transaction's handle can stand: of `dataSource.getRepository(User)` the data source. */
function alikeIn(
  handle: Node,
  call: Request,
  file: SourceFile,
  resolver: Resolver,
): Node | undefined {
  const plain = unwrap(handle);
  const value = resolver.abstractValueOf(plain, file);
  const alike = handleOf(value, resolver)?.library.derives.alike ?? null;
  if (alike === null) return handle;
  if (memberName(plain) === alike) return handle;
  if (plain.type === 'CallExpression' && plain.callee.type === 'MemberExpression')
    return alikeIn(plain.callee.object, plain, file, resolver);
  return value?.kind === 'pool' &&
    call.type === 'CallExpression' &&
    calledMember(call) !== value.driver.acquire
    ? handle
    : undefined;
}

/** The variable that holds the client on every way to a place. */
function holderAt(
  call: Node,
  fn: Node,
  checkout: Checkout,
  file: SourceFile,
): Variable | undefined {
  const facts = checkout.exploration.states.flatMap(({ point, fact }) =>
    point.node === call ? [fact] : [],
  );
  if (!facts.every(({ status }) => status === 'held')) return undefined;
  const [first, ...others] = facts.map((fact) => checkout.variablesWithClient(fact));
  return first?.find(
    (variable) =>
      others.every((each) => each.includes(variable)) &&
      isVisible(variable, call, file) &&
      isDeclaredIn(fn, variable),
  );
}

const streams = /cursor|stream|copy/iu;

/** Statements that begin or end a transaction, or change the session, mean another connection. */
function isOrdinary({ arguments: [sql] }: CallNode, file: SourceFile): boolean {
  if (sql === undefined || sql.type === 'SpreadElement') return false;
  return (
    (sql.type !== 'Literal' && sql.type !== 'TemplateLiteral') ||
    /^[`'"]\s*(?:select|insert|update|delete|with)\b/iu.test(file.text.slice(...sql.range))
  );
}

/** One query at a time: it is awaited, or it can be where it is returned. */
function waitEdits(call: CallNode, fn: Node): readonly Edit[] | undefined {
  if (call.parent.type === 'AwaitExpression') return [];
  return call.parent.type === 'ReturnStatement' && isFunction(fn) && fn.async
    ? awaited([call])
    : undefined;
}

function beginsOf({ session }: Checkout): readonly Node[] {
  return [...session.sent].flatMap(([call, { kinds }]) =>
    kinds.some(({ transaction }) => transaction === 'begin') ? [call] : [],
  );
}

function isInHandler(call: Node, fn: Node): boolean {
  const handler = findAncestor(
    call,
    (each): each is Node =>
      each === fn ||
      each.type === 'CatchClause' ||
      (each.parent?.type === 'TryStatement' && each.parent.finalizer === each),
  );
  return handler !== fn;
}

function isDeclaredIn(fn: Node, { identifiers: [name] }: Variable): boolean {
  return name !== undefined && findAncestor(name as unknown as Node, isFunction) === fn;
}

/**
 * Whether the code goes on in the same transaction when a call fails. On the connection of that transaction the failure would abort it,
 * and its COMMIT would roll back without an error (PostgreSQL, COMMIT). A `try` in which the transaction begins ends with it.
 */
function goesOnAfterFailure(call: Node, begun: readonly Node[]): boolean {
  for (
    let inner = call, up = parentOf(call);
    up !== undefined && !isFunction(up);
    inner = up, up = parentOf(up)
  ) {
    if (isChain(up) && up.callee === inner && memberName(inner) === 'catch') return true;
    const handler = up.type === 'TryStatement' && up.block === inner ? up.handler : null;
    if (handler && !endsInThrow(handler.body) && !begun.some((each) => contains(inner, each)))
      return true;
  }
  return false;
}

function endsInThrow({ body }: TSESTree.BlockStatement): boolean {
  return body.at(-1)?.type === 'ThrowStatement';
}
