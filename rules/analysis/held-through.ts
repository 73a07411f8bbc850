import { basename } from 'node:path';
import type { State } from '../flow/explore.ts';
import type { Node } from '../flow/graph.ts';
import { isChain, isWaitedFor } from '../flow/promises.ts';
import { isAnswerable, type Checkout } from './checkout.ts';
import { isFunction } from './entities.ts';
import type { Fact } from './facts.ts';
import type { Finding, PathStep } from './finding.ts';
import { mention, placeOf } from './mention.ts';
import type { Resolver } from './resolver.ts';
import { slowWorkIn, type SlowWork } from './slow-work.ts';
import { parentOf, type SourceFile } from './source-file.ts';

/** Awaits of slow work during which the client is held: one finding an await. */
export function findSlowAwaits(checkout: Checkout, file: SourceFile, resolver: Resolver): readonly Finding[] {
  if (!isAnswerable(checkout)) return [];
  const heldAt = new Map<Node, { inTransaction: boolean }>();
  for (const state of checkout.exploration.states) {
    const node = waitingNode(state);
    if (node === undefined || state.fact.status !== 'held' || isNobodysWait(node, checkout)) continue;
    const before = heldAt.get(node);
    heldAt.set(node, { inTransaction: (before?.inTransaction ?? false) || state.fact.inTransaction });
  }
  return [...heldAt].flatMap(([node, { inTransaction }]) => {
    const work = slowWorkIn(node.type === 'AwaitExpression' ? node.argument : node, file, resolver);
    return work === undefined ? [] : [describe(checkout, node, work, inTransaction, file)];
  });
}

function waitingNode({ point }: State<Fact>): Node | undefined {
  if (point.node === null) return undefined;
  return point.kind === 'settle' || (point.kind === 'eval' && point.node.type === 'AwaitExpression') ? point.node : undefined;
}

/** What a chain waits for that nobody waits for holds up nothing, unless the client was acquired in that chain. */
function isNobodysWait(node: Node, { acquisition }: Checkout): boolean {
  for (let up = parentOf(node); up !== undefined && !isFunction(up); up = parentOf(up)) {
    if (isChain(up) && !isWaitedFor(up)) return !contains(up, acquisition.call);
  }
  return false;
}

function contains(outer: Node, inner: Node): boolean {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

function describe({ acquisition }: Checkout, node: Node, work: SlowWork, inTransaction: boolean, file: SourceFile): Finding {
  const { call, poolText } = acquisition;
  const [helper] = work.via;
  const steps: PathStep[] = [
    { place: placeOf(call), text: `A client is checked out of ${poolText}.` },
    { place: placeOf(node), text: `${mention(node, file)} waits for ${work.what} while the client is held.` },
    ...work.via.map((via) => ({ place: placeOf(via.node), text: `via ${via.text}()`, ...(via.file === file ? {} : { file: via.file.path }) })),
  ];
  return {
    rule: 'no-external-await-while-holding',
    messageId: inTransaction ? 'heldInTransaction' : 'held',
    data: { pool: poolText, line: String(call.loc.start.line), what: work.what + (helper === undefined ? '' : ` (via ${helper.text}(), ${whereIs(helper, file)})`) },
    place: placeOf(node),
    steps,
  };
}

/** `line 7`, or `payments.ts:7` in another file. */
function whereIs({ node, file }: SlowWork['via'][number], from: SourceFile): string {
  const { line } = node.loc.start;
  return file === from ? `line ${line}` : `${basename(file.path)}:${line}`;
}
