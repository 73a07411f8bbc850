import { pathTo, type State } from '../flow/explore.ts';
import type { Graph, Point } from '../flow/graph.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { contains, findAncestor, unwrap } from '../syntax/source-file.ts';
import { useOf, type Use } from '../syntax/uses.ts';

/** On some path, a client that came back is referenced once more. */
export interface AfterRelease {
  readonly state: State<Fact>;
  /** The client, or the function that releases it. */
  readonly node: Node;
  readonly value: 'client' | 'release';
  readonly use: Use;
  /** The state in which the client was last released, and the call that did it. */
  readonly releaseState: State<Fact>;
  readonly release: Node;
}

/** Every reference of a client after its release; ways over exceptions that hardly ever happen are left out. */
export function referencesAfterRelease(checkout: Checkout): readonly AfterRelease[] {
  return checkout.exploration.states.flatMap((state) => {
    const { point, fact } = state;
    if (
      fact.status !== 'released' ||
      fact.followsImplicitThrow ||
      point.node === null ||
      !isReference(point, checkout, state)
    )
      return [];
    const value = checkout.valueOf(point.node, fact);
    if (value !== 'client' && value !== 'release') return [];
    const releaseState = releaseBefore(state);
    const releasing = releaseState?.point.node ?? null;
    if (releaseState === undefined || releasing === null) return [];
    const use: Use = point.kind === 'invoke' ? { kind: 'neutral' } : useOf(point.node);
    return [
      {
        state,
        node: point.node,
        value,
        use,
        releaseState,
        release: releasingCall(releasing, releaseState, checkout),
      },
    ];
  });
}

/** `client.release` is a reference of `client`, not one more of its own. */
function isReference({ kind, node }: Point, checkout: Checkout, state: State<Fact>): boolean {
  if (node === null || isFunction(node)) return false;
  if (kind === 'invoke') return true;
  const plain = unwrap(node);
  return (
    kind === 'eval' &&
    !(plain.type === 'MemberExpression' && checkout.valueOf(plain.object, state.fact) === 'client')
  );
}

/** True where the release stands in something that nobody waits for: what is behind it in the text may run before it. */
export function mayComeFirst({ node, release, releaseState }: AfterRelease, graph: Graph): boolean {
  return [release, seenFrom(release, releaseState.point, graph)].some((each) =>
    isApart(each, node, graph),
  );
}

/** True where a node stands in something that nobody waits for, and another outside of it. */
export function isApart(node: Node, other: Node, { detached }: Graph): boolean {
  const chain = findAncestor(
    node,
    (each): each is Node => detached.has(each) && !contains(each, other),
  );
  return chain !== undefined;
}

/** The call on the way to a state that released the client, with the state in which it did. */
export function lastRelease(
  end: State<Fact>,
  checkout: Checkout,
): { readonly node: Node; readonly state: State<Fact> } | undefined {
  const state = releaseBefore(end);
  const node = state?.point.node ?? null;
  return state === undefined || node === null
    ? undefined
    : { node: releasingCall(node, state, checkout), state };
}

/** The last state on the way in which the client was still out; one that came after it was asked for in vain. */
function releaseBefore(state: State<Fact>): State<Fact> | undefined {
  let each: State<Fact> | null = state;
  while (each !== null && (each.fact.status === 'released' || each.fact.status === 'pending'))
    each = each.from;
  return each ?? undefined;
}

/** A helper that was followed into releases where it is called; all others where the client is referenced. */
export function releasingCall(node: Node, { fact }: State<Fact>, checkout: Checkout): Node {
  const value = checkout.valueOf(node, fact);
  return node.type === 'CallExpression' && value !== 'client' && value !== 'release'
    ? node
    : enclosingCall(node);
}

/** The call that a reference of the client belongs to. */
export function enclosingCall(referenced: Node): Node {
  const use = useOf(referenced);
  if (use.kind === 'receiver') return use.call ?? referenced;
  return use.kind === 'callee' || use.kind === 'argument' ? use.call : referenced;
}

/** What was passed between the release and the reference, the release first. */
export function wayBetween({ state, releaseState }: AfterRelease): readonly State<Fact>[] {
  const path = pathTo(state);
  return path.slice(path.indexOf(releaseState));
}

/**
 * Where the graph's own function sees a node: the node itself, or, when it stands in a helper that is part of the graph, the call
 * of that helper. `bodies` are those around the point at which the node was evaluated.
 */
export function seenFrom(node: Node, point: Point, graph: Graph): Node {
  return callsAround(node, point, graph).at(-1) ?? node;
}

/** The calls of the helpers that a node stands in, from the inside out, up to the first that is not known. */
export function callsAround(node: Node, { bodies }: Point, graph: Graph): readonly Node[] {
  const calls: Node[] = [];
  for (let fn = enclosing(node); fn !== undefined && fn !== graph.root; fn = enclosing(fn)) {
    if (graph.inlined.has(fn)) continue;
    const call = bodies.find((each) => each.fn === fn)?.call ?? null;
    if (call === null) break;
    calls.push(call);
    fn = call;
  }
  return calls;
}

function enclosing(node: Node): Node | undefined {
  return findAncestor(node, isFunction);
}
