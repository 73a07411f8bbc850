import type { TSESTree } from '@typescript-eslint/types';
import {
  isClass,
  isFunction,
  type ClassNode,
  type FunctionNode,
  type Node,
} from '../syntax/node.ts';
import { declaredBy, parameterIndex, paramsOf } from '../syntax/parameters.ts';
import { walk } from '../syntax/preorder.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import { nodeAt, placeOf } from './apart.ts';
import { assignedIn } from './assigned.ts';
import type { Resolver } from './resolver.ts';

export function constructorOf({ body }: ClassNode): FunctionNode | undefined {
  const [maker] = body.body.flatMap((member) =>
    member.type === 'MethodDefinition' && member.kind === 'constructor' && isFunction(member.value)
      ? member.value
      : [],
  );
  return maker;
}

/** The position of the parameter that a constructor keeps in a field which nothing else sets: `constructor(private readonly db: Knex)`, `this.db = db`; -1 without one. */
export function indexOfField(name: string, maker: FunctionNode, file: SourceFile): number {
  const writes = assignedIn(file).byName.get(name) ?? [];
  const property = paramsOf(maker).findIndex(
    (param) => param.type === 'TSParameterProperty' && isNamed(declaredBy(param.parameter), name),
  );
  if (property !== -1) return writes.length === 0 ? property : -1;
  const [write] = writes;
  return write !== undefined &&
    writes.length === 1 &&
    unwrap(write.object).type === 'ThisExpression'
    ? parameterIndex(unwrap(write.value), maker, file)
    : -1;
}

function isNamed(node: unknown, name: string): boolean {
  return (
    (node as TSESTree.Node | undefined)?.type === 'Identifier' &&
    (node as TSESTree.Identifier).name === name
  );
}

type KnownClass = AbstractValue & { readonly kind: 'class' };

/** What a class gives its parent for a field: `super(dataSource.getRepository(User))`. */
export function givenToParent(
  resolver: Resolver,
  { node, file }: { readonly node: ClassNode; readonly file: SourceFile },
  parent: KnownClass,
  name: string,
): AbstractValue | undefined {
  const given = passedToParent(node, file);
  const argument = given?.[indexIn(resolver, parent, name)];
  return argument === undefined || argument.type === 'SpreadElement'
    ? undefined
    : resolver.abstractValueOf(argument, file);
}

/** The position of the constructor's parameter that ends in a field, of the class itself or of one that it inherits from; -1 without one. */
function indexIn(resolver: Resolver, known: KnownClass, name: string): number {
  const place = placeOf(known);
  return resolver.knownIn(known.file, {
    text: `${place.range.join('-')} keeps ${name}`,
    unknown: -1,
    find(there, file) {
      const node = nodeAt(place, file);
      if (!isClass(node)) return -1;
      const maker = constructorOf(node);
      const own = maker === undefined ? -1 : indexOfField(name, maker, file);
      const parent = node.superClass ? there.abstractValueOf(node.superClass, file) : undefined;
      if (own !== -1 || parent?.kind !== 'class') return own;
      const inherited = indexIn(there, parent, name);
      if (maker === undefined) return inherited;
      const passed = passedToParent(node, file)?.[inherited];
      return passed === undefined ? -1 : parameterIndex(unwrap(passed), maker, file);
    },
  });
}

function passedToParent(node: ClassNode, file: SourceFile): readonly Node[] | undefined {
  const maker = constructorOf(node);
  let passed: readonly Node[] | undefined;
  walk(file, maker?.body ?? node.body, (each) => {
    if (each.type === 'CallExpression' && each.callee.type === 'Super') passed = each.arguments;
    return passed === undefined;
  });
  return passed;
}
