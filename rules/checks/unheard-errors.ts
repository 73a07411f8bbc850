import { basename, dirname } from 'node:path';
import { type Node, isFunction } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { classicPools, isSidePath } from '../model/pool-life.ts';
import type { Resolver } from '../values/resolver.ts';
import { findAncestor, parentOf, variableOf, type SourceFile } from '../syntax/source-file.ts';
import { homeOf, usesOf, type Home, type Uses } from '../values/pools/keeping.ts';
import { isInMainFlow, isScript } from '../values/pools/lifetime.ts';
import { madeIn, type Made } from '../values/pools/made-pools.ts';
import { handlingOf } from '../values/pools/request-handlers.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Finding } from './finding.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import { placeOf } from '../syntax/mention.ts';
import type { Scene } from './scene.ts';

const rule = 'require-pool-error-handler';

/** Pools, and connections that are kept, whose 'error' events surely nobody listens to. */
export function findUnheardErrors({ file, resolver, checkouts }: Scene): readonly Finding[] {
  const made = madeIn(file, resolver).filter(({ module }) => classicPools.has(module));
  const listening = checkouts.filter((checkout) => isListening(checkout, file));
  if (
    (made.length === 0 && listening.length === 0) ||
    isSidePath(resolver.reader.texts?.listening.pathInProject(file.path) ?? file.path)
  )
    return [];
  return [
    ...made.flatMap((each) => findUnheard(each, file, resolver) ?? []),
    ...listening.flatMap((checkout) => findUnheardCheckout(checkout, file, resolver) ?? []),
  ];
}

function findUnheard(made: Made, file: SourceFile, resolver: Resolver): Finding | undefined {
  const home = homeOf(made.node, file);
  if (home.kind === 'elsewhere' || home.kind === 'nowhere') return undefined;
  const uses = usesOf(home, file, resolver);
  if (
    uses.isGivenAway ||
    uses.events.has('error') ||
    uses.events.has('*') ||
    !isKept(made, home, uses, file)
  )
    return undefined;
  if (uses.isShared && (isLocal(home) || mayBeHeardElsewhere(home, file, resolver)))
    return undefined;
  const messageId = made.kind === 'pool' ? 'pool' : 'connection';
  return {
    rule,
    messageId,
    data: { name: nameOf(home) },
    place: placeOf(made.node),
    steps: [
      {
        place: placeOf(made.node),
        text: `Nothing listens to the 'error' events of ${nameOf(home)}.`,
      },
    ],
    suggestions: suggestionsFor(made, home, file),
  };
}

function nameOf(home: Home & { kind: 'variable' | 'field' }): string {
  return home.kind === 'variable' ? home.name.name : `this.${home.name}`;
}

/** Whether it lives as long as the program: not in a script, not for one request or one call. */
function isKept(
  { node, kind }: Made,
  home: Home & { kind: 'variable' | 'field' },
  uses: Uses,
  file: SourceFile,
): boolean {
  const ends = uses.calls.get(methods.end) ?? [];
  if (
    handlingOf(node, file) !== undefined ||
    ends.some((call) => isInMainFlow(call, file)) ||
    isScript(file)
  )
    return false;
  if (kind === 'connection')
    return uses.events.has('notification') || isConnectionForAll(node, home, uses);
  // What a function keeps for itself lives on in what it leaves behind: listeners, routes, closures.
  return (
    home.kind === 'field' ||
    isTopLevel(home) ||
    (ends.length === 0 && isUsedLater(home, node, file))
  );
}

/** A variable of the module that is connected; one that functions open and end is kept for a while only. */
function isConnectionForAll(
  node: Node,
  home: Home & { kind: 'variable' | 'field' },
  { calls }: Uses,
): boolean {
  const isOpenedAndEnded = calls.has(methods.end) && findAncestor(node, isFunction) !== undefined;
  return (
    home.kind === 'variable' && isTopLevel(home) && calls.has(methods.acquire) && !isOpenedAndEnded
  );
}

/** What a function gives back or puts somewhere else is its receiver's to listen to. */
function isLocal(home: Home): boolean {
  return home.kind === 'variable' && !isTopLevel(home);
}

