import type { TSESTree } from '@typescript-eslint/types';
import type { Acquisition } from '../typestate/acquisition.ts';
import { cannotReject } from '../typestate/cannot-reject.ts';
import { isChain } from '../syntax/chains.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import { isOfPromise } from '../syntax/promise-calls.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import type { Resolver } from '../values/resolver.ts';
import {
  definitionOf,
  parentOf,
  referencesTo,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';

type Raced = NonNullable<Acquisition['raced']>;

/** The race that the promise of an acquire takes part in, by itself or by its name; undefined where there is none, or more than one. */
export function raceOf(acquire: Node, file: SourceFile, resolver: Resolver): Raced | undefined {
  const [race, another] = [acquire, ...namesOf(acquire, file)].flatMap(
    (promise) => raceAt(promise, file, resolver) ?? [],
  );
  return another === undefined ? race : undefined;
}

/** `pending`, where that is set once: `const pending = pool.connect()`. */
function namesOf(promise: Node, file: SourceFile): readonly Node[] {
  const declarator = parentOf(promise);
  return declarator?.type === 'VariableDeclarator' &&
    declarator.init === promise &&
    declarator.parent.kind === 'const'
    ? referencesTo(declarator.id, file)
    : [];
}

function raceAt(promise: Node, file: SourceFile, resolver: Resolver): Raced | undefined {
  const up = parentOf(promise);
  if (up?.type === 'ArrayExpression') return raceIn(up, promise, file, resolver);
  return up?.type === 'CallExpression' ? raceBehind(up, promise, file, resolver) : undefined;
}

function raceIn(
  list: TSESTree.ArrayExpression,
  promise: Node,
  file: SourceFile,
  resolver: Resolver,
): Raced | undefined {
  const call = parentOf(list);
  const others = list.elements.flatMap((each) => (each === promise ? [] : (each ?? [])));
  if (!isOfPromise(call, 'race') || others.length === 0) return undefined;
  return {
    call,
    otherwise: [
      ...new Set(others.map((each) => (cannotReject(each, file, resolver) ? 'null' : 'rejected'))),
    ],
  };
}

/** `withTimeout(pool.connect(), 500)`, where that function races what it is given and gives what comes first. */
function raceBehind(
  call: CallNode,
  promise: Node,
  file: SourceFile,
  resolver: Resolver,
): Raced | undefined {
  const index = call.arguments.findIndex((each) => each === promise);
  const callee = index === -1 ? undefined : resolver.abstractValueOf(call.callee, file);
  const param = callee?.kind === 'function' ? callee.node.params[index] : undefined;
  if (callee?.kind !== 'function' || param?.type !== 'Identifier') return undefined;
  const uses = referencesTo(param, callee.file);
  const [race, another] = uses.flatMap((use) => raceAt(use, callee.file, resolver) ?? []);
  return race !== undefined &&
    another === undefined &&
    uses.length === 1 &&
    gives(callee.node, race.call, callee.file)
    ? { ...race, call }
    : undefined;
}

function gives(fn: FunctionNode, value: Node, file: SourceFile): boolean {
  const returned = returnedValues(file, fn);
  return returned.length > 0 && returned.every((each) => siteOf(each, file) === value);
}

/** What an expression stands for once it is waited for: behind `await`, `.finally(…)` and a name that is set once. */
function siteOf(value: Node, file: SourceFile): Node {
  const plain = unwrap(value);
  if (plain.type === 'AwaitExpression') return siteOf(plain.argument, file);
  if (plain.type === 'CallExpression' && isChain(plain))
    return plain.callee.property.name === 'finally' ? siteOf(plain.callee.object, file) : plain;
  const definition = definitionOf(variableOf(file, plain));
  return definition?.type === 'Variable' &&
    definition.parent.kind === 'const' &&
    definition.node.id.type === 'Identifier' &&
    definition.node.init !== null
    ? siteOf(definition.node.init as unknown as Node, file)
    : plain;
}
