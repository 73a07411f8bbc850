import type { TSESTree } from '@typescript-eslint/types';
import { endingMembers } from '../model/pool-life.ts';
import { callsIn } from '../syntax/calls.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import {
  isClass,
  isFunction,
  type ClassNode,
  type FunctionNode,
  type Node,
  type CallNode,
} from '../syntax/node.ts';
import { isTakenEachTime } from '../syntax/taken-each-time.ts';
import { someIn } from '../syntax/preorder.ts';
import { useOf } from '../syntax/uses.ts';
import {
  contains,
  findAncestor,
  keyName,
  parentOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { AbstractValue } from '../values/abstract-values.ts';
import { paramsBehind } from '../values/pools/depends-on.ts';
import { referencesToMember } from '../values/pools/keeping.ts';
import { lifeOf, lifeOfFields, type Life } from '../values/pools/life.ts';
import { madeBy, type Made } from '../values/pools/made-pools.ts';
import { type Way } from '../values/pools/way.ts';
import { enclosingMember } from '../values/pools/ways-through.ts';
import type { Resolver } from '../values/resolver.ts';
import { createEffects, type Effect, type EffectsOf } from './effects.ts';

/** What makes something: the call of a function, or a class's or driver's `new`. */
export type Making = CallNode | TSESTree.NewExpression;

/** A pool, or a connection, that is made anew each time that something is evaluated. */
export interface PoolMade extends Effect {
  readonly made: Made;
  /** How one gets at it from what the expression gives; nobody does without one. */
  readonly ways: readonly Way[];
  /** Members of what the expression gives whose code ends it. */
  readonly endedBy: ReadonlySet<string>;
  /** The arguments that its configuration comes from. */
  readonly params: ReadonlySet<number>;
  /** What makes it in the body of the function that is called. */
  readonly at: Node;
}

type Body = AbstractValue & { readonly kind: 'function' | 'class' };

const poolsOf: EffectsOf<PoolMade, undefined, Body> = createEffects({
  effectsIn: (body, _entry, resolver) =>
    isHandedOn(body, resolver)
      ? []
      : [
          ...makingsIn(body.node, body.file).flatMap((each) => passedOn(each, body, resolver)),
          ...inherited(body, resolver),
        ],
  identityOf: ({ node, ways }) => [node, ways.length > 0],
});

/** The pools that an expression makes, itself or by what it calls. */
export function poolsMadeAt(
  making: Making,
  file: SourceFile,
  resolver: Resolver,
): readonly PoolMade[] {
  const made = making.type === 'NewExpression' ? madeBy(making, file, resolver) : undefined;
  if (made !== undefined) return [asMade(made, making, file)];
  const abstractValue = resolver.abstractValueOf(making.callee, file);
  return abstractValue?.kind === (making.type === 'NewExpression' ? 'class' : 'function') &&
    resolver.reader.leadsToDriver?.(abstractValue.file) !== false
    ? (poolsOf(abstractValue, making.callee, { file, resolver }, undefined) ?? [])
    : [];
}

function asMade(made: Made, node: Making, file: SourceFile): PoolMade {
  return {
    node,
    file,
    made,
    via: [],
    ways: [[]],
    endedBy: new Set(),
    params: new Set(node.arguments.keys()),
    at: node,
  };
}

/** What a function leaves behind or gives back of what it makes each time, and a class of what it makes for each object. */
function passedOn(making: Making, body: Body, resolver: Resolver): readonly PoolMade[] {
  const { node: scope, file } = body;
  if (!isTakenEachTime(making, scope, file)) return [];
  return poolsMadeAt(making, file, resolver).flatMap((each) => {
    if (each.made.kind !== 'pool') return [];
    const params = configurationOf(each, making.arguments, scope, takenBy(scope), file);
    const life = lifeOf(making, each.ways, { within: scope, isOfRequest: false }, file, resolver);
    return params === undefined || life === undefined
      ? []
      : asEffect(each, life, making, params, body);
  });
}

/** The parameters of `takes` that the configuration of a pool comes from; undefined where it may be another one each time. */
export function configurationOf(
  { params }: PoolMade,
  given: readonly Node[],
  scope: Node,
  takes: FunctionNode | undefined,
  file: SourceFile,
): ReadonlySet<number> | undefined {
  if (params.size > 0 && given.some(({ type }) => type === 'SpreadElement')) return undefined;
  return paramsBehind(
    [...params].flatMap((index) => given[index] ?? []),
    scope,
    takes,
    file,
  );
}

/** Whether somebody ends it by something that is called meanwhile. */
export function isEnded({ endedBy }: PoolMade, { asked, endedBy: ends }: Life): boolean {
  return ends.size > 0 || [...asked].some((name) => endedBy.has(name) || endingMembers.has(name));
}

function asEffect(
  made: PoolMade,
  life: Life,
  at: Node,
  params: ReadonlySet<number>,
  body: Body,
): readonly PoolMade[] {
  const members =
    body.kind === 'class' ? methodsOf(body.node) : new Set(life.given.map(([name]) => name ?? ''));
  const later = [...life.endedBy].filter((name) => members.has(name));
  const isEndedNow = later.length < life.endedBy.size;
  if (isEnded(made, { ...life, endedBy: new Set(isEndedNow ? [''] : []) })) return [];
  const endedBy = body.kind === 'class' ? throughOthers(later, body) : later;
  return [
    { ...made, ways: life.given, endedBy: new Set([...made.endedBy, ...endedBy]), params, at },
  ];
}

/** The pools of the class that a class extends, with what its own code does with them. */
function inherited(body: Body, resolver: Resolver): readonly PoolMade[] {
  if (body.kind !== 'class' || body.node.superClass === null) return [];
  const { node, file } = body;
  const above = resolver.abstractValueOf(body.node.superClass, file);
  if (above?.kind !== 'class') return [];
  return (poolsOf(above, body.node.superClass, { file, resolver }, undefined) ?? []).flatMap(
    (each) => {
      const takes = constructorOf(node);
      const given = takes && superCallIn(takes, file)?.arguments;
      const params =
        takes === undefined
          ? each.params
          : given && configurationOf(each, given, node, takes, file);
      const life = lifeOfFields(each.ways, node, file, resolver);
      return params === undefined || life === undefined
        ? []
        : asEffect(each, life, each.at, params, body);
    },
  );
}

function superCallIn(fn: FunctionNode, file: SourceFile): CallNode | undefined {
  return callsIn(file).calls.find(
    (call) => call.callee.type === 'Super' && findAncestor(call, isFunction) === fn,
  );
}

function methodsOf({ body }: ClassNode): ReadonlySet<string> {
  return new Set(
    body.body.flatMap((each) =>
      (each.type === 'MethodDefinition' || each.type === 'PropertyDefinition') && !each.static
        ? ((name) => (name === undefined || name === 'constructor' ? [] : [name]))(
            keyName(each.key, each.computed),
          )
        : [],
    ),
  );
}

/** Members of a class that come to some of its members, those included. */
function throughOthers(names: readonly string[], { node, file }: Body): readonly string[] {
  const found = new Set(names);
  // The set grows while it is read: it is the worklist.
  for (const name of found)
    for (const each of referencesToMember(name, file))
      if (contains(node, each)) found.add(enclosingMember(each));
  return [...found];
}

/** Somebody else may have the objects of a class: its own code hands `this` on, or what it extends is not known. */
function isHandedOn({ node, file, kind }: Body, resolver: Resolver): boolean {
  if (kind === 'function') return false;
  if (node.superClass !== null && resolver.abstractValueOf(node.superClass, file)?.kind !== 'class')
    return true;
  return someIn(
    file,
    node,
    (each) => each.type === 'ThisExpression' && !/^(?:receiver|neutral)$/u.test(useOf(each).kind),
  );
}

function takenBy(body: Node): FunctionNode | undefined {
  if (isFunction(body)) return body;
  return isClass(body) ? constructorOf(body) : undefined;
}

function constructorOf({ body }: ClassNode): FunctionNode | undefined {
  for (const each of body.body)
    if (each.type === 'MethodDefinition' && each.kind === 'constructor' && isFunction(each.value))
      return each.value;
  return undefined;
}

const makingsByBody = oncePerTree((file): ReadonlyMap<Node, readonly Making[]> => {
  const byBody = new Map<Node, Making[]>();
  const { calls, constructions } = callsIn(file);
  for (const each of [...calls, ...constructions]) {
    const body = enclosingBody(each);
    if (body !== undefined) byBody.set(body, [...(byBody.get(body) ?? []), each]);
  }
  return byBody;
});

function makingsIn(body: Node, file: SourceFile): readonly Making[] {
  return makingsByBody(file).get(body) ?? [];
}

/** The function that evaluates a node when it is called, or the class that does for each of its objects. */
export function enclosingBody(node: Node): Node | undefined {
  const body = findAncestor(
    node,
    (each): each is FunctionNode | TSESTree.PropertyDefinition | ClassNode =>
      isFunction(each) || each.type === 'PropertyDefinition' || isClass(each),
  );
  if (body === undefined || isClass(body)) return undefined;
  if (body.type === 'PropertyDefinition')
    return body.static ? undefined : findAncestor(body, isClass);
  const up = parentOf(body);
  return up?.type === 'MethodDefinition' && up.kind === 'constructor'
    ? findAncestor(up, isClass)
    : body;
}
