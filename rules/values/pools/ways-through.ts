import type { TSESTree } from '@typescript-eslint/types';
import { methods } from '../../model/drivers.ts';
import { bystanders, listenMethods, plainMembers } from '../../model/pool-life.ts';
import { constantText } from '../../syntax/constants.ts';
import {
  isClass,
  isFunction,
  type ClassNode,
  type Node,
  type CallNode,
} from '../../syntax/node.ts';
import { paramsOf } from '../../syntax/parameters.ts';
import { useOf } from '../../syntax/uses.ts';
import { findAncestor, keyName, memberName, unwrap } from '../../syntax/source-file.ts';
import { placeOf } from '../apart.ts';
import type { AbstractValue } from '../abstract-values.ts';
import { isBySetting } from './by-setting.ts';
import { lose, type Trace, type Way } from './way.ts';
import { bind } from './ways-into.ts';

const unknownMembers: ReadonlySet<string> = new Set([
  'then',
  'catch',
  'finally',
  'bind',
  'call',
  'apply',
]);

export function throughMember(trace: Trace, member: TSESTree.MemberExpression, way: Way): void {
  const name = memberName(member);
  const [first, ...rest] = way;
  if (first === undefined) ofPool(trace, member, name);
  else if (first === name) trace.follow(member, rest);
  else if (name === undefined || unknownMembers.has(name)) lose(trace, way);
  else trace.found.asked.push(name);
}

function ofPool(trace: Trace, member: TSESTree.MemberExpression, name: string | undefined): void {
  const use = useOf(member.object);
  const call = use.kind === 'receiver' ? use.call : null;
  if (name === undefined || (listenMethods.has(name) ? call === null : !plainMembers.has(name)))
    trace.found.isLost = true;
  else if (call !== null && listenMethods.has(name)) listen(trace, call);
  else if (call !== null) asked(trace, call, name);
}

function asked({ found }: Trace, call: Node, name: string): void {
  found.calls.push(name);
  if (name === methods.end) found.endedBy.push(enclosingMember(call));
}

type Member = TSESTree.MethodDefinition | TSESTree.PropertyDefinition | TSESTree.Property;

/** The member of a class or an object whose code a node is part of. */
export function enclosingMember(node: Node): string {
  const member = findAncestor(node, (each): each is Member =>
    /^(?:MethodDefinition|Property(?:Definition)?)$/u.test(each.type),
  );
  return (member && keyName(member.key, member.computed)) ?? '';
}

/** `pool.on('error', …)`, which gives the pool. */
function listen(trace: Trace, call: CallNode): void {
  const [event] = call.arguments;
  const text = event && constantText(event);
  trace.found.events.push(text ?? '*');
  if ((text === undefined || text === 'error') && !isBySetting(call, trace.file))
    trace.found.isHeard = true;
  trace.follow(call, []);
}

export function throughCall(
  trace: Trace,
  call: CallNode | TSESTree.NewExpression,
  node: Node,
  way: Way,
): void {
  if (call.callee === node) {
    const [first, ...rest] = way;
    if (first === undefined) trace.found.isLost = true;
    else if (first === (call.type === 'NewExpression' ? 'new' : '()')) {
      trace.found.isCalled = true;
      trace.follow(call, rest);
    }
    return;
  }
  giveTo(
    trace,
    call,
    call.arguments.findIndex((each) => each === node),
    way,
  );
}

function giveTo(
  trace: Trace,
  call: CallNode | TSESTree.NewExpression,
  index: number,
  way: Way,
): void {
  const abstractValue = calleeOf(trace, call);
  if (abstractValue === 'harmless') return;
  if (abstractValue === undefined) return lose(trace, way);
  if (abstractValue.kind === 'class' && call.type === 'NewExpression') trace.follow(call, ['*']);
  if (abstractValue.kind === 'function' || abstractValue.kind === 'class')
    return enterAt(trace, abstractValue, index, way);
  const ways = holdersOf(abstractValue);
  if (ways === undefined) lose(trace, way);
  for (const next of ways ?? []) trace.follow(call, next);
}

function calleeOf(
  { resolver, file }: Trace,
  call: CallNode | TSESTree.NewExpression,
): AbstractValue | 'harmless' | undefined {
  const callee = unwrap(call.callee);
  if (isHarmless(callee)) return 'harmless';
  const target = callee.type === 'Super' ? findAncestor(call, isClass)?.superClass : callee;
  return target ? resolver.abstractValueOf(target, file) : undefined;
}

function enterAt(
  trace: Trace,
  abstractValue: AbstractValue & { readonly kind: 'function' | 'class' },
  index: number,
  way: Way,
): void {
  if (abstractValue.file === trace.file) enter(trace, abstractValue.node, index, way);
  else
    trace.found.into.push({
      kind: 'given',
      to: placeOf(abstractValue),
      index,
      way,
      ...(trace.isForLife && { isForLife: true }),
    });
}

/** How one gets at the pool that a package was given; undefined where it may listen. */
function holdersOf(abstractValue: AbstractValue): readonly Way[] | undefined {
  if (abstractValue.kind === 'package')
    return bystanders[abstractValue.module]?.[abstractValue.name];
  return abstractValue.kind === 'driver'
    ? bystanders[abstractValue.driver.module]?.[abstractValue.name]
    : undefined;
}

/** `console.log(pool)`, `pool.query.bind(pool)` */
function isHarmless(callee: Node): boolean {
  return (
    callee.type === 'MemberExpression' &&
    ((callee.object.type === 'Identifier' && callee.object.name === 'console') ||
      memberName(callee) === 'bind')
  );
}

/** An argument as the function, or the constructor, has it. */
export function enter(trace: Trace, to: Node, index: number, way: Way): void {
  if (isFunction(to)) {
    const params = paramsOf(to);
    const param = params[index] ?? params.at(-1);
    if (param?.type === 'RestElement' || /\barguments\b/u.test(textOf(to, trace))) lose(trace, way);
    else if (params[index] !== undefined) bind(trace, params[index], way);
  } else if (isClass(to)) enterClass(trace, to, index, way);
  else lose(trace, way);
}

function textOf({ range }: Node, { file }: Trace): string {
  return file.text.slice(...range);
}

function enterClass(trace: Trace, node: ClassNode, index: number, way: Way): void {
  const constructor = node.body.body.find(
    (each) => each.type === 'MethodDefinition' && each.kind === 'constructor',
  );
  trace.held += 1;
  if (constructor?.type === 'MethodDefinition') enter(trace, constructor.value, index, way);
  else if (node.superClass !== null) {
    const above = trace.resolver.abstractValueOf(node.superClass, trace.file);
    if (above?.kind === 'class') enterAt(trace, above, index, way);
    else lose(trace, way);
  }
  trace.held -= 1;
}
