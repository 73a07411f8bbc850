import { listenMethods } from '../model/emitters.ts';
import { calledMember } from '../syntax/call-chain.ts';
import { callsIn } from '../syntax/calls.ts';
import { constantText } from '../syntax/constants.ts';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { classicPools, isSidePath } from '../model/pool-life.ts';
import type { Here } from '../values/resolver.ts';
import { findAncestor, parentOf, variableOf, type SourceFile } from '../syntax/source-file.ts';
import { fateOf } from '../values/pools/fate.ts';
import { homeOf, usesOf, type Home, type Uses } from '../values/pools/keeping.ts';
import { isInMainFlow, isScript } from '../values/pools/lifetime.ts';
import { madeIn, type Made } from '../values/pools/made-pools.ts';
import { givesOption } from '../values/spoken-of.ts';
import { handlingOf } from '../values/pools/request-handlers.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Finding } from './finding.ts';
import { stepAt } from './path-step.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import type { Analysis } from './analysis.ts';
import { pathInProject } from '../project/module-reader.ts';

const rule = 'require-pool-error-handler';

/** Pools, and connections that are kept, whose 'error' events surely nobody listens to. */
export function findUnheardErrors(analysis: Analysis): readonly Finding[] {
  const { file, resolver, checkouts } = analysis;
  const made = madeIn(file, resolver).filter(({ module }) => classicPools.has(module));
  const listening = checkouts.filter((checkout) => isListening(checkout, file));
  if (
    (made.length === 0 && listening.length === 0) ||
    isSidePath(pathInProject(file, resolver.reader))
  )
    return [];
  return [
    ...made.flatMap((each) => findUnheard(each, analysis) ?? []),
    ...listening.flatMap((checkout) => findUnheardCheckout(checkout, analysis) ?? []),
  ];
}

function findUnheard(made: Made, here: Here): Finding | undefined {
  const { file } = here;
  const home = homeOf(made.node, file);
  if (!isKept(made, home, here)) return undefined;
  const name = nameOf(home);
  const messageId = made.kind === 'connection' ? 'connection' : name ? 'pool' : 'unnamedPool';
  const excerpt = name ?? 'this pool';
  return {
    rule,
    messageId,
    data: { name: excerpt },
    place: made.node.loc,
    steps: [stepAt(made.node, `No 'error' listener is added to ${excerpt}.`)],
    suggestions: suggestionsFor(made, home, file),
  };
}

function nameOf(home: Home): string | undefined {
  if (home.kind === 'variable') return home.name.name;
  return home.kind === 'field' ? `this.${home.name}` : undefined;
}

/** Whether it surely lives on without a listener: not in a script, not for one request or one call. */
function isKept({ node, kind }: Made, home: Home, { file, resolver }: Here): boolean {
  if (home.kind === 'nowhere' || isScript(file) || handlingOf(node, file) !== undefined)
    return false;
  const uses = usesOf(home, file, resolver);
  const ends = uses.calls.get(methods.end) ?? [];
  if (
    ends.some((call) => isInMainFlow(call, file) || isSameCall(call, node)) ||
    (kind === 'connection' && !isConnectionKept(node, home, uses))
  )
    return false;
  const fate = fateOf(node, file, resolver);
  return !fate.mayBeHeard && (kind === 'connection' || fate.isKept);
}

/** The function that makes it ends it. */
function isSameCall(call: Node, made: Node): boolean {
  const maker = findAncestor(made, isFunction);
  return maker !== undefined && maker === findAncestor(call, isFunction);
}

/** It waits for notifications, or is a variable of the module that is connected; one that functions open and end is kept for a while only. */
function isConnectionKept(node: Node, home: Home, { calls, events, isShared }: Uses): boolean {
  if (home.kind === 'elsewhere') return false;
  const isOpenedAndEnded = calls.has(methods.end) && findAncestor(node, isFunction) !== undefined;
  const isOfModule = home.kind === 'variable' && isTopLevel(home);
  return events.has('notification')
    ? isOfModule || home.kind === 'field' || !isShared
    : isOfModule && calls.has(methods.acquire) && !isOpenedAndEnded;
}