function isTopLevel({ variable }: Home & { kind: 'variable' }): boolean {
  return variable.identifiers.every(
    (name) => findAncestor(name as unknown as Node, isFunction) === undefined,
  );
}

/** Some other function than the one that makes it uses it. */
function isUsedLater(
  { variable }: Home & { kind: 'variable' },
  made: Node,
  file: SourceFile,
): boolean {
  const maker = findAncestor(made, isFunction) ?? file.ast;
  return variable.references.some(
    ({ identifier }) =>
      (findAncestor(identifier as unknown as Node, isFunction) ?? file.ast) !== maker,
  );
}

/** Names that a pool goes by; a listener of anything so called may be the pool's. */
const poolLike = /pool|^db|db$|pg|postgres|database|sql/iu;

/** Receivers of `.on('error', …)`: a name, also of a call or a member, or a chain of calls that begins with a name. */
const receivers =
  /(?<![\w$])(?<name>[\w$]+)\s*(?:\(\s*\)\s*)?(?:[!?]\s*)?\.\s*(?:on|once|addListener|prependListener)\s*\(\s*['"`]error['"`]/gu;
const chains =
  /(?<![\w$])(?<name>[\w$]+)\s*\.\s*(?:on|once|addListener)\s*\([^;]{0,600}?\)\s*\.\s*(?:on|once|addListener)\s*\(\s*['"`]error['"`]/gu;

/** What is called like a pool in a file that makes one is that pool. */
const ownPool = /\bnew\s+[\w$.]*Pool(?:(?!Pool)\w)*\s*\(/u;

/** Some file that imports the module, or listens to something that is called like a pool and does not make it, may listen to this one. */
function mayBeHeardElsewhere(
  home: Home & { kind: 'variable' | 'field' },
  file: SourceFile,
  resolver: Resolver,
): boolean {
  const texts = resolver.reader.texts?.listening.matching(file.path);
  if (texts === undefined) return true;
  const own = home.kind === 'variable' ? home.name.name : home.name;
  const module = /^index\./u.test(basename(file.path))
    ? basename(dirname(file.path))
    : basename(file.path).replace(/\.[^.]+$/u, '');
  const isOfImporter = (text: string): boolean =>
    text.includes(`/${module}'`) || text.includes(`/${module}"`) || text.includes(`/${module}.`);
  const isPoolHeard = (text: string): boolean =>
    [...text.matchAll(receivers), ...text.matchAll(chains)].some(
      ({ groups }) => groups?.['name'] === own || poolLike.test(groups?.['name'] ?? ''),
    );
  return (
    isPoolHeard(file.text) ||
    texts.some(
      (text) =>
        text !== file.text && (isOfImporter(text) || (!ownPool.test(text) && isPoolHeard(text))),
    )
  );
}

/** Behind the declaration of a variable, in its indentation. */
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

/** A client of a pool on which notifications are waited for: it is held for good. */
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
function mayPoolListen(call: Node, file: SourceFile, resolver: Resolver): boolean {
  const pool =
    call.type === 'CallExpression' && call.callee.type === 'MemberExpression'
      ? resolver.entityOf(call.callee.object, file)
      : undefined;
  return (
    pool?.kind !== 'pool' ||
    [pool.origin.file, file].some(({ text }) =>
      /['"`](?:connect|acquire)['"`]\s*,|onConnect/u.test(text),
    )
  );
}

function findUnheardCheckout(
  { acquisition: { call, poolText } }: Checkout,
  file: SourceFile,
  resolver: Resolver,
): Finding | undefined {
  const home = clientHome(call, file);
  if (
    home === undefined ||
    !isUnheardListener(usesOf(home, file, resolver)) ||
    mayPoolListen(call, file, resolver)
  )
    return undefined;
  return {
    rule,
    messageId: 'listeningClient',
    data: { name: home.name.name, pool: poolText },
    place: placeOf(call),
    steps: [
      { place: placeOf(call), text: `Nothing listens to the 'error' events of ${home.name.name}.` },
    ],
  };
}
