import type { State } from '../flow/explore.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { acquireNames } from '../model/drivers.ts';
import { olderKnownMajor, packageOf } from '../model/versions.ts';
import type { ModuleReader } from '../project/module-reader.ts';
import { isConclusive, type Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import type { Status } from '../typestate/protocols.ts';
import { excerpt } from '../syntax/excerpt.ts';
import type { Place } from '../syntax/place.ts';
import type { Here } from '../values/resolver.ts';
import { findClientsInLists, listOf } from './clients-in-lists.ts';
import type { Finding } from './finding.ts';
import { findLeak } from './leaks.ts';
import { findEventLeak } from './released-by-events.ts';
import { keepsClient } from '../typestate/leaking.ts';
import { walk } from '../syntax/preorder.ts';
import { memberName, parentOf, type SourceFile } from '../syntax/source-file.ts';

/** What the analysis made of one acquire, and why. */
export interface Verdict {
  readonly place: Place;
  /** The acquire as the source has it. */
  readonly acquire: string;
  readonly verdict: 'released' | 'reported' | 'handed on' | 'lent' | 'unknown';
  readonly reason: string;
}

/** One verdict for each acquire that was followed, and one for each call named like one that was not, in the order of the file. */
export function verdictsOn(checkouts: readonly Checkout[], here: Here): readonly Verdict[] {
  const { file, resolver } = here;
  const followed = checkouts.map((checkout) => {
    const found = verdictOn(checkout, here);
    return { ...found, reason: found.reason + remarkOnVersion(checkout, file, resolver.reader) };
  });
  const seen = new Set<Node>(checkouts.map(({ acquisition }) => acquisition.call));
  const notFollowed: Verdict[] = [];
  walk(file, file.ast, (node) => {
    if (node.type === 'CallExpression' && !seen.has(node) && isConnect(node))
      notFollowed.push(
        verdict(node, 'unknown', 'nothing in the readable code shows that this is a pool', file),
      );
    return true;
  });
  return [...followed, ...notFollowed].sort(
    (a, b) =>
      a.place.start.line - b.place.start.line || a.place.start.column - b.place.start.column,
  );
}

/** A library that is newer than what is known of it. */
function remarkOnVersion(
  { acquisition: { driver } }: Checkout,
  file: SourceFile,
  { versionFor }: Pick<ModuleReader, 'versionFor'>,
): string {
  const name = packageOf(driver.module);
  const version = versionFor?.(name, file);
  const known = version === undefined ? undefined : olderKnownMajor(name, version);
  return known === undefined ? '' : `; ${name} ${version} is not known and treated as ${known}`;
}

function isConnect({ callee }: CallNode): boolean {
  return acquireNames.has(memberName(callee) ?? '');
}

function verdict(node: Node, kind: Verdict['verdict'], reason: string, file: SourceFile): Verdict {
  return { place: node.loc, acquire: excerpt(node, file).slice(1, -1), verdict: kind, reason };
}

function verdictOn(checkout: Checkout, here: Here): Verdict {
  const { file } = here;
  const { acquisition, exploration } = checkout;
  const say = (kind: Verdict['verdict'], reason: string): Verdict =>
    verdict(acquisition.call, kind, reason, file);
  if (acquisition.style === 'lent')
    return say(
      'lent',
      'the function called here holds the client while the callback runs, then releases it',
    );
  const { isComplete, isSampled } = exploration;
  const leak = leakOf(checkout, here);
  if (leak !== undefined)
    return say(
      'reported',
      `${isComplete ? '' : 'on a sample of many paths, '}${leak.messageId}: ${leak.steps.at(-1)?.text ?? ''}`,
    );
  if (!isComplete)
    return say(
      'unknown',
      `the function has too many paths${isSampled ? '; a sample of them shows no leak' : ''}`,
    );
  if (!isConclusive(checkout))
    return say(
      'unknown',
      `${first(checkout, (state) => state.fact.wasLent, 'passed on by', file)}, whose code cannot be read, and not released in this function`,
    );
  return afterAll(checkout, say, file);
}

function leakOf(checkout: Checkout, here: Here): Finding | undefined {
  return (
    findLeak(checkout, here) ??
    findEventLeak(checkout, here) ??
    findClientsInLists(checkout, here)[0]
  );
}

type Say = (kind: Verdict['verdict'], reason: string) => Verdict;

/** Nothing is reported: the client came back, somebody else has it, or nobody knows. */
function afterAll(checkout: Checkout, say: Say, file: SourceFile): Verdict {
  const { states } = checkout.exploration;
  const has = (status: Status): boolean => states.some(({ fact }) => fact.status === status);
  const doubt = doubtOf(checkout, file);
  if (doubt !== undefined) return say('unknown', doubt);
  if (has('escaped'))
    return say(
      'handed on',
      `${first(checkout, ({ fact }) => fact.status === 'escaped', 'stored, captured or passed on by', file)}, whose holder must release it`,
    );
  if (has('returned')) return say('handed on', 'returned to the caller, which must release it');
  if (checkout.acquisition.joined?.besideOthers === true)
    return say(
      'unknown',
      'released on every path, unless another checkout of the `Promise.all` fails',
    );
  const followsImplicitThrow = states.some(
    ({ point, fact }) =>
      point.kind === 'throw-exit' && fact.status === 'held' && fact.followsImplicitThrow,
  );
  return say(
    'released',
    followsImplicitThrow ? 'on every path, unless a synchronous call throws' : 'on every path',
  );
}

/** What keeps one from saying where the client is in the end. */
function doubtOf(checkout: Checkout, file: SourceFile): string | undefined {
  const { exploration, graph } = checkout;
  const list = listOf(checkout, file);
  if (list !== undefined)
    return `in the list \`${list.name}\`, whose clients are not followed one by one`;
  const call = parentOf(graph.root);
  const isCallback = call?.type === 'CallExpression' && call.callee !== graph.root;
  if (isCallback && exploration.states.some(({ fact }) => fact.status === 'returned'))
    return `returned to ${excerpt(call, file)}, which is not followed`;
  if (exploration.states.some(keepsClient))
    return `still checked out where the function ends, line ${graph.root.loc.end.line}`;
  return undefined;
}

/** "stored by `this.client = client` (line 7)": the operation after which this first holds. */
function first(
  checkout: Checkout,
  test: (state: State<Fact>) => boolean,
  words: string,
  file: SourceFile,
): string {
  const node = checkout.exploration.states.find(test)?.from?.point.node;
  return node ? `${words} ${excerpt(enclosing(node), file)} (line ${node.loc.start.line})` : words;
}

const enclosers: ReadonlySet<string> = new Set([
  'CallExpression',
  'NewExpression',
  'AssignmentExpression',
  'ReturnStatement',
  'VariableDeclarator',
]);

/** The nearest whole operation, for a name alone says little. */
export function enclosing(node: Node): Node {
  let each: Node | undefined = node;
  while (each !== undefined && !enclosers.has(each.type)) each = each.parent ?? undefined;
  return each ?? node;
}

/** `src/users.ts:12:20 pool.connect(): released (on every path)` */
export function verdictText(
  path: string,
  { place, acquire, verdict: kind, reason }: Verdict,
): string {
  return `${path}:${place.start.line}:${place.start.column + 1} ${acquire}: ${kind} (${reason})`;
}
