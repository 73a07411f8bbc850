import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { calledName } from '../syntax/calls.ts';
import {
  callsItsArgument,
  quickMembers,
  slowGlobals,
  slowPackages,
  slowScopes,
  waitingCalls,
} from '../model/slow-calls.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { isStreamedRequest, readsRequestBody } from './request-bodies.ts';
import type { Entity } from '../values/entities.ts';
import type { Resolver } from '../values/resolver.ts';
import { usesOfParameter } from '../syntax/parameters.ts';
import { walk } from '../syntax/preorder.ts';
import {
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';

/** What an expression or function waits for, one call deep. */
export interface Waits {
  readonly works: readonly Work[];
  readonly calls: readonly Called[];
}

/** A call that leaves the process for something else than the database, or lets time pass. */
export interface Work {
  readonly what: string;
  readonly node: Node;
  readonly file: SourceFile;
}

/** A function of the project that is waited for. */
export interface Called {
  readonly fn: KnownFunction;
  /** As it is named where it is called. */
  readonly callee: Node;
  readonly from: SourceFile;
}

interface Scene {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly works: Work[];
  readonly calls: Called[];
  readonly variables: Set<Variable>;
}

function createScene(file: SourceFile, resolver: Resolver): Scene {
  return { file, resolver, works: [], calls: [], variables: new Set() };
}

const requestBody = 'the body of a request';

/** What waiting for the value of an expression waits for, or for the parts of a stream that a loop goes through. */
export function waitsOf(awaited: Node, file: SourceFile, resolver: Resolver): Waits {
  const scene = createScene(file, resolver);
  const loop = parentOf(awaited);
  if (loop?.type === 'ForOfStatement' && loop.await && loop.right === awaited)
    collectStream(awaited, scene);
  else collect(awaited, scene);
  return scene;
}

/** What a function's promise waits for: its awaits and what it returns, its inner functions left out. */
export function waitsOfFunction(fn: FunctionNode, file: SourceFile, resolver: Resolver): Waits {
  const scene = createScene(file, resolver);
  collectBody(fn, scene);
  return scene;
}

function collectBody(fn: FunctionNode, scene: Scene): void {
  if (fn.body.type !== 'BlockStatement') collect(fn.body, scene);
  walk(scene.file, fn.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'AwaitExpression') collect(node.argument, scene);
    else if (node.type === 'ReturnStatement' && node.argument !== null)
      collect(node.argument, scene);
    else if (node.type === 'ForOfStatement' && node.await) collectStream(node.right, scene);
    return true;
  });
}

function collect(awaited: Node, scene: Scene): void {
  const node = unwrap(awaited);
  switch (node.type) {
    case 'CallExpression':
      return collectCall(node, scene);
    case 'NewExpression':
      return collectPromise(node, scene);
    case 'AwaitExpression':
      return collect(node.argument, scene);
    case 'ArrayExpression':
      for (const element of node.elements)
        if (element !== null)
          collect(element.type === 'SpreadElement' ? element.argument : element, scene);
      return;
    case 'ConditionalExpression':
      collect(node.consequent, scene);
      return collect(node.alternate, scene);
    case 'LogicalExpression':
      collect(node.left, scene);
      return collect(node.right, scene);
    case 'AssignmentExpression':
      return collect(node.right, scene);
    case 'Identifier':
      return collectVariable(node, scene);
    case 'TaggedTemplateExpression':
      return collectEntity(node.tag, node, scene);
    default:
      return undefined;
  }
}

function collectCall(call: TSESTree.CallExpression, scene: Scene): void {
  const { callee } = call;
  const name = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  if (callee.type === 'MemberExpression') {
    const { object } = callee;
    if (object.type === 'Identifier' && object.name === 'Promise')
      return collectCombinator(call, name, scene);
    if (name === 'then' || name === 'catch' || name === 'finally') {
      collect(object, scene);
      return collectFunctions(call.arguments, scene);
    }
    if (name === 'map' || name === 'flatMap' || name === 'reduce')
      collectFunctions(call.arguments, scene);
  }
  if (readsRequestBody(call, scene.file, scene.resolver)) add(requestBody, call, scene);
  collectEntity(callee, call, scene);
  collectWrapped(call, scene);
}

