import {
  parentOf,
  unwrap,
  type SourceFile,
  definitionOf,
  memberName,
  variableOf,
} from '../syntax/source-file.ts';
import { parameterIndex } from '../syntax/parameters.ts';
import type { FunctionNode, Node } from '../syntax/node.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { isAmbientAt } from '../values/ambient.ts';
import { absentAt, presentAt } from '../syntax/conditions.ts';
import { executorsAmong, givenAt, type Executor } from '../values/executor.ts';
import { isBySetting } from '../values/pools/by-setting.ts';
import type { Resolver } from '../values/resolver.ts';
import { byDistance, createEffects, type Effect, type EffectsOf } from './effects.ts';
import { neededGiven, needUnless } from './told-in-call.ts';
import { timer, waitsOf, waitsOfFunction, type Called, type Waits, type Work } from './waits.ts';

/** Work outside of the database that a promise waits for. */
export interface SlowWork extends Effect {
  /** For example "an HTTP request". */
  readonly what: string;
  /** What spares it, each by itself: `if (!tx) await publish()`. */
  readonly unlessGiven: readonly Executor[];
  /** What has to be given, or it is not done: `if (notify) await publish()`. */
  readonly onlyGiven: readonly Executor[];
  /** The position of the parameter that says how long a timer runs. */
  readonly durationAt: number | undefined;
}

/** In milliseconds. A shorter pause lets others run and is no wait. */
const shortestPause = 50;

/** A stretch of code that waits. */
interface Waiting {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  /** The function that it is, whose caller decides what it is given. */
  readonly fn: FunctionNode | undefined;
}

const worksOf: EffectsOf<SlowWork, undefined> = createEffects({
  effectsIn: ({ node: fn, file }, _entry, resolver) =>
    worksIn(waitsOfFunction(fn, file, resolver), { file, resolver, fn }),
  identityOf: ({ unlessGiven, onlyGiven, durationAt }) => [
    durationAt,
    ...unlessGiven.flatMap(({ index, key }) => [index, key]),
    'only',
    ...onlyGiven.flatMap(({ index, key }) => [index, key]),
  ],
});

/** What an awaited expression waits for, when that is known to be slow: the nearest such work, over any number of calls. */
export function slowWorkIn(
  awaited: Node,
  file: SourceFile,
  resolver: Resolver,
): SlowWork | undefined {
  const waits = waitsOf(awaited, file, resolver);
  return [...worksIn(waits, { file, resolver, fn: undefined })].sort(byDistance)[0];
}

/** The same for what a function waits for that is called with what nobody here knows. */
export function slowWorkInside(
  fn: KnownFunction,
  callee: Node,
  file: SourceFile,
  resolver: Resolver,
): SlowWork | undefined {
  return [...(worksOf(fn, callee, { file, resolver }, undefined) ?? [])]
    .filter(({ unlessGiven }) => unlessGiven.length === 0)
    .sort(byDistance)[0];
}

/** What is called is looked into only where nothing is nearer that is done in any case. */
function worksIn({ works, calls }: Waits, waiting: Waiting): readonly SlowWork[] {
  const own = works.flatMap((work) =>
    lasting(
      { ...work, via: [], unlessGiven: [], onlyGiven: [] },
      durationOf(work),
      waiting,
    ).flatMap((each) => inFunction(each, work.node, waiting)),
  );
  return own.some(isCertain)
    ? own
    : [...own, ...calls.flatMap((called) => worksOfCalled(called, waiting))];
}

/** How long a timer runs: `setTimeout(resolve, ms)`, and `delay(ms)` of a package. */
function durationOf({ what, node }: Work): Node | undefined {
  if (what !== timer || node.type !== 'CallExpression') return undefined;
  const [first, second = first] = node.arguments;
  return first?.type === 'Literal' ? first : second;
}

/** A timer's work, unless it is a short pause; with the parameter that decides. */
function lasting(
  work: Omit<SlowWork, 'durationAt'>,
  duration: Node | undefined,
  { file, fn }: Waiting,
): readonly SlowWork[] {
  const plain = duration && unwrap(duration);
  if (plain?.type === 'Literal' && Number(plain.value) < shortestPause) return [];
  const index = plain && fn ? parameterIndex(plain, fn, file) : -1;
  return [{ ...work, durationAt: index < 0 ? undefined : index }];
}

function isCertain({ unlessGiven, onlyGiven }: SlowWork): boolean {
  return unlessGiven.length === 0 && onlyGiven.length === 0;
}

function worksOfCalled({ fn, callee, from }: Called, waiting: Waiting): readonly SlowWork[] {
  const works = worksOf(fn, callee, { file: from, resolver: waiting.resolver }, undefined) ?? [];
  return works.flatMap((work) =>
    forCaller(work, callee, waiting).flatMap((each) => inFunction(each, callee, waiting)),
  );
}

/** The work of a function as its caller has it: none where the call gives what spares it, or leaves out what it is done for. */
function forCaller(work: SlowWork, callee: Node, waiting: Waiting): readonly SlowWork[] {
  const { file, fn } = waiting;
  const call = parentOf(callee);
  // `then(notify)`: what it is called with does not show.
  if (call?.type !== 'CallExpression' || call.callee !== callee)
    return [{ ...work, durationAt: undefined }];
  const unlessGiven = needUnless(work.unlessGiven, call, { file, fn });
  const onlyGiven = neededGiven(work.onlyGiven, call, { file, fn });
  return unlessGiven === undefined || onlyGiven === undefined
    ? []
    : lasting(
        { ...work, unlessGiven, onlyGiven },
        work.durationAt === undefined ? undefined : call.arguments[work.durationAt],
        waiting,
      );
}

/** Work as the function around it does it: none where that does it outside of an `AsyncLocalStorage` scope only, or pauses because the environment says so, or for those who registered. */
function inFunction(
  work: SlowWork,
  node: Node,
  { file, resolver, fn }: Waiting,
): readonly SlowWork[] {
  if (fn === undefined) return [work];
  const absent = absentAt(node, fn, file);
  if (
    absent.some((each) => isAmbientAt(each, file, resolver)) ||
    (work.what === timer &&
      (isBySetting(node, file) || presentAt(node, fn).some((each) => asksRegistry(each, file))))
  )
    return [];
  return [
    {
      ...work,
      unlessGiven: [...work.unlessGiven, ...executorsAmong(absent, fn, file)],
      onlyGiven: [...work.onlyGiven, ...givenAt(node, fn, file)],
    },
  ];
}

/** `stops.has(name)`, where `const stops = new Map()` is empty until somebody registers something. */
function asksRegistry(asked: Node, file: SourceFile): boolean {
  const member = asked.type === 'CallExpression' ? asked.callee : undefined;
  if (member?.type !== 'MemberExpression' || memberName(member) !== 'has') return false;
  const made = definitionOf(variableOf(file, member.object))?.node as Node | undefined;
  return (
    made?.type === 'VariableDeclarator' &&
    made.parent.parent.type !== 'BlockStatement' &&
    made.init?.type === 'NewExpression' &&
    made.init.arguments.length === 0
  );
}
