import type { TSESTree } from '@typescript-eslint/types';
import { isSpokenToByModels } from '../model/libraries.ts';
import type { Ambient, Library } from '../model/library.ts';
import { constantText } from '../syntax/constants.ts';
import { type Node, isClass, isFunction } from '../syntax/node.ts';
import { decoratorsOf } from '../syntax/decorators.ts';
import { childrenOf } from '../syntax/preorder.ts';
import {
  findAncestor,
  keyName,
  memberName,
  parentOf,
  unwrap,
  type SourceFile,
} from '../syntax/source-file.ts';
import { poolsOf, poolsOfAt } from './adapters.ts';
import type { Reached } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

/** What a container gives where a type stands; `reached` is undefined where the name of the pool does not show. */
export interface Injection {
  readonly reached: Reached | undefined;
}

/** `@InjectRepository(User) private users: Repository<User>`, `constructor(private users: Users)` of a decorated class; undefined where somebody else may give it. */
export function injectionAt(
  type: Node,
  library: Library,
  file: SourceFile,
  resolver: Resolver,
): Injection | undefined {
  const enclosing = enclosingNode(type, file);
  const declared = declaredBy(enclosing);
  const owner = findAncestor(enclosing, isClass);
  if (declared === undefined || owner === undefined) return undefined;
  const { decorators, isParameter } = declared;
  if (decorators.length > 0)
    return {
      reached: decorators
        .map((each) => reachedBy(each.expression, library, file, resolver))
        .find((each) => each !== undefined),
    };
  if (!isParameter || decoratorsOf(owner).length === 0) return undefined;
  const of = poolsOfAt(library, file, resolver);
  return { reached: of === undefined ? undefined : { of, name: 'default', by: 'injection' } };
}

interface Declared {
  readonly decorators: readonly TSESTree.Decorator[];
  readonly isParameter: boolean;
}

/** The innermost node around a type that is no type itself; types know nothing of what is around them. */
function enclosingNode({ range: [start, end] }: Node, file: SourceFile): Node {
  let node: Node = file.ast;
  for (;;) {
    const inner: Node | undefined = childrenOf(file, node).find(
      ({ range }) => range[0] <= start && end <= range[1],
    );
    if (inner === undefined) return node;
    node = inner;
  }
}

/** The parameter of a constructor, or the field of a class, that a node is. */
export function declaredBy(name: Node): Declared | undefined {
  if (name.type === 'PropertyDefinition')
    return { decorators: decoratorsOf(name), isParameter: false };
  if (name.type !== 'Identifier') return undefined;
  const up = parentOf(name);
  const parameter = up?.type === 'TSParameterProperty' ? up : name;
  return isOfConstructor(parameter)
    ? { decorators: decoratorsOf(parameter), isParameter: true }
    : undefined;
}

function isOfConstructor(parameter: Node): boolean {
  const fn = parentOf(parameter);
  const method = fn && parentOf(fn);
  return method?.type === 'MethodDefinition' && method.kind === 'constructor';
}

/** The pool that a call or decorator of the library reaches by its name. */
export function reachedBy(
  node: Node,
  library: Library,
  file: SourceFile,
  resolver: Resolver,
): Reached | undefined {
  const call = unwrap(node);
  if (call.type !== 'CallExpression') return undefined;
  const abstractValue = resolver.abstractValueOf(call.callee, file);
  const exported =
    abstractValue?.kind === 'driver'
      ? { module: abstractValue.driver.module, name: abstractValue.name }
      : abstractValue?.kind === 'package'
        ? abstractValue
        : undefined;
  const known = library.byName.find(
    ({ module, name }) => module === exported?.module && name === exported.name,
  );
  if (known === undefined) return undefined;
  const by = abstractValue?.kind === 'driver' ? 'library' : 'injection';
  const name = nameGiven(call, known.at, library);
  const of = name === undefined ? undefined : poolsOfAt(library, file, resolver);
  return name === undefined || of === undefined ? undefined : { of, name, by };
}

/** What a pool can be reached by that is made somewhere. */
export function reachedByMaking(options: Node | undefined, library: Library): Reached | undefined {
  return library.byName.length > 0 ? reachedByOptions(options, library) : reachedByModels(library);
}

/** Models that say nothing of their pool speak to any that is made, where the library has no names for them. */
export function reachedByModels(library: Library): Reached | undefined {
  return isSpokenToByModels(library)
    ? { of: poolsOf(library), name: 'default', by: 'making' }
    : undefined;
}

/** The name that a call gives, `default` without one; undefined where it does not show. */
function nameGiven(
  call: TSESTree.CallExpression,
  at: number | string,
  { ambient }: Library,
): string | undefined {
  if (typeof at === 'string') return optionIn(optionsOf(call), at, 'default');
  const given = call.arguments[at] && unwrap(call.arguments[at]);
  const isOther =
    ambient?.propagation === null &&
    given !== undefined &&
    (given.type === 'ObjectExpression' || isPropagation(textOrMember(given), ambient));
  return given === undefined || isOther ? 'default' : constantText(given);
}

/** `REQUIRES_NEW` */
export function isPropagation(
  text: string | undefined,
  { joins, apart, none, leaves }: Ambient,
): boolean {
  return text !== undefined && [...joins, ...apart, ...none, ...leaves].includes(text);
}

/** The argument beside the callback. */
export function optionsOf(call: TSESTree.CallExpression): Node | undefined {
  return call.arguments.find((each) => !isFunction(unwrap(each)));
}

/** The text of an option, or what holds without it; undefined where the options do not show. */
export function optionIn(
  options: Node | undefined,
  key: string,
  otherwise: string,
): string | undefined {
  if (options === undefined) return otherwise;
  const plain = unwrap(options);
  if (plain.type !== 'ObjectExpression') return undefined;
  if (plain.properties.some(({ type }) => type !== 'Property')) return undefined;
  const given = plain.properties.find(
    (each): each is TSESTree.Property =>
      each.type === 'Property' && keyName(each.key, each.computed) === key,
  );
  return given === undefined ? otherwise : textOrMember(given.value);
}

/** `'REQUIRES_NEW'`, `Propagation.REQUIRES_NEW` */
export function textOrMember(node: Node): string | undefined {
  const plain = unwrap(node);
  return plain.type === 'MemberExpression' ? memberName(plain) : constantText(plain);
}

/** `new DataSource({ name: 'logs', … })`; undefined where the options do not show. */
function reachedByOptions(options: Node | undefined, library: Library): Reached | undefined {
  const name = options && optionIn(options, 'name', 'default');
  return name === undefined ? undefined : { of: poolsOf(library), name, by: 'making' };
}
