import { methods } from '../../model/drivers.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from '../../syntax/node.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  contains,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type Variable,
  isMember,
  referencesOf,
} from '../../syntax/source-file.ts';
import { callbackOf, namedCallbackOf } from '../../typestate/call-semantics.ts';
import { clientOf } from './pooled-clients.ts';
import type { SessionContext } from './state-call.ts';

const ends: ReadonlySet<unknown> = new Set(['error', 'end']);
const subscribing: ReadonlySet<string | undefined> = new Set(['on', 'once', 'addListener']);

/**
 * Whether the program takes another client when the connection of the one that listens ends: a listener of its 'error' or 'end' releases
 * the client, so that its place in the pool is free, and comes to the function around the LISTEN, to another checkout, or to code that nobody here knows.
 */
export function isRenewed(listen: CallNode, analysis: SessionContext): boolean {
  const client = clientOf(listen);
  const variable = client && variableOf(analysis.file, unwrap(client));
  return referencesOf(variable).some((name) => {
    const listener = endListener(name);
    return listener !== undefined && takesAnother(listener, variable, listen, analysis);
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

function takesAnother(
  listener: Node,
  client: Variable | undefined,
  listen: CallNode,
  analysis: SessionContext,
): boolean {
  const functions = functionsBehind(listener, listen, analysis);
  const encloses = (fn: FunctionNode): boolean => contains(fn, listen);
  const calls = functions.flatMap((fn) => (encloses(fn) ? [] : callsInside(fn, analysis)));
  const isOnClient = (call: CallNode, name: string): boolean =>
    isMember(call.callee, name) && variableOf(analysis.file, unwrap(call.callee.object)) === client;
  const isGivenBack = calls.some(
    (call) => isOnClient(call, methods.release) || isDone(call.callee, analysis),
  );
  // A client that is ended instead keeps its place in the pool taken.
  return (
    isGivenBack &&
    !calls.some((call) => isOnClient(call, methods.end)) &&
    (functions.some(encloses) ||
      calls.some((call) => isCheckout(call, analysis) || isUnknown(call.callee, client, analysis)))
  );
}

/** The functions that a listener is, and those of the file that it calls or passes on, `setTimeout(start, 1000)`, up to the one around the LISTEN. */
function functionsBehind(
  listener: Node,
  listen: Node,
  analysis: SessionContext,
): readonly FunctionNode[] {
  // The set grows while it is read: it is the worklist.
  const found = new Set(functionNamed(listener, analysis));
  for (const fn of found)
    for (const { callee, arguments: args } of contains(fn, listen) ? [] : callsInside(fn, analysis))
      for (const each of [callee, ...args].flatMap((node) => functionNamed(node, analysis)))
        found.add(each);
  return [...found];
}

function functionNamed(node: Node, { file, resolver }: SessionContext): readonly FunctionNode[] {
  const plain = unwrap(node);
  if (isFunction(plain)) return [plain];
  const abstractValue =
    plain.type === 'Identifier' || plain.type === 'MemberExpression'
      ? resolver.abstractValueOf(plain, file)
      : undefined;
  return abstractValue?.kind === 'function' && abstractValue.file === file
    ? [abstractValue.node]
    : [];
}

function callsInside(fn: FunctionNode, { file }: SessionContext): readonly CallNode[] {
  const calls: CallNode[] = [];
  walk(file, fn.body, (node) => {
    if (node.type === 'CallExpression') calls.push(node);
    return true;
  });
  return calls;
}

/** `done` of `pool.connect((error, client, done) => …)` */
function isDone(callee: Node, { file, checkouts }: SessionContext): boolean {
  const variable = variableOf(file, callee);
  return checkouts.some(({ acquisition: { call, style } }) => {
    if (variable === undefined || style !== 'callback' || call.type !== 'CallExpression')
      return false;
    const done = (callbackOf(call) ?? namedCallbackOf(call, file))?.params[2];
    return variable.identifiers.some((name) => (name as unknown as Node) === done);
  });
}

function isCheckout(call: CallNode, { checkouts }: SessionContext): boolean {
  return checkouts.some(({ acquisition }) => acquisition.call === call);
}

/** Code of which nothing is known, other than the runtime's and that of the client itself. */
function isUnknown(callee: Node, client: Variable | undefined, analysis: SessionContext): boolean {
  if (analysis.resolver.abstractValueOf(callee, analysis.file) !== undefined) {
    return functionNamed(callee, analysis).length === 0;
  }
  let root = unwrap(callee);
  while (root.type === 'MemberExpression') root = unwrap(root.object);
  if (root.type !== 'Identifier') return true;
  const variable = variableOf(analysis.file, root);
  return variable !== undefined && variable !== client && variable.defs.length > 0;
}
