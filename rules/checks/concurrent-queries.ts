import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { isPlainQuery } from '../typestate/query-results.ts';
import {
  contains,
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { isPooledClient } from './session/pooled-clients.ts';
import { findBatches, type Batch } from '../syntax/batches.ts';
import type { Finding, PathStep } from './finding.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import { mention, placeOf } from '../syntax/mention.ts';
import type { Scene } from './scene.ts';
import { findSharedClients } from './shared-client.ts';
import { queriesIn, startedIn, type Started } from './surely-queries.ts';
import { inSequence } from '../fixes/in-sequence.ts';

const rule = 'no-concurrent-client-query';

/**
 * Several queries that are under way on one client at a time. A client runs them one after the other (pg 8.23 `lib/client.js`,
 * `_pulseQueryQueue`), so that nothing is gained; pg warns from the third on, and pg 9 has no such queue.
 */
export function findConcurrentQueries(scene: Scene): readonly Finding[] {
  const { file, checkouts } = scene;
  if (isPipelined(scene)) return [];
  const inBatches = batchFindings(scene);
  const places = inBatches.map(({ node }) => node);
  const overlapping = checkouts.flatMap((checkout) => overlaps(checkout, file, places));
  return [...inBatches.map(({ finding }) => finding), ...overlapping, ...findSharedClients(scene)];
}

/** `pipeline: true` sends queries without waiting for one another: pg 8.23 `lib/client.js`, `_pulsePipelinedQueryQueue`. */
function isPipelined({ file, resolver, checkouts }: Scene): boolean {
  return [file, ...checkouts.flatMap(({ acquisition: { call } }) => poolFile(call))].some(
    ({ text }) => /\bpipeline\b/u.test(text),
  );

  function poolFile(call: Node): readonly SourceFile[] {
    const entity =
      call.type === 'CallExpression' && call.callee.type === 'MemberExpression'
        ? resolver.entityOf(call.callee.object, file)
        : undefined;
    return entity?.kind === 'pool' ? [entity.origin.file] : [];
  }
}

interface Found {
  /** What is reported. */
  readonly node: Node;
  readonly finding: Finding;
}

function batchFindings(scene: Scene): readonly Found[] {
  const batches = findBatches(scene.file);
  if (batches.length === 0) return [];
  const isClientAt = clientsAt(scene, new Set<Node>(batches.map(({ call }) => call)));
  const found = batches.flatMap(
    (batch) => batchFinding(batch, scene, (node) => isClientAt(node, batch.call)) ?? [],
  );
  return found.filter(
    ({ node }) => !found.some((other) => other.node !== node && contains(other.node, node)),
  );
}

/** Tells whether an expression is one client, checked out or of the program's own, when a call is made. */
function clientsAt(scene: Scene, calls: ReadonlySet<Node>): (node: Node, call: Node) => boolean {
  const { file, resolver, checkouts } = scene;
  const states = checkouts.flatMap((checkout) =>
    checkout.exploration.states
      .filter(
        ({ point, fact }) =>
          point.kind === 'eval' &&
          point.node !== null &&
          calls.has(point.node) &&
          fact.status !== 'none' &&
          !fact.isUnlikely,
      )
      .map((state) => ({ state, checkout })),
  );
  return (node, call) => {
    const plain = unwrap(node);
    if (plain.type !== 'Identifier' && plain.type !== 'MemberExpression') return false;
    if (
      states.some(
        ({ state, checkout }) =>
          state.point.node === call && checkout.valueOf(plain, state.fact) === 'client',
      )
    )
      return true;
    return resolver.entityOf(plain, file)?.kind === 'connection' || isPooledClient(plain, scene);
  };
}

function batchFinding(
  batch: Batch,
  scene: Scene,
  isClient: (node: Node) => boolean,
): Found | undefined {
  const { file, resolver } = scene;
  const started = batch.parts.flatMap((part) => {
    const place = {
      file,
      resolver,
      isClient: (node: Node) =>
        isClient(node) && (part.kind === 'once' || isFromOutside(node, part.node, file)),
    };
    return part.kind === 'once'
      ? startedIn(part.node, place)
          .slice(0, 1)
          .map((each) => ({ ...each, isMany: false, goesOn: false }))
      : manyIn(part.node, place);
  });
  const [first, second] = sameClient(started, file);
  if (first === undefined || (second === undefined && !first.isMany)) return undefined;
  const last = second ?? first;
  const messageId = messageOf(batch, first);
  const steps: readonly PathStep[] = [
    { place: placeOf(first.node), text: `${mention(first.node, file)} starts.` },
    {
      place: placeOf(last.node),
      text: first.isMany
        ? 'The next round starts it once more, before the first is done.'
        : `${mention(last.node, file)} starts before the first is done.`,
    },
  ];
  const finding: Finding = {
    rule,
    messageId,
    data: {
      client: file.text.slice(...first.client.range),
      what: mention(
        batch.place.type === 'CallExpression' ? batch.place.callee : batch.place,
        file,
      ).slice(1, -1),
    },
    place: placeOf(batch.place),
    steps,
    suggestions: inSequence(batch, started, file),
  };
  return { node: batch.place, finding };
}

function messageOf({ call, isCombined }: Batch, { goesOn }: Under): string {
  if (!isCombined) return 'inEachRound';
  if (goesOn) return 'rounds';
  return call.callee.type === 'MemberExpression' && memberName(call.callee) === 'allSettled'
    ? 'settled'
    : 'together';
}

interface Under extends Started {
  /** It is started once for each element of an array. */
  readonly isMany: boolean;
  /** Its round makes more queries after it. */
  readonly goesOn: boolean;
}

function manyIn(fn: Node, place: Parameters<typeof queriesIn>[1]): readonly Under[] {
  if (!isFunction(fn)) return [];
  const [first, second] = queriesIn(fn, place);
  return first === undefined ? [] : [{ ...first, isMany: true, goesOn: second !== undefined }];
}

/** A client that each round gets for itself is no shared one. */
function isFromOutside(node: Node, fn: Node, file: SourceFile): boolean {
  let base = unwrap(node);
  while (base.type === 'MemberExpression') base = unwrap(base.object);
  if (base.type === 'ThisExpression') return true;
  const variable = base.type === 'Identifier' ? variableOf(file, base) : undefined;
  return (
    variable !== undefined &&
    variable.identifiers.every((name) => !contains(fn, name as unknown as Node))
  );
}

/** The queries of the client of which there are most. */
function sameClient(started: readonly Under[], file: SourceFile): readonly Under[] {
  const groups = new Map<string, Under[]>();
  for (const each of started) {
    const name = file.text.slice(...each.client.range);
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return (
    [...groups.values()].find((group) => group.length > 1 || group.some(({ isMany }) => isMany)) ??
    []
  );
}

/** Queries of a followed client that begin while one before is not waited for. Those that take a callback are no matter here. */
function overlaps(
  { acquisition, exploration, overlaps: pairs }: Checkout,
  file: SourceFile,
  reported: readonly Node[],
): readonly Finding[] {
  if (acquisition.style === 'callback' || !exploration.isComplete) return [];
  return [...pairs].flatMap(([query, before]) => {
    if (
      reported.some((node) => contains(node, query) || contains(node, before)) ||
      !isPlainQuery(query, file) ||
      !isPlainQuery(before, file)
    )
      return [];
    // Of several in a row the first is told.
    if (before !== query && pairs.has(before)) return [];
    if (
      isEmitter(before, file) ||
      isEmitter(query, file) ||
      isLeft(before) ||
      isHandled(query, before)
    )
      return [];
    return [overlap(query, before, acquisition.poolText, file)];
  });
}

/** `const query = client.query(text); query.on('row', …)`: until pg 7 a query was an emitter and no promise. */
function isEmitter(query: TSESTree.CallExpression, file: SourceFile): boolean {
  const up = parentOf(query);
  if (up?.type === 'MemberExpression') return true;
  const variable =
    up?.type === 'VariableDeclarator' && up.id.type === 'Identifier'
      ? variableOf(file, up.id)
      : undefined;
  return (
    variable?.references.some(({ identifier }) =>
      /^\s*\.\s*(?:on|once|then|catch)\b/u.test(
        file.text.slice((identifier as unknown as Node).range[1]),
      ),
    ) === true
  );
}

/** `return client.query(…)`: what a `finally` does behind that is another rule's matter. */
function isLeft(query: Node): boolean {
  return (
    findAncestor(query, (each): each is Node => each.type === 'ReturnStatement' || isFunction(each))
      ?.type === 'ReturnStatement'
  );
}

/** What a `catch` or `finally` sends behind something that failed. */
function isHandled(query: Node, before: Node): boolean {
  const handler = findAncestor(
    query,
    (each): each is Node =>
      each.type === 'CatchClause' ||
      (each.parent?.type === 'TryStatement' && each.parent.finalizer === each),
  );
  return handler !== undefined && !contains(handler, before);
}

function overlap(
  query: TSESTree.CallExpression,
  before: TSESTree.CallExpression,
  poolText: string,
  file: SourceFile,
): Finding {
  const isSame = query === before;
  const client =
    query.callee.type === 'MemberExpression'
      ? file.text.slice(...query.callee.object.range)
      : poolText;
  return {
    rule,
    messageId: isSame ? 'inNextRound' : 'overlapping',
    data: { client, what: mention(query, file), line: String(before.loc.start.line) },
    place: placeOf(query),
    steps: [
      {
        place: placeOf(before),
        text: `${mention(before, file)} starts, and nothing waits for it here.`,
      },
      {
        place: placeOf(query),
        text: isSame
          ? 'The next round starts it once more, before the first is done.'
          : `${mention(query, file)} starts before the first is done.`,
      },
    ],
    suggestions: awaited(before),
  };
}

/** `await` is safe where nobody uses the promise and the function is asynchronous. */
function awaited(query: TSESTree.CallExpression): readonly Suggestion[] {
  if (
    parentOf(query)?.type !== 'ExpressionStatement' ||
    findAncestor(query, isFunction)?.async !== true
  )
    return [];
  return [
    {
      messageId: 'addAwait',
      data: { line: String(query.loc.start.line) },
      edits: [{ range: [query.range[0], query.range[0]], text: 'await ' }],
    },
  ];
}
