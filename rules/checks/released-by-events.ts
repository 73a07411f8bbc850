import type { TSESTree } from '@typescript-eslint/types';
import {
  lastEvent,
  listenMethods,
  queryStream,
  response,
  responseMembers,
  unheardEnd,
  type Emitter,
} from '../model/emitters.ts';
import { calledMember } from '../syntax/call-chain.ts';
import { constantText } from '../syntax/constants.ts';
import { excerpt } from '../syntax/excerpt.ts';
import { isFunction, type Node, type CallNode } from '../syntax/node.ts';
import {
  definitionOf,
  memberName,
  parentOf,
  referencesTo,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
  declarationOf,
  referencesOf,
  readsOf,
} from '../syntax/source-file.ts';
import { useOf } from '../syntax/uses.ts';
import { promiseOf } from '../typestate/acquisition.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { isInGraph } from '../typestate/outlives.ts';
import { isPlainQuery } from '../typestate/query-results.ts';
import { isMiddleware } from '../values/pools/request-handlers.ts';
import { referencesToMember } from '../values/pools/keeping.ts';
import type { Resolver, Here } from '../values/resolver.ts';
import { speaksOf } from '../values/spoken-of.ts';
import type { Finding } from './finding.ts';
import { stepAt, taken } from './path-step.ts';
import { clientText } from './client-text.ts';

/** A listener that releases the client. */
interface Registration {
  readonly call: CallNode;
  readonly event: string;
  readonly emitter: Node;
}

/** The client is left to listeners that release it, and none of them hears of every end of what they listen to. */
export function findEventLeak(checkout: Checkout, here: Here): Finding | undefined {
  const { file } = here;
  const { acquisition, exploration } = checkout;
  if (acquisition.style === 'lent' || !exploration.isComplete) return undefined;
  const isLeft = exploration.states.some(
    ({ point, fact }) =>
      point.kind === 'exit' && fact.status === 'escaped' && !fact.followsImplicitThrow,
  );
  const registrations = isLeft ? registrationsOf(checkout, here) : undefined;
  const [first] = registrations ?? [];
  if (registrations === undefined || first === undefined) return undefined;
  const kinds = registrations.map(({ emitter }) => kindOf(emitter, checkout, file));
  const [kind] = kinds;
  if (kind === undefined || kinds.some((each) => each !== kind)) return undefined;
  const when = unheardEnd(kind, new Set(registrations.map(({ event }) => event)));
  return when === undefined ? undefined : describe(checkout, first, when, file);
}

/** All registrations that release; undefined where somebody else may have the client as well. */
function registrationsOf(
  checkout: Checkout,
  { file, resolver }: Here,
): readonly Registration[] | undefined {
  const found: Registration[] = [];
  const inVariables = clientReferences(checkout);
  const members = storedIn([promiseOf(checkout.acquisition), ...inVariables]);
  if (!members.every((each) => isOnRequest(each, checkout, file, resolver))) return undefined;
  const inMembers = members.flatMap((each) => referencesToMember(memberName(each), file));
  for (const name of [...inVariables, ...inMembers]) {
    const owner = ownerOf(name, checkout, file);
    if (owner === 'somebody') return undefined;
    if (owner !== 'nobody') found.push(...owner);
  }
  return found;
}

/** `request.db` of `request.db = client` */
function storedIn(values: readonly Node[]): readonly TSESTree.MemberExpression[] {
  return values.flatMap((value) => {
    const use = useOf(value);
    const target = use.kind === 'stored' ? use.target : null;
    return target?.type === 'MemberExpression' ? target : [];
  });
}

