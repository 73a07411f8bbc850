import { giverOf } from '../fixes/call-done.ts';
import { isVisible } from '../fixes/visible.ts';
import {
  type FunctionNode,
  type Node,
  isClass,
  isFunction,
  type CallNode,
} from '../syntax/node.ts';
import {
  contains,
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { walk } from '../syntax/preorder.ts';
import { constantText } from '../syntax/constants.ts';
import { isQuery } from '../syntax/calls.ts';
import { statementKinds, type StatementKind } from '../model/sql.ts';
import type { Here } from '../values/resolver.ts';
import { callbackOf, namedCallbackOf } from '../typestate/call-semantics.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { pathTo, type State } from '../flow/explore.ts';
import { releasingCall, seenFrom } from './after-release.ts';
import { clientName } from './client-text.ts';

/**
 * What releases a client at a place: a helper of the program's own, which may reset what was set, or what a callback or a variable has.
 * Undefined where nothing that is in sight there does.
 */
export function releaseCode(
  checkout: Checkout,
  place: Node,
  here: Here,
  alike: readonly Checkout[],
): string | undefined {
  const { file } = here;
  const { driver, shape } = checkout.acquisition;
  const name = clientName(checkout);
  const helper = helperOf([checkout, ...alike], place, here);
  if (helper !== undefined) return codeOf(helper, name, file);
  const callback = callbackGiven(checkout, file);
  if (callback !== undefined)
    return giverOf(callback, contains(callback, place) ? place : callback.body, file)?.text;
  const [method] = driver.releases;
  if (shape !== undefined || name === undefined || method === undefined) return undefined;
  return `${name}.${method}()`;
}

/** The helper of the program's own by which one of the checkouts is released, where it does nothing but that, and takes back what was set. */
export function helperOf(
  checkouts: readonly Checkout[],
  place: Node,
  here: Here,
): Helper | undefined {
  const { file } = here;
  return checkouts
    .flatMap(helpersIn)
    .sort((one, other) => Number(other.followsFailure) - Number(one.followsFailure))
    .find(
      ({ call }) => isInSight(unwrap(call.callee), place, file) && isReleaser(call, place, here),
    );
}

/** The functions by which its ways release a client: where there are several, a `finally` with one of them would come behind another one. */
export function releasersOf(checkout: Checkout, { file, resolver }: Here): ReadonlySet<Node> {
  return new Set(
    helpersIn(checkout).map(({ call: { callee } }) => {
      const value = resolver.abstractValueOf(callee, file);
      return value?.kind === 'function' ? value.node : callee;
    }),
  );
}

/** The functions that release the client beside other things that they do with it. */
export function workersOf(checkout: Checkout, here: Here): readonly Node[] {
  return helpersIn(checkout).flatMap(({ call }) =>
    isReleaser(call, call, here) ? [] : [call.callee],
  );
}

function isReleaser({ callee }: CallNode, place: Node, { file, resolver }: Here): boolean {
  const value = resolver.abstractValueOf(callee, file);
  if (value?.kind !== 'function') return false;
  if (value.file === file && contains(value.node, place)) return false;
  let restores = true;
  walk(value.file, value.node.body, (node) => {
    const [text] = node.type === 'CallExpression' && isQuery(node) ? node.arguments : [];
    restores &&= text === undefined || statementKinds(constantText(text) ?? '').every(isRestoring);
    return restores;
  });
  return restores;
}

/** It ends what the connection is in, or takes back what was left on it. */
function isRestoring({ undoes, effect, transaction }: StatementKind): boolean {
  return (
    undoes.length > 0 || effect === 'set' || transaction === 'rollback' || transaction === 'commit'
  );
}

/** The function that an acquire calls back with the client. */
export function callbackGiven(
  { acquisition: { call, style } }: Checkout,
  file: SourceFile,
): FunctionNode | undefined {
  return style === 'callback' && call.type === 'CallExpression'
    ? (callbackOf(call) ?? namedCallbackOf(call, file) ?? undefined)
    : undefined;
}

/** A call by which a client is released that is none of the driver's. */
interface Helper {
  readonly call: CallNode;
  readonly given: 'client' | 'nothing' | 'more';
  readonly followsFailure: boolean;
}

function helpersIn(checkout: Checkout): readonly Helper[] {
  return releasesOn(checkout).flatMap(({ call, state }) =>
    call.type !== 'CallExpression' || isOfDriver(call, state.fact, checkout)
      ? []
      : [
          {
            call,
            given: givenTo(call, state.fact, checkout),
            followsFailure: pathTo(state).some(({ via }) => via?.when === 'throw'),
          },
        ],
  );
}

interface Release {
  /** As the function of the checkout sees it. */
  readonly call: Node;
  readonly state: State<Fact>;
}

/** Where each way releases the client. */
function releasesOn(checkout: Checkout): readonly Release[] {
  return checkout.exploration.marked.flatMap(({ from }) => {
    const node = from?.point.node ?? null;
    if (from === null || node === null) return [];
    const call = seenFrom(releasingCall(node, from, checkout), from.point, checkout.graph);
    return [{ call, state: from }];
  });
}

/** The outermost `try` behind the acquire that has all the releases in it. */
export function tryAroundReleases(checkout: Checkout): Node | undefined {
  const [first, ...others] = releasesOn(checkout).map(({ call }) => call);
  let around: Node | undefined;
  for (let each = first; each !== undefined; each = parentOf(each)) {
    if (isFunction(each) || contains(each, checkout.acquisition.call)) break;
    if (each.type === 'TryStatement') around = each;
  }
  return around !== undefined && others.every((each) => contains(around, each))
    ? around
    : undefined;
}

/** `client.release()`, or what the driver called back with. */
function isOfDriver(call: CallNode, fact: Fact, checkout: Checkout): boolean {
  const callee = unwrap(call.callee);
  return (
    checkout.valueOf(callee, fact) === 'release' ||
    checkout.acquisition.driver.releases.includes(memberName(callee) ?? '')
  );
}

function givenTo(
  { arguments: [first, ...more] }: CallNode,
  fact: Fact,
  checkout: Checkout,
): Helper['given'] {
  if (first === undefined) return 'nothing';
  return more.length === 0 && checkout.valueOf(first, fact) === 'client' ? 'client' : 'more';
}

function isInSight(callee: Node, place: Node, file: SourceFile): boolean {
  if (callee.type === 'MemberExpression') return isInSight(unwrap(callee.object), place, file);
  if (callee.type === 'ThisExpression')
    return findAncestor(callee, isClass) === findAncestor(place, isClass);
  const variable = variableOf(file, callee);
  return variable !== undefined && isVisible(variable, place, file);
}

/** `await giveBack(client)` */
function codeOf({ call, given }: Helper, client: string | undefined, file: SourceFile): string {
  const told = { client: client ?? 'client', nothing: '', more: '…' }[given];
  const awaits = call.parent.type === 'AwaitExpression' ? 'await ' : '';
  return `${awaits}${file.text.slice(...call.callee.range)}(${told})`;
}

/** A way on which the client went back to the pool in some state that it should not be in. */
export interface KeptRelease {
  /** The call that gives it back, as the graph's own function sees it. */
  readonly release: Node;
  /** The states from the entry to the one right after the release. */
  readonly path: readonly State<Fact>[];
}

/** The shortest paths to a release after which such a state still holds, without those over exceptions that rarely happen. */
export function keptReleases(
  checkout: Checkout,
  isLeft: (fact: Fact) => boolean,
): readonly KeptRelease[] {
  const { marked, isComplete, isSampled } = checkout.exploration;
  if (!isComplete && !isSampled) return [];
  return marked.flatMap((state) => {
    const { fact, from } = state;
    const node = from?.point.node ?? null;
    if (fact.followsImplicitThrow || !isLeft(fact) || from === null || node === null) return [];
    return [
      {
        release: seenFrom(releasingCall(node, from, checkout), from.point, checkout.graph),
        path: pathTo(state),
      },
    ];
  });
}

/** The index of the first state that holds what `test` asks for and goes on doing so to the end of a path; -1 when the path begins so. */
export function sinceWhen(path: readonly State<Fact>[], test: (fact: Fact) => boolean): number {
  const before = path.findLastIndex(({ fact }) => !test(fact));
  return before === -1 ? -1 : before + 1;
}
