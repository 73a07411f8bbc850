import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import {
  quickMembers,
  slowGlobals,
  slowPackages,
  slowScopes,
  waitingCalls,
} from '../model/slow-calls.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { keeps, thunksGiven } from './calls-made.ts';
import { isStreamedRequest, readsRequestBody } from './request-bodies.ts';
import type { AbstractValue } from '../values/abstract-values.ts';
import type { Resolver } from '../values/resolver.ts';
import { usesOfParameter } from '../syntax/parameters.ts';
import { walk } from '../syntax/preorder.ts';
import {
  isGlobal,
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

interface Analysis {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly works: Work[];
  readonly calls: Called[];
  readonly variables: Set<Variable>;
}

function createAnalysis(file: SourceFile, resolver: Resolver): Analysis {
  return { file, resolver, works: [], calls: [], variables: new Set() };
}

export const timer = 'a timer';
const requestBody = 'the body of a request';

/** What waiting for the value of an expression waits for, or for the parts of a stream that a loop goes through. */
export function waitsOf(awaited: Node, file: SourceFile, resolver: Resolver): Waits {
  const analysis = createAnalysis(file, resolver);
  const loop = parentOf(awaited);
  if (loop?.type === 'ForOfStatement' && loop.await && loop.right === awaited)
    collectStream(awaited, analysis);
  else collect(awaited, analysis);
  return analysis;
}

/** What a function's promise waits for: its awaits and what it returns, its inner functions left out. */
export function waitsOfFunction(fn: FunctionNode, file: SourceFile, resolver: Resolver): Waits {
  const analysis = createAnalysis(file, resolver);
  collectBody(fn, analysis);
  return analysis;
}

function collectBody(fn: FunctionNode, analysis: Analysis): void {
  if (fn.body.type !== 'BlockStatement') collect(fn.body, analysis);
  walk(analysis.file, fn.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'AwaitExpression') collect(node.argument, analysis);
    else if (node.type === 'ReturnStatement' && node.argument !== null)
      collect(node.argument, analysis);
    else if (node.type === 'ForOfStatement' && node.await) collectStream(node.right, analysis);
    return true;
  });
}

function collect(awaited: Node, analysis: Analysis): void {
  const node = unwrap(awaited);
  switch (node.type) {
    case 'CallExpression':
      return collectCall(node, analysis);
    case 'NewExpression':
      return collectPromise(node, analysis);
    case 'AwaitExpression':
      return collect(node.argument, analysis);
    case 'ArrayExpression':
      for (const element of node.elements)
        if (element !== null)
          collect(element.type === 'SpreadElement' ? element.argument : element, analysis);
      return;
    case 'ConditionalExpression':
      collect(node.consequent, analysis);
      return collect(node.alternate, analysis);
    case 'LogicalExpression':
      collect(node.left, analysis);
      return collect(node.right, analysis);
    case 'AssignmentExpression':
      return collect(node.right, analysis);
    case 'Identifier':
      return collectVariable(node, analysis);
    case 'TaggedTemplateExpression':
      return collectValue(node.tag, node, analysis);
    default:
      return undefined;
  }
}

function collectCall(call: TSESTree.CallExpression, analysis: Analysis): void {
  const { callee } = call;
  const name = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  if (callee.type === 'MemberExpression') {
    const { object } = callee;
    if (object.type === 'Identifier' && object.name === 'Promise')
      return collectCombinator(call, name, analysis);
    if (name === 'then' || name === 'catch' || name === 'finally') {
      collect(object, analysis);
      return collectFunctions(call.arguments, analysis);
    }
    if (name === 'map' || name === 'flatMap' || name === 'reduce')
      collectFunctions(call.arguments, analysis);
  }
  if (readsRequestBody(call, analysis.file, analysis.resolver)) add(requestBody, call, analysis);
  collectValue(callee, call, analysis);
  collectWrapped(call, analysis);
}

/** Of promises of which only the first counts, a pause is a deadline for the others. */
function collectCombinator(
  call: TSESTree.CallExpression,
  name: string | undefined,
  analysis: Analysis,
): void {
  const inside = createAnalysis(analysis.file, analysis.resolver);
  for (const argument of call.arguments) collect(argument, inside);
  const isRace = name === 'race' || name === 'any';
  analysis.works.push(...inside.works.filter(({ what }) => !isRace || what !== timer));
  if (!isRace) analysis.calls.push(...inside.calls);
}

/** What the called function itself does. */
function collectValue(callee: Node, node: Node, analysis: Analysis): void {
  const { file, resolver } = analysis;
  if (callee.type === 'Identifier' && isGlobal(callee, file))
    return add(slowGlobals.get(callee.name), node, analysis);
  const abstractValue = resolver.abstractValueOf(callee, file);
  if (abstractValue?.kind === 'package') add(whatPackageDoes(abstractValue), node, analysis);
  else if (abstractValue?.kind === 'function')
    analysis.calls.push({ fn: abstractValue, callee, from: file });
}