/** Of promises of which only the first counts, a pause is a deadline for the others. */
function collectCombinator(
  call: TSESTree.CallExpression,
  name: string | undefined,
  scene: Scene,
): void {
  const inside = createScene(scene.file, scene.resolver);
  for (const argument of call.arguments) collect(argument, inside);
  const isRace = name === 'race' || name === 'any';
  scene.works.push(...inside.works.filter(({ what }) => !isRace || what !== 'a timer'));
  if (!isRace) scene.calls.push(...inside.calls);
}

/** What the called function itself does. */
function collectEntity(callee: Node, node: Node, scene: Scene): void {
  const { file, resolver } = scene;
  if (callee.type === 'Identifier' && isGlobal(callee, file))
    return add(slowGlobals.get(callee.name), node, scene);
  const entity = resolver.entityOf(callee, file);
  if (entity?.kind === 'package') add(whatPackageDoes(entity), node, scene);
  else if (entity?.kind === 'function' && !isForDebugging(callee))
    scene.calls.push({ fn: entity, callee, from: file });
}

function add(what: string | undefined, node: Node, { file, works }: Scene): void {
  if (what !== undefined) works.push({ what, node, file });
}

function isGlobal(identifier: Node, file: SourceFile): boolean {
  return (variableOf(file, identifier)?.defs.length ?? 0) === 0;
}

/** What a member of a package waits for; undefined for packages that are not known and members that answer at once. */
function whatPackageDoes({ module, name }: Entity & { kind: 'package' }): string | undefined {
  const slow =
    slowPackages.get(module) ?? slowScopes.find(([prefix]) => module.startsWith(prefix))?.[1];
  if (slow === undefined) return undefined;
  const members = name.split('.');
  const last = members.at(-1) ?? name;
  const isLocal = members.slice(0, -1).some((member) => slow.local?.test(member) === true);
  if (quickMembers.has(last) || slow.quick?.test(last) === true || isLocal) return undefined;
  return slow.only === undefined || members.some((member) => slow.only?.test(member) === true)
    ? slow.what
    : undefined;
}

/** `retry(() => fetch(url))`, `withTimeout(fetch(url))` */
function collectWrapped(call: TSESTree.CallExpression, scene: Scene): void {
  const { callee } = call;
  const entity = scene.resolver.entityOf(callee, scene.file);
  const isTold = callsItsArgument.test(calledName(callee) ?? '');
  if (isWaiting(entity)) for (const argument of call.arguments) collect(argument, scene);
  call.arguments.forEach((argument, index) => {
    const plain = unwrap(argument);
    if (isFunction(plain)) {
      if (
        entity?.kind === 'function'
          ? usesOfParameter(entity.node, index, entity.file).some(isCalled)
          : isTold
      )
        collectBody(plain, scene);
    } else if (plain.type === 'CallExpression' && isTold && entity?.kind !== 'package')
      collect(plain, scene);
  });
}

/** `firstValueFrom(this.http.get(url))` */
function isWaiting(entity: Entity | undefined): boolean {
  return entity?.kind === 'package' && waitingCalls.get(entity.module)?.test(entity.name) === true;
}

/** `debugPoint('after commit')`: a function that bears this in its name waits only for somebody who debugs. */
function isForDebugging(callee: Node): boolean {
  return /debug/iu.test(calledName(callee) ?? '');
}

/** Whether a function calls, or hands on, the function that it is given under this name. */
function isCalled(reference: Node): boolean {
  const { parent } = reference;
  return (
    parent?.type === 'CallExpression' &&
    (parent.callee === reference || !isListening(parent.callee))
  );
}

function isListening(callee: Node): boolean {
  return callee.type === 'MemberExpression'
    ? /^(?:on|once|addListener|push|set|add|subscribe)$/u.test(memberName(callee) ?? '')
    : callee.type === 'Identifier' && /^set(?:Timeout|Interval|Immediate)$/u.test(callee.name);
}

