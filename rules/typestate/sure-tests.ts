import type { TSESTree } from '@typescript-eslint/types';
import { plainMembers } from '../model/pool-life.ts';
import { constantText } from '../syntax/constants.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { paramsOf } from '../syntax/parameters.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import {
  isGlobal,
  memberName,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Acquisition } from './acquisition.ts';

/** What a test asks about, as far as it is known. */
type Subject = 'client' | 'pool';

interface Analysis {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly subjectOf: (node: Node) => Subject | undefined;
}

/** Members of a lent client. Fact: pg 8.23 `lib/client.js`, pg-pool 3.14 `index.js`. */
const clientMembers: ReadonlySet<string> = new Set(['release', 'query', 'on', 'once', 'end']);
/** Members of a pool that are no methods. */
const poolCounts: ReadonlySet<string> = new Set(['totalCount', 'idleCount', 'waitingCount']);

const deepest = 4;

/**
 * Whether a test surely holds of a client that a pool has lent, or of the pool: `client instanceof Pool`, `'release' in client`,
 * `typeof pool.totalCount === 'number'`, or a predicate of the program that says so.
 */
export function holdsSurely(
  test: Node,
  acquisition: Acquisition,
  file: SourceFile,
  resolver: Resolver,
  isClient: (node: Node) => boolean,
): boolean {
  return holds(test, {
    file,
    resolver,
    subjectOf: (node) =>
      isClient(node) ? 'client' : isPool(node, acquisition, file, resolver) ? 'pool' : undefined,
  });
}

/** What was asked for the client, under a name that gets no other value, or what is a pool in any case. */
function isPool(node: Node, { call }: Acquisition, file: SourceFile, resolver: Resolver): boolean {
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false;
  const asked = unwrap(call.callee.object);
  const variable = variableOf(file, asked);
  const isAsked =
    variable !== undefined &&
    writesTo(variable).length === 0 &&
    variableOf(file, unwrap(node)) === variable;
  return isAsked || resolver.abstractValueOf(node, file)?.kind === 'pool';
}

function holds(test: Node, analysis: Analysis, depth = 0): boolean {
  const plain = unwrap(test);
  switch (plain.type) {
    case 'LogicalExpression':
      return plain.operator === '&&'
        ? holds(plain.left, analysis, depth) && holds(plain.right, analysis, depth)
        : holds(plain.left, analysis, depth) || holds(plain.right, analysis, depth);
    case 'UnaryExpression': {
      const inner = unwrap(plain.argument);
      return (
        plain.operator === '!' &&
        inner.type === 'UnaryExpression' &&
        inner.operator === '!' &&
        holds(inner.argument, analysis, depth)
      );
    }
    case 'BinaryExpression':
      return holdsOf(plain, analysis);
    case 'CallExpression':
      return (
        depth < deepest && (hasOwnMember(plain, analysis) || predicateHolds(plain, analysis, depth))
      );
    case 'MemberExpression':
      return hasMethod(plain, analysis);
    default:
      return analysis.subjectOf(plain) !== undefined;
  }
}

/** `client.release`, asked for as such */
function hasMethod(member: TSESTree.MemberExpression, analysis: Analysis): boolean {
  const name = memberName(member) ?? '';
  return typeOf(analysis.subjectOf(member.object), name) === 'function';
}

function typeOf(subject: Subject | undefined, name: string): string | undefined {
  if (subject === 'client') return clientMembers.has(name) ? 'function' : undefined;
  if (subject === undefined || !plainMembers.has(name)) return undefined;
  if (poolCounts.has(name)) return 'number';
  return name === 'connect' || name === 'query' || name === 'end' ? 'function' : undefined;
}

function holdsOf(test: TSESTree.BinaryExpression, analysis: Analysis): boolean {
  const { operator, left, right } = test;
  if (operator === 'in')
    return typeOf(analysis.subjectOf(right), constantText(left) ?? '') !== undefined;
  if (operator === 'instanceof') return isMadeBy(left, right, analysis);
  return operator.startsWith('==') && isOfType(left, constantText(right), analysis);
}

function isMadeBy(made: Node, by: Node, analysis: Analysis): boolean {
  if (by.type === 'Identifier' && by.name === 'Function' && isGlobal(by, analysis.file)) {
    const asked = unwrap(made);
    return asked.type === 'MemberExpression' && hasMethod(asked, analysis);
  }
  const abstractValue = analysis.resolver.abstractValueOf(by, analysis.file);
  return (
    analysis.subjectOf(made) === 'pool' &&
    abstractValue?.kind === 'driver' &&
    abstractValue.name === 'Pool'
  );
}

/** `typeof client.release === 'function'` */
function isOfType(left: Node, type: string | undefined, analysis: Analysis): boolean {
  if (left.type !== 'UnaryExpression' || left.operator !== 'typeof') return false;
  const asked = unwrap(left.argument);
  return asked.type === 'MemberExpression'
    ? type !== undefined &&
        typeOf(analysis.subjectOf(asked.object), memberName(asked) ?? '') === type
    : type === 'object' && analysis.subjectOf(asked) !== undefined;
}

/** `Object.hasOwn(client, 'release')`: pg-pool sets it anew at each checkout (3.14 `index.js`, `_acquireClient`). */
function hasOwnMember(
  { callee, arguments: [asked, name] }: CallNode,
  { file, subjectOf }: Analysis,
): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Object' &&
    isGlobal(callee.object, file) &&
    memberName(callee) === 'hasOwn' &&
    asked !== undefined &&
    subjectOf(asked) === 'client' &&
    name !== undefined &&
    constantText(name) === 'release'
  );
}

/** `const isPool = (x) => x instanceof Pool` */
function predicateHolds(
  { callee, arguments: given }: CallNode,
  analysis: Analysis,
  depth: number,
): boolean {
  const [argument, more] = given;
  const subject = argument && more === undefined ? analysis.subjectOf(argument) : undefined;
  const abstractValue = subject && analysis.resolver.abstractValueOf(callee, analysis.file);
  if (
    abstractValue?.kind !== 'function' ||
    abstractValue.node.async ||
    abstractValue.node.generator
  )
    return false;
  const { node, file } = abstractValue;
  const parameter = parameterOf(node, file);
  const [value, ...others] = returnedValues(file, node);
  return (
    parameter !== undefined &&
    value !== undefined &&
    others.length === 0 &&
    holds(
      value,
      {
        file,
        resolver: analysis.resolver,
        subjectOf: (each) => (variableOf(file, unwrap(each)) === parameter ? subject : undefined),
      },
      depth + 1,
    )
  );
}

function parameterOf(fn: Parameters<typeof paramsOf>[0], file: SourceFile): Variable | undefined {
  const [first, more] = paramsOf(fn);
  const variable =
    first?.type === 'Identifier' && more === undefined ? variableOf(file, first) : undefined;
  return variable !== undefined && writesTo(variable).length === 0 ? variable : undefined;
}