function add(what: string | undefined, node: Node, { file, works }: Analysis): void {
  if (what !== undefined) works.push({ what, node, file });
}

/** What a member of a package waits for; undefined for packages that are not known and members that answer at once. */
function whatPackageDoes({
  module,
  name,
}: AbstractValue & { kind: 'package' }): string | undefined {
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

/** `retry(() => fetch(url))`, `withTimeout(fetch(url))`, `firstValueFrom(this.http.get(url))` */
function collectWrapped(call: TSESTree.CallExpression, analysis: Analysis): void {
  const { file, resolver } = analysis;
  const callee = resolver.abstractValueOf(call.callee, file);
  const isWaiting =
    callee?.kind === 'package' && waitingCalls.get(callee.module)?.test(callee.name) === true;
  const thunks = callee?.kind === 'function' ? [] : thunksGiven(call, file);
  call.arguments.forEach((argument, index) => {
    const plain = unwrap(argument);
    const isUsed = (used: (reference: Node, from: SourceFile) => boolean): boolean =>
      callee?.kind === 'function'
        ? usesOfParameter(callee.node, index, callee.file).some((each) => used(each, callee.file))
        : isWaiting;
    if (isFunction(plain)) {
      if (thunks.includes(plain) || isUsed(isCalled)) collectBody(plain, analysis);
    } else if (plain.type === 'CallExpression' && isUsed(isWaitedFor)) collect(plain, analysis);
  });
}

/** Whether a function calls, or hands on, the function that it is given under this name. */
function isCalled(reference: Node, file: SourceFile): boolean {
  const { parent } = reference;
  return parent?.type === 'CallExpression' && (parent.callee === reference || !keeps(parent, file));
}

/** Whether a function waits for, or hands on, the promise that it is given under this name. */
function isWaitedFor(reference: Node, file: SourceFile): boolean {
  const { parent } = reference;
  return parent?.type === 'CallExpression' ? !keeps(parent, file) : waiters.has(parent?.type ?? '');
}

const waiters: ReadonlySet<string> = new Set([
  'ArrayExpression',
  'ArrowFunctionExpression',
  'AwaitExpression',
  'MemberExpression',
  'ReturnStatement',
]);

function collectFunctions(given: readonly Node[], analysis: Analysis): void {
  for (const argument of given) {
    const plain = unwrap(argument);
    if (isFunction(plain)) collectBody(plain, analysis);
    else if (plain.type === 'Identifier' || plain.type === 'MemberExpression')
      collectValue(plain, plain, analysis);
  }
}

/** A promise that was kept: `const sent = fetch(url); …; await sent`, `tasks.push(fetch(url))`. */
function collectVariable(identifier: TSESTree.Identifier, analysis: Analysis): void {
  const variable = variableOf(analysis.file, identifier);
  if (variable === undefined || analysis.variables.has(variable)) return;
  analysis.variables.add(variable);
  for (const value of [...initialValues(variable), ...writesTo(variable), ...pushedTo(variable)]) {
    // What was awaited before is there already.
    if (unwrap(value).type !== 'AwaitExpression') collect(value, analysis);
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
function collectStream(stream: Node, analysis: Analysis): void {
  const abstractValue = analysis.resolver.abstractValueOf(stream, analysis.file);
  if (isStreamedRequest(stream, analysis.file, analysis.resolver))
    add(requestBody, stream, analysis);
  else if (abstractValue?.kind === 'package') add(whatPackageDoes(abstractValue), stream, analysis);
  else collect(stream, analysis);
}

/** `new Promise((resolve) => …)`: a pause, or a call that is told to come back. */
function collectPromise(
  { callee, arguments: [executor] }: TSESTree.NewExpression,
  analysis: Analysis,
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
  walk(analysis.file, executor.body, (node) => {
    if (isFunction(node) && node.async) return false;
    if (node.type === 'CallExpression' && isSetTimeout(node, analysis.file))
      add(isResolver(node.arguments[0], resolve.name) ? timer : undefined, node, analysis);
    else if (node.type === 'CallExpression') collectPackageCall(node, analysis);
    return true;
  });
  if (executor.async) collectBody(executor, analysis);
}

function collectPackageCall(call: TSESTree.CallExpression, analysis: Analysis): void {
  const abstractValue = analysis.resolver.abstractValueOf(call.callee, analysis.file);
  if (abstractValue?.kind === 'package') add(whatPackageDoes(abstractValue), call, analysis);
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
