import type { TSESTree } from '@typescript-eslint/types';
import { type Acquisition, isKeptElsewhere } from '../typestate/acquisition.ts';
import type { Node, CallNode, FunctionNode } from '../syntax/node.ts';
import type { Resolver } from '../values/resolver.ts';
import { isOfPromise } from '../syntax/promise-calls.ts';
import {
  parentOf,
  unwrap,
  type SourceFile,
  definitionOf,
  referencesTo,
  variableOf,
} from '../syntax/source-file.ts';
import { cannotReject } from '../typestate/cannot-reject.ts';
import { isChain } from '../syntax/chains.ts';
import { returnedValues } from '../syntax/returned-values.ts';

type AcquisitionAt = (call: CallNode) => Acquisition | undefined;

/** An acquire, and whether its promise is waited for together with others. */
export function inCompany(
  acquisition: Acquisition,
  file: SourceFile,
  resolver: Resolver,
  acquisitionAt: AcquisitionAt,
): Acquisition {
  const { call, style, shape } = acquisition;
  if (style !== 'promise' || isKeptElsewhere(acquisition)) return acquisition;
  const raced = raceOf(call, file, resolver);
  if (raced !== undefined) return { ...acquisition, raced };
  const company = shape === undefined ? companyOf(call) : undefined;
  if (company === undefined) return acquisition;
  return {
    ...acquisition,
    shape: new Map([[String(company.index), 'client' as const]]),
    joined: {
      call: company.call,
      mayLose: company.others.some((each) => mayReject(each, acquisitionAt)),
      besideOthers: company.others.some((each) => isCheckout(each, acquisitionAt)),
    },
  };
}

interface Company {
  readonly call: CallNode;
  readonly index: number;
  readonly others: readonly (Node | null)[];
}

function companyOf(acquire: Node): Company | undefined {
  const list = parentOf(acquire);
  const call = list && parentOf(list);
  if (list?.type !== 'ArrayExpression' || !isOfPromise(call, 'all')) return undefined;
  const index = placeIn(list, acquire);
  return index === -1
    ? undefined
    : { call, index, others: list.elements.filter((each) => each !== acquire) };
}

/** The index among the results; -1 where nobody knows how many come before. */
function placeIn({ elements }: TSESTree.ArrayExpression, element: Node): number {
  const index = elements.findIndex((each) => each === element);
  return elements.slice(0, index).some((each) => each?.type === 'SpreadElement') ? -1 : index;
}

/** Where one pool gives no client, it is not likely to have given another one just before. */
function mayReject(other: Node | null, acquisitionAt: AcquisitionAt): boolean {
  return (
    other !== null && unwrap(other).type === 'CallExpression' && !isCheckout(other, acquisitionAt)
  );
}

function isCheckout(other: Node | null, acquisitionAt: AcquisitionAt): boolean {
  const plain = other && unwrap(other);
  return plain?.type === 'CallExpression' && acquisitionAt(plain) !== undefined;
}

type Raced = NonNullable<Acquisition['raced']>;

/** The race that the promise of an acquire takes part in, by itself or by its name; undefined where there is none, or more than one. */
function raceOf(acquire: Node, file: SourceFile, resolver: Resolver): Raced | undefined {
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
