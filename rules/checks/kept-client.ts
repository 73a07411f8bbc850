import type { TSESTree } from '@typescript-eslint/types';
import { harmlessMembers } from '../model/client-members.ts';
import { listenMethods } from '../model/emitters.ts';
import { calledMember, nextInChain } from '../syntax/call-chain.ts';
import { constantText } from '../syntax/constants.ts';
import { isFunction, type Node } from '../syntax/node.ts';
import { parentOf, variableOf, type SourceFile, type Variable } from '../syntax/source-file.ts';
import { useOf, type Use } from '../syntax/uses.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Resolver } from '../values/resolver.ts';
import { homeOf, isExported, mentionsOf, type Home } from '../values/pools/keeping.ts';

type Keeper = Home & { readonly kind: 'variable' | 'field' };

/** A client of which all is known that becomes of it: nobody gets it but what keeps it, and nobody releases it. */
export interface KeptClient {
  /** The last place to which it is put. */
  readonly keeper: Keeper;
  readonly queries: readonly TSESTree.CallExpression[];
}

/** Undefined where the program releases the client, or where somebody unknown has it as well. */
export function keptClient(
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): KeptClient | undefined {
  const { acquisition, releases } = checkout;
  if (releases > 0 || hasRelease(checkout)) return undefined;
  const keepers = firstKeepers(checkout, file);
  const queries: TSESTree.CallExpression[] = [];
  // The list grows while it is read: it is the worklist.
  for (const keeper of keepers) {
    if (mayBeReleasedElsewhere(keeper, file, resolver)) return undefined;
    for (const mention of mentionsOf(keeper, file)) {
      const found = foundAt(mention, acquisition.driver.queries, file);
      if (found === undefined) return undefined;
      if (found.query !== undefined) queries.push(found.query);
      if (found.keeper !== undefined && !keepers.some((each) => isSame(each, found.keeper)))
        keepers.push(found.keeper);
    }
  }
  const keeper = keepers.find(({ kind }) => kind === 'field') ?? keepers[0];
  return keeper && { keeper, queries };
}

/** An ancestor has it as well, or another file that may import the name, or speaks of a field that is called so. */
function mayBeReleasedElsewhere(keeper: Keeper, file: SourceFile, resolver: Resolver): boolean {
  if (keeper.kind === 'variable') return isExported(keeper.variable);
  if (keeper.owner.superClass !== null) return true;
  if (keeper.isPrivate) return false;
  const texts = resolver.reader.texts?.releasing.matching(file.path);
  return (
    texts === undefined ||
    texts.some((text) =>
      [...text.matchAll(released)].some(({ groups }) => groups?.['name'] === keeper.name),
    )
  );
}

const released = /\.\s*(?<name>[\w$]+)[!?]*\s*\.\s*release\b/gu;

/** The callback's `done` is spoken of, or a release that was taken from the client. */
function hasRelease({ exploration }: Checkout): boolean {
  return exploration.states.some(({ fact }) =>
    fact.cells.some(
      ({ cell, value }) =>
        value === 'release' &&
        (cell.kind !== 'variable' || cell.variable.references.some((each) => each.isRead())),
    ),
  );
}

function firstKeepers({ acquisition, exploration }: Checkout, file: SourceFile): Keeper[] {
  const home = homeOf(acquisition.call, file);
  if (isKeeper(home)) return [home];
  const variables = new Set<Variable>();
  const given = givenTo(acquisition.call, file);
  if (given !== undefined) variables.add(given);
  for (const { fact } of exploration.states)
    for (const { cell, value } of fact.cells)
      if (cell.kind === 'variable' && value === 'client') variables.add(cell.variable);
  return [...variables].flatMap((variable) => {
    const [name] = variable.identifiers as unknown as Node[];
    return name?.type === 'Identifier' ? [{ kind: 'variable', name, variable }] : [];
  });
}

/** `client` of `pool.connect().then((client) => …)` */
function givenTo(call: Node, file: SourceFile): Variable | undefined {
  const next = call.type === 'CallExpression' ? nextInChain(call) : undefined;
  const [handler] = next !== undefined && calledMember(next) === 'then' ? next.arguments : [];
  const [client] = handler !== undefined && isFunction(handler) ? handler.params : [];
  return client && variableOf(file, client);
}

interface Found {
  readonly query?: TSESTree.CallExpression;
  readonly keeper?: Keeper;
}

function foundAt(
  mention: Node,
  queryMethods: readonly string[],
  file: SourceFile,
): Found | undefined {
  if (mention.type === 'Property' || parentOf(mention)?.type === 'ExportSpecifier')
    return undefined;
  const use = useOf(mention);
  switch (use.kind) {
    case 'receiver':
      return foundAsReceiver(use, queryMethods);
    case 'bound':
    case 'stored': {
      const home = 'inBag' in use && use.inBag ? undefined : homeOf(mention, file);
      return home && isKeeper(home) ? { keeper: home } : undefined;
    }
    case 'neutral':
      return parentOf(mention)?.type === 'ArrayExpression' ? undefined : {};
    default:
      return undefined;
  }
}

/** A client that hears of notifications has work of its own. */
function foundAsReceiver(
  { member = '', call }: Use & { readonly kind: 'receiver' },
  queryMethods: readonly string[],
): Found | undefined {
  if (call === null) return member === 'processID' ? {} : undefined;
  if (queryMethods.includes(member)) return { query: call };
  const [event] = call.arguments;
  const hears = listenMethods.has(member) && event !== undefined && constantText(event);
  return harmlessMembers.has(member) && hears !== 'notification' ? {} : undefined;
}

function isKeeper(home: Home): home is Keeper {
  return home.kind === 'variable' || home.kind === 'field';
}

function isSame(one: Keeper, other: Keeper | undefined): boolean {
  return one.kind === 'variable'
    ? other?.kind === 'variable' && one.variable === other.variable
    : other?.kind === 'field' && one.name === other.name && one.owner === other.owner;
}