function collectFunctions(given: readonly Node[], scene: Scene): void {
  for (const argument of given) {
    const plain = unwrap(argument);
    if (isFunction(plain)) collectBody(plain, scene);
    else if (plain.type === 'Identifier' || plain.type === 'MemberExpression')
      collectEntity(plain, plain, scene);
  }
}

/** A promise that was kept: `const sent = fetch(url); …; await sent`, `tasks.push(fetch(url))`. */
function collectVariable(identifier: TSESTree.Identifier, scene: Scene): void {
  const variable = variableOf(scene.file, identifier);
  if (variable === undefined || scene.variables.has(variable)) return;
  scene.variables.add(variable);
  for (const value of [...initialValues(variable), ...writesTo(variable), ...pushedTo(variable)]) {
    // What was awaited before is there already.
    if (unwrap(value).type !== 'AwaitExpression') collect(value, scene);
  }
}

function initialValues(variable: Variable): readonly Node[] {
  return variable.defs.flatMap(({ type, node }) => {
    const declarator = node as Node;
    return type === 'Variable' &&
      declarator.type === 'VariableDeclarator' &&
      declarator.id.type === 'Identifier' &&
      declarator.init !== null
      ? [declarator.init]
      : [];
  });
}

function pushedTo(variable: Variable): readonly Node[] {
  return variable.references.flatMap(({ identifier }) => {
    const member = (identifier as unknown as Node).parent;
    const call =
      member?.type === 'MemberExpression' && memberName(member) === 'push'
        ? member.parent
        : undefined;
    return call?.type === 'CallExpression' && call.callee === member ? call.arguments : [];
  });
}

/** `for await (const part of stream)`: also a stream that was awaited before goes on waiting. */
function collectStream(stream: Node, scene: Scene): void {
  const entity = scene.resolver.entityOf(stream, scene.file);
  if (isStreamedRequest(stream, scene.file, scene.resolver)) add(requestBody, stream, scene);
  else if (entity?.kind === 'package') add(whatPackageDoes(entity), stream, scene);
  else collect(stream, scene);
}

/** `new Promise((resolve) => …)`: a pause, or a call that is told to come back. */
function collectPromise(
  { callee, arguments: [executor] }: TSESTree.NewExpression,
  scene: Scene,
): void {
  if (
    callee.type !== 'Identifier' ||
    callee.name !== 'Promise' ||
    executor === undefined ||
    !isFunction(executor)
  )
    return;
  const [resolve] = executor.params;
  if (resolve?.type !== 'Identifier') return;
  walk(scene.file, executor.body, (node) => {
    if (isFunction(node) && node.async) return false;
    if (node.type === 'CallExpression' && isSetTimeout(node, scene.file))
      add(isResolver(node.arguments[0], resolve.name) ? 'a timer' : undefined, node, scene);
    else if (node.type === 'CallExpression') collectPackageCall(node, scene);
    return true;
  });
  if (executor.async) collectBody(executor, scene);
}

function collectPackageCall(call: TSESTree.CallExpression, scene: Scene): void {
  const entity = scene.resolver.entityOf(call.callee, scene.file);
  if (entity?.kind === 'package') add(whatPackageDoes(entity), call, scene);
}

function isSetTimeout({ callee }: TSESTree.CallExpression, file: SourceFile): boolean {
  if (callee.type === 'Identifier') return callee.name === 'setTimeout' && isGlobal(callee, file);
  return (
    callee.type === 'MemberExpression' &&
    memberName(callee) === 'setTimeout' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'globalThis'
  );
}

/** `setTimeout(() => reject(…), …)` is a deadline for something else; only what resolves is a pause. */
function isResolver(callback: Node | undefined, resolve: string): boolean {
  if (callback === undefined) return false;
  if (callback.type === 'Identifier') return callback.name === resolve;
  if (!isFunction(callback)) return false;
  const call = onlyExpression(callback.body);
  return (
    call?.type === 'CallExpression' &&
    call.callee.type === 'Identifier' &&
    call.callee.name === resolve
  );
}

function onlyExpression(body: FunctionNode['body']): Node | undefined {
  if (body.type !== 'BlockStatement') return body;
  const [only, more] = body.body;
  return more === undefined && only?.type === 'ExpressionStatement' ? only.expression : undefined;
}
