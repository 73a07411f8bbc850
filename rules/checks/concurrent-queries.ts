import { type Node, isFunction } from '../syntax/node.ts';
import {
  contains,
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { findBatches, type Batch, type Part } from '../syntax/batches.ts';
import type { Finding, PathStep } from './finding.ts';
import { stepAt, stepOf } from './path-step.ts';
import { excerpt, receiverText } from '../syntax/excerpt.ts';
import { libraryFor } from '../model/libraries.ts';
import type { Analysis } from './analysis.ts';
import { findOverlaps } from './overlapping-queries.ts';
import { roundsOf, sameClient, startedBy, type Under } from './started-together.ts';
import { findBatchesInHelpers } from './batches-in-helpers.ts';
import { clientsAt, handlesAt, type Holding } from './held-at-calls.ts';
import type { Place } from './started.ts';
import { heldThrough } from '../summaries/held-paths.ts';
import { inSequence } from '../fixes/in-sequence.ts';
import { givesOption } from '../values/spoken-of.ts';

const rule = 'no-concurrent-client-query';

/**
 * Several queries that are under way on one client at a time. A client runs them one after the other (pg 8.23 `lib/client.js`,
 * `_pulseQueryQueue`), so that nothing is gained; pg warns from the third on, and pg 9 has no such queue.
 */
export function findConcurrentQueries(analysis: Analysis): readonly Finding[] {
  const { checkouts } = analysis;
  if (isPipelined(analysis)) return [];
  const inBatches = batchFindings(analysis, clientsAt);
  const places = inBatches.flatMap(({ node, queries }) => [node, ...queries]);
  const overlapping = checkouts.flatMap((checkout) => findOverlaps(checkout, analysis, places));
  return [...inBatches.map(({ finding }) => finding), ...overlapping];
}

/** The same over the handle of a library's transaction, where the library does not make that harmless. */
export function findConcurrentOverHandle(analysis: Analysis): readonly Finding[] {
  const checkouts = analysis.checkouts.filter(
    ({ acquisition: { driver } }) => (libraryFor(driver)?.together ?? null) !== null,
  );
  if (checkouts.length === 0) return [];
  const own = { ...analysis, checkouts };
  const inBatches = batchFindings(own, handlesAt);
  return [
    ...inBatches.map(({ finding }) => finding),
    ...findBatchesInHelpers(
      own,
      inBatches.map(({ node }) => node),
    ),
  ];
}

/** `pipeline: true` sends queries without waiting for one another: pg 8.23 `lib/client.js`, `_pulsePipelinedQueryQueue`. */
function isPipelined({ file, resolver, checkouts }: Analysis): boolean {
  return [file, ...checkouts.flatMap(({ acquisition: { call } }) => poolFile(call))].some((each) =>
    givesOption('pipeline', each),
  );

  function poolFile(call: Node): readonly SourceFile[] {
    const value =
      call.type === 'CallExpression' && call.callee.type === 'MemberExpression'
        ? resolver.abstractValueOf(call.callee.object, file)
        : undefined;
    return value?.kind === 'pool' ? [value.site.file] : [];
  }
}

interface Found {
  /** What is reported. */
  readonly node: Node;
  readonly queries: readonly Node[];
  readonly finding: Finding;
}

function batchFindings(
  analysis: Analysis,
  holdingIn: (analysis: Analysis, calls: ReadonlySet<Node>) => Holding,
): readonly Found[] {
  const batches = findBatches(analysis.file);
  if (batches.length === 0) return [];
  const holding = holdingIn(analysis, new Set<Node>(batches.map(({ call }) => call)));
  const found = batches.flatMap((batch) => batchFinding(batch, analysis, holding) ?? []);
  return found.filter(
    ({ node }) => !found.some((other) => other.node !== node && contains(other.node, node)),
  );
}

function batchFinding(batch: Batch, analysis: Analysis, holding: Holding): Found | undefined {
  const { file } = analysis;
  const started = startedBy(batch, (part) => placeOfPart(part, batch, analysis, holding));
  const [first, second] = sameClient(
    batch.isCombined ? started : started.filter(({ node }) => !isKept(node)),
  );
  if (first === undefined || (second === undefined && !first.isMany)) return undefined;
  const last = second ?? first;
  const messageId = messageOf(batch, first, last);
  const steps: readonly PathStep[] = [
    stepOf(first.node, file, 'starts.'),
    stepAt(
      last.node,
      first.isMany
        ? 'The next iteration starts it again before it has ended.'
        : `${excerpt(last.node, file)} starts before the first has ended.`,
    ),
  ];
  const finding: Finding = {
    rule,
    messageId,
    data: {
      ...dataOf(first, last, file),
      what: excerpt(
        batch.place.type === 'CallExpression' ? batch.place.callee : batch.place,
        file,
      ).slice(1, -1),
    },
    place: batch.place.loc,
    steps,
    suggestions: inSequence(batch, started, file),
  };
  return { node: batch.place, queries: started.map(({ node }) => node), finding };
}

/** `jobs.push(client.query(…))`: whoever keeps it may wait for it. */
function isKept(query: Node): boolean {
  const up = parentOf(query);
  return up?.type === 'CallExpression' && up.callee !== query;
}

/** A part of a batch as it has the client. */
function placeOfPart(
  part: Part,
  { call }: Batch,
  analysis: Analysis,
  { heldAt, ambientAt }: Holding,
): Place {
  const { file, resolver } = analysis;
  const round = part.kind === 'once' ? undefined : part.kind === 'each' ? part.node : part.round;
  const paths = heldThrough(
    {
      at: (node) =>
        round === undefined || isFromOutside(node, round, file)
          ? heldAt(unwrap(node), call)
          : undefined,
      member: () => undefined,
      keysOf: () => [],
    },
    file,
  );
  const enclosing = findAncestor(call, isFunction) ?? file.ast;
  return {
    file,
    resolver,
    paths,
    ofThis: [],
    enclosing,
    rounds: roundsOf(part, file),
    ambient: ambientAt?.(call),
    omitted: [],
    inside: [],
  };
}

function dataOf({ client, held, isNested }: Under, last: Under, file: SourceFile): Finding['data'] {
  const facts = isNested && last.isNested ? 'nestedTogether' : 'together';
  return {
    client: client === undefined ? '' : receiverText(client, file),
    fact: held.library?.[facts] ?? '',
  };
}

function messageOf({ call, isCombined }: Batch, first: Under, last: Under): string {
  const { goesOn, client, held, isNested } = first;
  if (isNested && last.isNested) return 'nestedTogether';
  if (held.library !== null) return client === undefined ? 'overAmbient' : 'overHandle';
  if (!isCombined) return 'inEachRound';
  if (goesOn) return 'rounds';
  return memberName(call.callee) === 'allSettled' ? 'settled' : 'together';
}

/** A client that each round gets for itself is no shared one; nor is the element of a list of which the round says which: `clients[index]`. */
function isFromOutside(node: Node, round: Node, file: SourceFile): boolean {
  const plain = unwrap(node);
  if (plain.type === 'ThisExpression') return true;
  if (plain.type === 'MemberExpression')
    return (
      isFromOutside(plain.object, round, file) &&
      (!plain.computed || isSteady(plain.property, round, file))
    );
  const variable = variableOf(file, plain);
  return (
    variable !== undefined &&
    [
      ...variable.identifiers,
      ...variable.references.filter((each) => each.isWrite()).map(({ identifier }) => identifier),
    ].every((name) => !contains(round, name as unknown as Node))
  );
}

function isSteady(key: Node, round: Node, file: SourceFile): boolean {
  const plain = unwrap(key);
  return plain.type === 'Literal' || isFromOutside(plain, round, file);
}
