import type { Driver } from '../model/drivers.ts';
import { methods } from '../model/drivers.ts';
import { endingCalls } from '../model/quiet-calls.ts';
import { calledMember, nextInChain } from '../syntax/call-chain.ts';
import { callsIn } from '../syntax/calls.ts';
import { runsOnce } from '../syntax/runs-once.ts';
import { madeIn } from '../values/pools/made-pools.ts';
import { libraryFor } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { isFunction, type Node, type CallNode } from '../syntax/node.ts';
import { someIn } from '../syntax/preorder.ts';
import { excerpt } from '../syntax/excerpt.ts';
import { useOf, type Use } from '../syntax/uses.ts';
import type { Checkout } from '../typestate/checkout.ts';
import {
  findAncestor,
  memberName,
  parentOf,
  referencesTo,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Finding } from './finding.ts';
import { stepAt } from './path-step.ts';
import type { Analysis } from './analysis.ts';

/** A client that is made on the spot, of which only something leaves that uses it: `source.createQueryRunner().manager.getRepository(User)`. */
export function findOutOfReach({ acquisition }: Checkout, file: SourceFile): readonly Finding[] {
  const { call, driver, poolText } = acquisition;
  const library = libraryFor(driver);
  const lead = leadFrom(call, driver.usedBy);
  if (library === undefined || lead === undefined) return [];
  if (findAncestor(call, isFunction) === undefined || leadsBack(driver, file)) return [];
  const kept = keptOf(lead, library, file);
  if (kept === undefined) return [];
  const what = excerpt(kept, file);
  return [
    {
      rule: 'no-unreleased-client',
      messageId: 'outOfReach',
      data: { pool: poolText },
      place: call.loc,
      steps: [
        stepAt(call, `A client of ${poolText} is created.`),
        stepAt(kept, `${what} is the only part that is kept.`),
      ],
    },
  ];
}

/** A connection that is opened, and of which nothing is kept: `await new Client(options).connect()`. */
export function findLostConnections({ file, resolver }: Analysis): readonly Finding[] {
  return madeIn(file, resolver).flatMap(({ node, kind }) => {
    const opening = kind === 'connection' ? openingOf(node) : undefined;
    return opening === undefined || isOfShortProgram(node, file)
      ? []
      : {
          rule: 'no-unreleased-client',
          messageId: 'lostConnection',
          data: {},
          place: opening.loc,
          steps: [stepAt(opening, 'No variable holds the client, and nothing ends it.')],
        };
  });
}

/** `new Client().connect()`, whose promise gives nobody the client. */
function openingOf(made: Node): Node | undefined {
  const use = useOf(made);
  const call = use.kind === 'receiver' && use.member === methods.acquire ? use.call : null;
  if (call === null || call.arguments.length > 0) return undefined;
  let last: CallNode = call;
  for (let next = nextInChain(last); next !== undefined; next = nextInChain(next)) {
    if (calledMember(next) === 'then' && !takesNothing(next.arguments[0])) return undefined;
    last = next;
  }
  const up = parentOf(last);
  const statement = up?.type === 'AwaitExpression' ? parentOf(up) : up;
  return statement?.type === 'ExpressionStatement' ? call : undefined;
}

function takesNothing(handler: Node | undefined): boolean {
  return handler !== undefined && isFunction(handler) && handler.params.length === 0;
}

/** It ends its process itself, and what it has opened with that. */
function isOfShortProgram(node: Node, file: SourceFile): boolean {
  return (
    runsOnce(findAncestor(node, isFunction) ?? file.ast, file) &&
    callsIn(file).calls.some(({ callee }) => endingCalls.has(file.text.slice(...callee.range)))
  );
}

/** `createQueryRunner().manager` */
function leadFrom(call: Node, usedBy: readonly string[]): Node | undefined {
  const up = parentOf(call);
  return up?.type === 'MemberExpression' &&
    up.object === call &&
    usedBy.includes(memberName(up) ?? '')
    ? up
    : undefined;
}

/** Somewhere one comes back to a client, and does not just ask it for something other than its release. */
function leadsBack({ ledBackBy = [], releases }: Driver, file: SourceFile): boolean {
  return someIn(
    file,
    file.ast,
    (node) =>
      (ledBackBy.includes(memberName(node) ?? '') && !isAskedBeside(node, releases)) ||
      (node.type === 'Property' &&
        node.key.type === 'Identifier' &&
        ledBackBy.includes(node.key.name)),
  );
}

function isAskedBeside(client: Node, releases: readonly string[]): boolean {
  const use = useOf(client);
  return use.kind === 'receiver' && use.member !== undefined && !releases.includes(use.member);
}

/** The part of the client that is kept, from which nobody can release it; undefined where somebody has more of it, or keeps it permanently. */
function keptOf(lead: Node, library: Library, file: SourceFile): Node | undefined {
  const use = useOf(lead);
  if (use.kind === 'bound' && !use.inCollection)
    return isOnlyAsked(lead, library, file) ? lead : undefined;
  return isAsked(use, library) && use.call !== null && !isKeptElsewhere(useOf(use.call))
    ? use.call
    : undefined;
}

/** It is asked for a query, a transaction or what queries as well. */
function isAsked(
  use: Use,
  { sends, lends, derives }: Library,
): use is Use & { readonly kind: 'receiver' } {
  if (use.kind !== 'receiver' || use.call === null || use.member === undefined) return false;
  const asked = [...sends.flatMap(({ paths }) => paths), ...lends.map(({ path }) => path)];
  return [...asked, ...derives.methods].includes(use.member);
}

/** Objects may live as long as the program, and there may be only one of them. */
function isKeptElsewhere(use: Use): boolean {
  return (
    use.kind === 'stored' ||
    ('inCollection' in use && use.inCollection) ||
    (use.kind === 'argument' && use.call.type === 'NewExpression')
  );
}

/** `const manager = source.createQueryRunner().manager`, of which nothing is asked but its work. */
function isOnlyAsked(lead: Node, library: Library, file: SourceFile): boolean {
  const declarator = parentOf(lead);
  if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier')
    return false;
  const references = referencesTo(declarator.id, file).filter((each) => each !== declarator.id);
  return references.length > 0 && references.every((each) => isAsked(useOf(each), library));
}
