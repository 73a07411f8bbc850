import { callsIn } from '../summaries/calls-made.ts';
import { byDistance, createEffects, type Effect, type EffectsOf } from '../summaries/effects.ts';
import { heldCallAt, type HeldCall, type HoldingCode } from '../summaries/held-calls.ts';
import { heldThrough, type Given } from '../summaries/held-paths.ts';
import { findBatches } from '../syntax/batches.ts';
import { isDropped } from '../syntax/is-dropped.ts';
import { receiverText } from '../syntax/excerpt.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { contains } from '../syntax/source-file.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Finding } from './finding.ts';
import { handlesAt } from './held-at-calls.ts';
import type { Analysis } from './analysis.ts';
import { startedTogether } from './started-together.ts';
import { stepOf, stepsVia } from './path-step.ts';
import { passedBy, placeGiven } from './surely-queries.ts';
import { lastHelper } from './helper-text.ts';

/** Where a function starts several queries at a time over the one connection that it is given. */
const batchesInside: EffectsOf<
  Effect,
  { readonly given: readonly Given[]; readonly passed: number }
> = createEffects({
  partsOf: ({ given, passed }) => [
    ...given.flatMap(({ level, index, key, held: { library } }) => [level, index, key, library]),
    passed,
  ],
  effectsIn({ node, file }, entry, resolver) {
    const place = placeGiven({ kind: 'function', node, file }, entry, resolver);
    const calls = callsIn(node, file).filter((call) => call.type === 'CallExpression');
    const own = findBatches(file).filter(
      (batch) =>
        batch.isCombined && calls.includes(batch.call) && startedTogether(batch, place).length > 0,
    );
    return [
      ...own.map((batch): Effect => ({ node: batch.place, file, via: [] })),
      ...calls.flatMap((call) => batchesBehind(call, heldCallAt(call, place), place, resolver)),
    ];
  },
});

function batchesBehind(
  call: CallNode,
  called: HeldCall | undefined,
  { file }: HoldingCode,
  resolver: Resolver,
): readonly Effect[] {
  if (called === undefined) return [];
  const connections = new Set(called.given.map(({ held }) => held.of));
  return [...connections].flatMap((connection) => {
    const given = called.given.filter(({ held }) => held.of === connection);
    const entry = { given, passed: passedBy(call) };
    return batchesInside(called.fn, call.callee, { file, resolver }, entry) ?? [];
  });
}

/** Calls of functions that start several queries at a time over the handle which they are given; what is reported where it stands is not said again. */
export function findBatchesInHelpers(
  analysis: Analysis,
  reported: readonly Node[],
): readonly Finding[] {
  const calls = callsWhileHeld(analysis).filter(
    (call) => !isDropped(call) && !reported.some((node) => contains(node, call)),
  );
  const { heldAt } = handlesAt(analysis, new Set<Node>(calls));
  const { file, resolver } = analysis;
  return calls.flatMap((call) => {
    const code: HoldingCode = {
      file,
      resolver,
      paths: heldThrough(
        { at: (node) => heldAt(node, call), member: () => undefined, keysOf: () => [] },
        file,
      ),
      ofThis: [],
    };
    const called = heldCallAt(call, code);
    const [batch] = [...batchesBehind(call, called, code, resolver)].sort(byDistance);
    const given = called?.given[0];
    return batch === undefined || given === undefined || reported.includes(batch.node)
      ? []
      : [findingAt(call, batch, given, analysis)];
  });
}

/** The calls of the code that holds a client, those of the helpers in its file left out. */
function callsWhileHeld({ checkouts }: Analysis): readonly CallNode[] {
  const calls = checkouts.flatMap(({ exploration, graph }) =>
    exploration.states.flatMap(({ point: { kind, node }, fact: { followsImplicitThrow } }) =>
      kind === 'eval' &&
      node?.type === 'CallExpression' &&
      !followsImplicitThrow &&
      contains(graph.root, node)
        ? [node]
        : [],
    ),
  );
  return [...new Set(calls)];
}

function findingAt(
  call: CallNode,
  batch: Effect,
  { by: client, held }: HeldCall['given'][number],
  { file }: Analysis,
): Finding {
  const { node, file: of, via } = batch;
  return {
    rule: 'no-concurrent-client-query',
    messageId: 'inHelper',
    data: {
      client: receiverText(client, file),
      helper: lastHelper(batch, file) ?? '',
      fact: held.library?.together ?? '',
    },
    place: call.loc,
    steps: [
      stepOf(call, file, 'gets the connection.'),
      ...stepsVia(via, file),
      stepOf(node, of, 'starts several queries over it.', file),
    ],
  };
}