/** A member of what the function was given, as middleware gives it to the handlers behind, and no other file may release it. */
function isOnRequest(
  member: TSESTree.MemberExpression,
  { graph }: Checkout,
  file: SourceFile,
  { reader }: Resolver,
): boolean {
  const name = memberName(member);
  const definition = definitionOf(variableOf(file, rootOf(member)));
  if (name === undefined || definition?.type !== 'Parameter') return false;
  return (
    (definition.node as Node) === graph.root &&
    reader.texts?.releasing
      .pathsMatching(file.path)
      ?.every((path) => path === file.path || !speaksOf(name, reader.open?.(path))) === true
  );
}

function rootOf(member: Node): Node {
  const plain = unwrap(member);
  return plain.type === 'MemberExpression' ? rootOf(plain.object) : plain;
}

/** Where the variables stand that hold the client, or the function that releases it. */
function clientReferences({ exploration }: Checkout): readonly Node[] {
  const variables = new Set<Variable>();
  for (const { fact } of exploration.states)
    for (const { accessPath, value } of fact.accessPaths)
      if (accessPath.kind === 'variable' && (value === 'client' || value === 'release'))
        variables.add(accessPath.variable);
  return [...variables].flatMap(readsOf);
}

type OwnerHere = 'nobody' | 'somebody' | readonly Registration[];

/** Who may release the client by a reference of it. */
function ownerOf(name: Node, checkout: Checkout, file: SourceFile): OwnerHere {
  const closure = enclosingClosure(name, checkout);
  if (closure !== undefined)
    return mayRelease(name, checkout) ? registeredAs(closure, file) : 'nobody';
  const use = useOf(name);
  if (use.kind === 'returned' || (name.type !== 'Identifier' && use.kind === 'stored'))
    return 'somebody';
  if (use.kind !== 'argument') return 'nobody';
  const registration = use.call.type === 'CallExpression' ? listenerAt(use.call, name) : undefined;
  return registration === undefined ? 'somebody' : [registration];
}

/** The outermost function around a reference whose body is no part of the graph. */
function enclosingClosure(name: Node, { graph }: Checkout): Node | undefined {
  let outermost: Node | undefined;
  for (let up = parentOf(name); up !== undefined && up !== graph.root; up = parentOf(up))
    if (isFunction(up) && !isInGraph(name, graph) && !graph.bodies.has(up)) outermost = up;
  return outermost;
}

function mayRelease(name: Node, { acquisition: { driver } }: Checkout): boolean {
  const use = useOf(name);
  return use.kind === 'receiver'
    ? driver.releases.includes(use.member ?? '')
    : use.kind !== 'neutral';
}

/** A listener written in place, or one with a name that is used as nothing else. */
function registeredAs(closure: Node, file: SourceFile): OwnerHere {
  const name = nameOf(closure);
  const places =
    name === undefined ? [closure] : referencesTo(name, file).filter((each) => each !== name);
  const registrations = places.map((place) => {
    const call = parentOf(place);
    return call?.type === 'CallExpression' ? listenerAt(call, place) : undefined;
  });
  return registrations.every((each) => each !== undefined) ? registrations : 'somebody';
}

function nameOf(closure: Node): Node | undefined {
  const up = parentOf(closure);
  if (closure.type === 'FunctionDeclaration') return closure.id ?? undefined;
  return up?.type === 'VariableDeclarator' ? up.id : undefined;
}

/** `emitter.on('end', listener)` */
function listenerAt(call: CallNode, listener: Node): Registration | undefined {
  const [event, given] = call.arguments;
  const name = event && constantText(event);
  return call.callee.type === 'MemberExpression' &&
    given === listener &&
    name !== undefined &&
    listenMethods.has(memberName(call.callee) ?? '')
    ? { call, event: name, emitter: emitterOf(call.callee.object) }
    : undefined;
}

/** What a chain of registrations begins with; `pipe()` gives what it writes to. */
function emitterOf(node: Node): Node {
  const plain = unwrap(node);
  if (plain.type !== 'CallExpression' || plain.callee.type !== 'MemberExpression') return plain;
  const name = calledMember(plain) ?? '';
  if (listenMethods.has(name)) return emitterOf(plain.callee.object);
  const [target] = plain.arguments;
  return name === 'pipe' && target !== undefined ? emitterOf(target) : plain;
}