function isTopLevel({ variable }: Home & { kind: 'variable' }): boolean {
  return variable.identifiers.every(
    (name) => findAncestor(name as unknown as Node, isFunction) === undefined,
  );
}

/** After the declaration of a variable, in its indentation. */
function suggestionsFor({ node, kind }: Made, home: Home, file: SourceFile): readonly Suggestion[] {
  const declarator = parentOf(node);
  if (
    kind !== 'pool' ||
    home.kind !== 'variable' ||
    declarator?.type !== 'VariableDeclarator' ||
    declarator.id !== home.name
  )
    return [];
  const declaration = declarator.parent;
  const up = parentOf(declaration);
  const statement = up?.type === 'ExportNamedDeclaration' ? up : declaration;
  const isInBlock = /^(?:Program|BlockStatement|StaticBlock)$/u.test(
    parentOf(statement)?.type ?? '',
  );
  if (!isInBlock) return [];
  const end = statement.range[1];
  const text = `\n${indentationOf(statement, file)}${home.name.name}.on('error', (error) => console.error('An idle PostgreSQL client failed', error));`;
  return [
    {
      messageId: 'addHandler',
      data: { name: home.name.name },
      edits: [{ range: [end, end], text }],
    },
  ];
}

function indentationOf(statement: Node, file: SourceFile): string {
  const lineStart = file.text.lastIndexOf('\n', statement.range[0] - 1) + 1;
  return /^[ \t]*/u.exec(file.text.slice(lineStart, statement.range[0]))?.[0] ?? '';
}

/** A client of a pool on which notifications are waited for: it is held permanently. */
function isListening({ acquisition }: Checkout, file: SourceFile): boolean {
  return (
    acquisition.style === 'promise' &&
    /['"`]notification['"`]/u.test(file.text) &&
    clientHome(acquisition.call, file) !== undefined
  );
}

function clientHome(call: Node, file: SourceFile): (Home & { kind: 'variable' }) | undefined {
  const awaited = parentOf(call);
  const declarator = awaited?.type === 'AwaitExpression' ? parentOf(awaited) : undefined;
  const id =
    declarator?.type === 'VariableDeclarator'
      ? declarator.id
      : declarator?.type === 'AssignmentExpression'
        ? declarator.left
        : undefined;
  const variable = id === undefined ? undefined : variableOf(file, id);
  return id?.type === 'Identifier' && variable !== undefined
    ? { kind: 'variable', name: id, variable }
    : undefined;
}

function isUnheardListener({ isGivenAway, isShared, events }: Uses): boolean {
  return (
    !isGivenAway &&
    !isShared &&
    events.has('notification') &&
    !events.has('error') &&
    !events.has('*')
  );
}

/** `pool.on('connect', (client) => client.on('error', …))`: a listener of the pool may give each of its clients a handler. */
function mayPoolListen(call: Node, { file, resolver }: Here): boolean {
  const pool =
    call.type === 'CallExpression' && call.callee.type === 'MemberExpression'
      ? resolver.abstractValueOf(call.callee.object, file)
      : undefined;
  return (
    pool?.kind !== 'pool' ||
    [pool.site.file, file].some(
      (each) => callsIn(each).calls.some(hearsOfClients) || givesOption('onConnect', each),
    )
  );
}

function hearsOfClients(call: CallNode): boolean {
  const [event] = call.arguments;
  const name = event && constantText(event);
  return listenMethods.has(calledMember(call) ?? '') && (name === 'connect' || name === 'acquire');
}

function findUnheardCheckout(
  { acquisition: { call, poolText } }: Checkout,
  here: Here,
): Finding | undefined {
  const { file, resolver } = here;
  const home = clientHome(call, file);
  if (
    home === undefined ||
    !isUnheardListener(usesOf(home, file, resolver)) ||
    mayPoolListen(call, here)
  )
    return undefined;
  return {
    rule,
    messageId: 'listeningClient',
    data: { name: home.name.name, pool: poolText },
    place: call.loc,
    steps: [stepAt(call, `No 'error' listener is added to ${home.name.name}.`)],
  };
}
