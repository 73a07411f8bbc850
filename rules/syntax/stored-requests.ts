import { calledMember, isRequest, methodsBehind, nextInChain, type Request } from './call-chain.ts';
import type { Node, CallNode } from './node.ts';
import {
  definitionOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
  declarationOf,
  referencesOf,
} from './source-file.ts';
import { isOfPromise } from './promise-calls.ts';

/** What a variable keeps, and the methods that are called on it when it is used. */
export interface Stored {
  readonly request: Request;
  readonly behind: readonly string[];
  /** Somebody waits for what the last of them gives. */
  readonly isWaited: boolean;
  /** What is called on the variable anywhere. */
  readonly asked: readonly string[];
}

/** The requests that wait in a variable until here: `await query`, `await query.where(name)`, `query.execute()`, `Promise.all(queries)`, `return query`. */
export function storedAt(node: Node, file: SourceFile): readonly Stored[] {
  switch (node.type) {
    case 'AwaitExpression':
      return storedIn(node.argument, [], file, true);
    case 'ReturnStatement':
      return node.argument === null ? [] : storedIn(node.argument, [], file, true);
    case 'CallExpression':
      return isOfPromise(node) ? storedInList(node.arguments[0], file) : asked(node, file);
    default:
      return [];
  }
}

/** `query.then(…)`, `query.execute()` */
function asked(call: CallNode, file: SourceFile): readonly Stored[] {
  const name = calledMember(call);
  return call.callee.type === 'MemberExpression' &&
    name !== undefined &&
    nextInChain(call) === undefined
    ? storedIn(call.callee.object, [name, ...methodsBehind(call)], file)
    : [];
}

function storedIn(
  name: Node,
  behind: readonly string[],
  file: SourceFile,
  isWaited = false,
): readonly Stored[] {
  const plain = unwrap(name);
  const method = plain.type === 'CallExpression' ? calledMember(plain) : undefined;
  if (plain.type === 'CallExpression' && method !== undefined)
    return plain.callee.type === 'MemberExpression'
      ? storedIn(plain.callee.object, [method, ...behind], file, isWaited)
      : [];
  const values = valuesOf(plain, file).filter(isRequest);
  if (values.length === 0) return [];
  const asked = askedOf(plain, file);
  return values.map((request) => ({ request, behind, isWaited, asked }));
}

/** The methods that are called on a variable, and on what they give. */
function askedOf(name: Node, file: SourceFile): readonly string[] {
  return referencesOf(variableIn(name, file)).flatMap(methodsBehind);
}

/** `Promise.all([first, second])`, `Promise.all(queries)` */
function storedInList(list: Node | undefined, file: SourceFile): readonly Stored[] {
  const plain = list && unwrap(list);
  if (plain?.type === 'ArrayExpression')
    return plain.elements.flatMap((each) =>
      each === null || each.type === 'SpreadElement' ? [] : storedIn(each, [], file, true),
    );
  const variable = plain && variableIn(plain, file);
  const parts =
    plain === undefined || variable === undefined
      ? []
      : [...valuesOf(plain, file).flatMap(elementsOf), ...pushedTo(variable)];
  return parts
    .map(unwrap)
    .flatMap((each) =>
      isRequest(each) ? { request: each, behind: [], isWaited: true, asked: [] } : [],
    );
}

function elementsOf(value: Node): readonly Node[] {
  return value.type === 'ArrayExpression'
    ? value.elements.flatMap((each) => (each === null || each.type === 'SpreadElement' ? [] : each))
    : [];
}

/** `queries.push(db.insert(users))` */
function pushedTo(variable: Variable): readonly Node[] {
  return referencesOf(variable).flatMap((name) => {
    const call = nextInChain(name);
    return calledMember(call) === 'push' ? (call?.arguments ?? []) : [];
  });
}

function variableIn(name: Node, file: SourceFile): Variable | undefined {
  const variable = variableOf(file, name);
  return definitionOf(variable)?.type === 'Variable' ? variable : undefined;
}

function valuesOf(name: Node, file: SourceFile): readonly Node[] {
  const variable = variableIn(name, file);
  if (variable === undefined) return [];
  const node = declarationOf(variable);
  const initial =
    node?.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init !== null
      ? [node.init]
      : [];
  return [...new Set([...initial, ...writesTo(variable)])].map(unwrap);
}
