import type { Here } from '../values/resolver.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { harmlessMembers } from '../model/client-members.ts';
import { methods } from '../model/drivers.ts';
import { listenMethods } from '../model/emitters.ts';
import { calledMember, nextInChain } from '../syntax/call-chain.ts';
import { constantText } from '../syntax/constants.ts';
import { isFunction, type Node, type CallNode } from '../syntax/node.ts';
import {
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import { useOf, type Use } from '../syntax/uses.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { filesAsking } from '../values/spoken-of.ts';
import { homeOf, isExported, referencesTo, type Home } from '../values/pools/keeping.ts';

type Owner = Home & { readonly kind: 'variable' | 'field' };

/** A client of which all is known that becomes of it: nobody gets it but what keeps it, and nobody releases it. */
export interface KeptClient {
  /** The last place to which it is put. */
  readonly clientOwner: Owner;
  readonly queries: readonly CallNode[];
}

/** Undefined where the program releases the client, or where somebody unknown has it as well. */
export function keptClient(checkout: Checkout, here: Here): KeptClient | undefined {
  const { file } = here;
  const { acquisition, releases } = checkout;
  if (releases > 0 || hasRelease(checkout)) return undefined;
  const owners = firstOwners(checkout, file);
  const queries: CallNode[] = [];
  // The list grows while it is read: it is the worklist.
  for (const clientOwner of owners) {
    if (mayBeReleasedElsewhere(clientOwner, here)) return undefined;
    for (const excerpt of referencesTo(clientOwner, file)) {
      const found = foundAt(excerpt, acquisition.driver.queries, file);
      if (found === undefined) return undefined;
      if (found.query !== undefined) queries.push(found.query);
      if (
        found.clientOwner !== undefined &&
        !owners.some((each) => isSame(each, found.clientOwner))
      )
        owners.push(found.clientOwner);
    }
  }
  const clientOwner = owners.find(({ kind }) => kind === 'field') ?? owners[0];
  return clientOwner && { clientOwner, queries };
}

/** An ancestor has it as well, or another file that may import the name, or speaks of a field that is called so. */
function mayBeReleasedElsewhere(clientOwner: Owner, { file, resolver }: Here): boolean {
  if (clientOwner.kind === 'variable') return isExported(clientOwner.variable);
  if (clientOwner.owner.superClass !== null) return true;
  if (clientOwner.isPrivate) return false;
  const { reader } = resolver;
  const paths = reader.texts?.releasing.pathsMatching(file.path);
  return filesAsking([clientOwner.name], isReleaseOfMember, paths, reader)?.length !== 0;
}

/** `session.client.release` */
function isReleaseOfMember(member: TSESTree.MemberExpression): boolean {
  return (
    memberName(member) === methods.release && unwrap(member.object).type === 'MemberExpression'
  );
}

/** The callback's `done` is spoken of, or a release that was taken from the client. */
function hasRelease({ exploration }: Checkout): boolean {
  return exploration.states.some(({ fact }) =>
    fact.accessPaths.some(
      ({ accessPath, value }) =>
        value === 'release' &&
        (accessPath.kind !== 'variable' ||
          accessPath.variable.references.some((each) => each.isRead())),
    ),
  );
}

function firstOwners({ acquisition, exploration }: Checkout, file: SourceFile): Owner[] {
  const home = homeOf(acquisition.call, file);
  if (ownsClient(home)) return [home];
  const variables = new Set<Variable>();
  const given = givenTo(acquisition.call, file);
  if (given !== undefined) variables.add(given);
  for (const { fact } of exploration.states)
    for (const { accessPath, value } of fact.accessPaths)
      if (accessPath.kind === 'variable' && value === 'client') variables.add(accessPath.variable);
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
  readonly query?: CallNode;
  readonly clientOwner?: Owner;
}

function foundAt(
  excerpt: Node,
  queryMethods: readonly string[],
  file: SourceFile,
): Found | undefined {
  if (excerpt.type === 'Property' || parentOf(excerpt)?.type === 'ExportSpecifier')
    return undefined;
  const use = useOf(excerpt);
  switch (use.kind) {
    case 'receiver':
      return foundAsReceiver(use, queryMethods);
    case 'bound':
    case 'stored': {
      const home = 'inCollection' in use && use.inCollection ? undefined : homeOf(excerpt, file);
      return home && ownsClient(home) ? { clientOwner: home } : undefined;
    }
    case 'neutral':
      return parentOf(excerpt)?.type === 'ArrayExpression' ? undefined : {};
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

function ownsClient(home: Home): home is Owner {
  return home.kind === 'variable' || home.kind === 'field';
}

function isSame(one: Owner, other: Owner | undefined): boolean {
  return one.kind === 'variable'
    ? other?.kind === 'variable' && one.variable === other.variable
    : other?.kind === 'field' && one.name === other.name && one.owner === other.owner;
}
