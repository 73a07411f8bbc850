import { pathTo, type State } from '../flow/explore.ts';
import type { Node } from '../flow/graph.ts';
import { isAnswerable, type Checkout } from './checkout.ts';
import type { Fact } from './facts.ts';
import type { Finding, PathStep, Place } from './finding.ts';
import { endOf, mention, placeOf } from './mention.ts';
import { memberName, parentOf, type SourceFile } from './source-file.ts';

/** The checkout does not come back on some path: at most one finding, a normal path before an exception. */
export function findLeak(checkout: Checkout, file: SourceFile): Finding | undefined {
  const { exploration, releases } = checkout;
  if (!isAnswerable(checkout)) return undefined;
  const leaking = exploration.states.filter(isLeak);
  const normal = leaking.find(({ point, fact }) => point.kind === 'exit' || fact.status === 'lost');
  const thrown = leaking.find(({ point }) => point.kind === 'throw-exit');
  const first = normal ?? thrown;
  if (first === undefined) return undefined;
  // Where nobody ever releases the client or takes it over, the way it leaves is not what is wrong.
  if (releases === 0 && !exploration.states.some(({ fact }) => fact.status === 'returned' || fact.status === 'escaped')) return neverReleased(checkout, first, file);
  return normal === undefined ? leavesByException(checkout, first, file) : leavesNormally(checkout, normal, file);
}

function isLeak({ point, fact }: State<Fact>): boolean {
  if (fact.isUnlikely) return false;
  if (fact.status === 'lost') return true;
  return (fact.status === 'held' || fact.status === 'pending') && (point.kind === 'exit' || point.kind === 'throw-exit');
}

function finding(checkout: Checkout, messageId: string, data: Record<string, string>, steps: readonly PathStep[]): Finding {
  const { call, poolText } = checkout.acquisition;
  return { rule: 'no-unreleased-client', messageId, data: { pool: poolText, remedy: remedyFor(checkout), ...data }, place: placeOf(call), steps: [{ place: placeOf(call), text: `A client is checked out of ${poolText}.` }, ...steps] };
}

/** What to do depends on how the client comes: a `finally` helps neither a callback nor a chain. */
function remedyFor({ acquisition: { call, style } }: Checkout): string {
  if (style === 'callback') return 'Call `done()` on every path of the callback, first thing in an error branch';
  const up = parentOf(call);
  if (up?.type === 'MemberExpression' && memberName(up) === 'then') return 'End the chain inside that handler with `.finally(() => client.release())`';
  return 'Start a `try` right after the checkout and release in its `finally`';
}

function neverReleased(checkout: Checkout, leak: State<Fact>, file: SourceFile): Finding {
  const exit = exitOf(checkout, leak, file);
  return finding(checkout, 'neverReleased', {}, [{ place: exit.place, text: `${exit.text} No path releases the client.` }]);
}

function leavesNormally(checkout: Checkout, leak: State<Fact>, file: SourceFile): Finding {
  if (leak.fact.status === 'lost') {
    return finding(checkout, 'acquiredAgain', {}, [{ place: placeOf(checkout.acquisition.call), text: 'The same call checks out another client while the first one is still held.' }]);
  }
  const exit = exitOf(checkout, leak, file);
  return finding(checkout, 'notReleasedOnSomePath', { line: String(exit.place.start.line), where: exit.what }, [{ place: exit.place, text: `${exit.text} The client is still held.` }]);
}

function leavesByException(checkout: Checkout, leak: State<Fact>, file: SourceFile): Finding {
  const thrower = lastThrower(checkout, leak) ?? checkout.acquisition.call;
  const place = placeOf(thrower);
  const what = mention(thrower, file);
  return finding(checkout, 'notReleasedOnThrow', { line: String(place.start.line), where: what }, [
    { place, text: `${what} may throw, and control leaves the function. The client is still held.` },
  ]);
}

interface Exit {
  readonly place: Place;
  readonly what: string;
  readonly text: string;
}

/** The last `return` on the way, or the end of the function. */
function exitOf(checkout: Checkout, leak: State<Fact>, file: SourceFile): Exit {
  const node = sinceAcquire(checkout, leak).findLast((state) => isReturn(state.point.node))?.point.node;
  if (node !== undefined && node !== null) return { place: placeOf(node), what: mention(node, file), text: `${mention(node, file)} leaves the function.` };
  return { place: endOf(checkout.graph.root), what: 'the end of the function', text: 'The function ends.' };
}

function isReturn(node: Node | null): boolean {
  return node?.type === 'ReturnStatement';
}

/** The operation whose exception leaves: the last one on the way that was left over an exceptional edge. */
function lastThrower(checkout: Checkout, leak: State<Fact>): Node | undefined {
  const path = sinceAcquire(checkout, leak);
  for (const { point, via, from } of [...path].reverse()) {
    if (via?.when === 'throw' && from?.point.node && from.point.kind !== 'unhandled') return from.point.node;
    if (point.node?.type === 'ThrowStatement') return point.node;
  }
  return undefined;
}

/** The part of the path on which the client is out. */
function sinceAcquire(checkout: Checkout, leak: State<Fact>): readonly State<Fact>[] {
  const path = pathTo(leak);
  const start = path.findLastIndex(({ point }) => point.node === checkout.acquisition.call);
  return path.slice(Math.max(0, start));
}