function kindOf(emitter: Node, checkout: Checkout, file: SourceFile): Emitter | undefined {
  if (isStreamQuery(emitter, checkout, file)) return queryStream;
  const variable = variableOf(file, emitter);
  const definition = definitionOf(variable);
  const node = definition?.node as Node | undefined;
  if (definition?.type === 'Parameter')
    return isResponse(variable) || isBesideRequest(variable, checkout, file) ? response : undefined;
  return node?.type === 'VariableDeclarator' &&
    node.init !== null &&
    isStreamQuery(unwrap(node.init), checkout, file)
    ? queryStream
    : undefined;
}

/** `(request, response, next) => { request.db = client; … }`: who comes next gets the client with the first, so that this is middleware. */
function isBesideRequest(
  variable: Variable | undefined,
  checkout: Checkout,
  file: SourceFile,
): boolean {
  const { root } = checkout.graph;
  if (!isFunction(root) || root.params.length < 3) return false;
  const [request, answer, next] = root.params;
  return (
    answer === (variable?.identifiers[0] as unknown as Node) &&
    storedIn([promiseOf(checkout.acquisition), ...clientReferences(checkout)]).some(
      (member) => variableOf(file, rootOf(member))?.identifiers[0] === request,
    ) &&
    next?.type === 'Identifier' &&
    referencesTo(next, file).some((each) => useOf(each).kind === 'callee')
  );
}

/** `client.query(new QueryStream(text))` */
function isStreamQuery(call: Node, checkout: Checkout, file: SourceFile): boolean {
  const { acquisition, exploration } = checkout;
  return (
    call.type === 'CallExpression' &&
    acquisition.driver.queries.includes(memberName(call.callee) ?? '') &&
    !isPlainQuery(call, file) &&
    exploration.states.some(
      (state) =>
        state.point.node === call &&
        call.callee.type === 'MemberExpression' &&
        checkout.holdsClient(call.callee.object, state),
    )
  );
}

/** What a query gave is listened to, or written to something: nobody here waits for its end. */
export function isLeftToStream(checkout: Checkout, file: SourceFile): boolean {
  return checkout.exploration.states.some(({ point: { node } }) => {
    if (node === null || !isStreamQuery(node, checkout, file)) return false;
    const declared = parentOf(node);
    const names =
      declared?.type === 'VariableDeclarator' ? referencesTo(declared.id, file) : [node];
    return names.some((each) => {
      const use = useOf(each);
      return use.kind === 'receiver' && isStreaming(use.member ?? '');
    });
  });
}

function isStreaming(member: string): boolean {
  return member === 'pipe' || listenMethods.has(member);
}

/** By its members, or as what comes after the request in middleware. */
function isResponse(variable: Variable | undefined): boolean {
  const fn = declarationOf(variable);
  return (
    (fn !== undefined &&
      isFunction(fn) &&
      isMiddleware(fn) &&
      fn.params[1] === (variable?.identifiers[0] as unknown as Node)) ||
    referencesOf(variable).some((name) => responseMembers.has(memberName(parentOf(name)) ?? ''))
  );
}

function describe(
  checkout: Checkout,
  { call, emitter, event }: Registration,
  when: string,
  file: SourceFile,
): Finding {
  const { acquisition } = checkout;
  return {
    rule: 'no-unreleased-client',
    messageId: 'releasedByEvent',
    data: {
      client: clientText(checkout),
      when,
      emitter: excerpt(emitter, file).slice(1, -1),
      last: lastEvent,
      line: String(call.loc.start.line),
    },
    place: acquisition.call.loc,
    steps: [
      taken(checkout),
      stepAt(call, `The release waits for '${event}', which is not emitted if ${when}.`),
    ],
  };
}
