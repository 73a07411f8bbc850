import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import {
  contains,
  memberName,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { isPooledClient } from './session/pooled-clients.ts';
import { findBatches, type Batch } from '../syntax/batches.ts';
import type { Finding, PathStep } from './finding.ts';
import { mention, placeOf } from '../syntax/mention.ts';
import { libraryFor } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import type { Scene } from './scene.ts';
import { findOverlaps } from './overlapping-queries.ts';
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
  const inBatches = batchFindings(scene, clientsAt);
  const places = inBatches.map(({ node }) => node);
  const overlapping = checkouts.flatMap((checkout) => findOverlaps(checkout, file, places));
  return [...inBatches.map(({ finding }) => finding), ...overlapping, ...findSharedClients(scene)];
}

/** The same over the handle of a library's transaction, where the library does not make that harmless. */
export function findConcurrentOverHandle(scene: Scene): readonly Finding[] {
  const checkouts = scene.checkouts.filter(
    ({ acquisition: { driver } }) => (libraryFor(driver)?.together ?? null) !== null,
  );
  return checkouts.length === 0
    ? []
    : batchFindings({ ...scene, checkouts }, handlesAt).map(({ finding }) => finding);
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

/** Says of an expression whether it is one client when a call is made, or the handle of a library's connection. */
type HeldAt =
  | { readonly isClient: (node: Node, call: Node) => boolean }
  | { readonly libraryAt: (node: Node, call: Node) => Library | undefined };

function batchFindings(
  scene: Scene,
  heldIn: (scene: Scene, calls: ReadonlySet<Node>) => HeldAt,
): readonly Found[] {
  const batches = findBatches(scene.file);
  if (batches.length === 0) return [];
  const heldAt = heldIn(scene, new Set<Node>(batches.map(({ call }) => call)));
  const found = batches.flatMap((batch) => batchFinding(batch, scene, heldAt) ?? []);
  return found.filter(
    ({ node }) => !found.some((other) => other.node !== node && contains(other.node, node)),
  );
}

/** A client that is checked out, or one of the program's own. */
function clientsAt(scene: Scene, calls: ReadonlySet<Node>): HeldAt {
  const { file, resolver } = scene;
  const checkoutAt = checkoutsAt(scene, calls);
  return {
    isClient(node, call) {
      const plain = unwrap(node);
      return (
        isName(plain) &&
        (checkoutAt(plain, call) !== undefined ||
          resolver.entityOf(plain, file)?.kind === 'connection' ||
          isPooledClient(plain, scene))
      );
    },
  };
}

/** The handle of a connection that a library has lent. */
function handlesAt(scene: Scene, calls: ReadonlySet<Node>): HeldAt {
  const checkoutAt = checkoutsAt(scene, calls);
  const libraryHeld = (node: Node, call: Node): Library | undefined => {
    const driver = checkoutAt(unwrap(node), call)?.acquisition.driver;
    return driver && libraryFor(driver);
  };
  return {
    libraryAt(node, call) {
      const plain = unwrap(node);
      const library = isName(plain) ? libraryHeld(plain, call) : undefined;
      if (library !== undefined || plain.type !== 'MemberExpression') return library;
      const around = libraryHeld(plain.object, call);
      return around?.derives.members.includes(memberName(plain) ?? '') === true
        ? around
        : undefined;
    },
  };
}

function isName({ type }: Node): boolean {
  return type === 'Identifier' || type === 'MemberExpression';
}

/** The checkout whose client an expression is when a call is made. */
function checkoutsAt(
  { checkouts }: Scene,
  calls: ReadonlySet<Node>,
): (node: Node, call: Node) => Checkout | undefined {
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
  return (node, call) =>
    states.find(
      ({ state, checkout }) =>
        state.point.node === call && checkout.valueOf(node, state.fact) === 'client',
    )?.checkout;
}

function batchFinding(batch: Batch, scene: Scene, heldAt: HeldAt): Found | undefined {
  const { file, resolver } = scene;
  const started = batch.parts.flatMap((part) => {
    const isHere = (node: Node): boolean =>
      part.kind === 'once' || isFromOutside(node, part.node, file);
    const place: Parameters<typeof startedIn>[1] =
      'isClient' in heldAt
        ? {
            file,
            resolver,
            isClient: (node) => isHere(node) && heldAt.isClient(node, batch.call),
          }
        : {
            file,
            resolver,
            isClient: () => false,
            libraryAt: (node) => (isHere(node) ? heldAt.libraryAt(node, batch.call) : undefined),
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
  const messageId = 'libraryAt' in heldAt ? 'overHandle' : messageOf(batch, first);
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
