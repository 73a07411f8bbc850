import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../syntax/node.ts';
import { keyName, unwrap, type SourceFile } from '../../syntax/source-file.ts';
import { anyMember, assignedIn } from '../assigned.ts';
import type { Resolver } from '../resolver.ts';

/** The object that configures a pool, as it is written. */
export interface PoolOptions {
  readonly node: TSESTree.ObjectExpression;
  readonly file: SourceFile;
}

/** An expression, and the file that it stands in. */
export interface Written {
  readonly node: Node;
  readonly file: SourceFile;
}

/** The options that a pool is made with; null when there are none, undefined when they are not known. */
export function optionsOf(
  { arguments: [argument] }: TSESTree.NewExpression,
  file: SourceFile,
  resolver: Resolver,
): PoolOptions | null | undefined {
  return argument === undefined ? null : objectAt(argument, file, resolver);
}

function objectAt(node: Node, file: SourceFile, resolver: Resolver): PoolOptions | undefined {
  const plain = unwrap(node);
  if (plain.type === 'ObjectExpression') return { node: plain, file };
  const abstractValue =
    plain.type === 'Identifier' || plain.type === 'MemberExpression'
      ? resolver.abstractValueOf(plain, file)
      : undefined;
  return abstractValue?.kind === 'object'
    ? { node: abstractValue.node, file: abstractValue.file }
    : undefined;
}

/** The property of a pool's options; null where it is missing, undefined where the options do not tell. */
export function valueIn(
  options: PoolOptions,
  name: string,
  made: TSESTree.NewExpression,
  file: SourceFile,
  resolver: Resolver,
): Written | null | undefined {
  const [argument] = made.arguments;
  const isShared = argument === undefined || unwrap(argument) !== options.node;
  return isShared && mayBeAdded(name, [file, options.file])
    ? undefined
    : lookUp(options, name, resolver, 0);
}

/** What is added to an object later is not in its text. */
function mayBeAdded(name: string, files: readonly SourceFile[]): boolean {
  return files.some((file) => {
    const { byName, copies } = assignedIn(file);
    return byName.has(name) || byName.has(anyMember) || copies.length > 0;
  });
}

const maximalDepth = 4;

/** Of several properties of one name the last counts. */
function lookUp(
  { node: { properties }, file }: PoolOptions,
  name: string,
  resolver: Resolver,
  depth: number,
): Written | null | undefined {
  for (const property of [...properties].reverse()) {
    if (property.type === 'SpreadElement') {
      const spread = inSpread(property.argument, name, file, resolver, depth + 1);
      if (spread !== null) return spread;
      continue;
    }
    const key = keyName(property.key, property.computed);
    if (key === undefined) return undefined;
    if (key === name)
      return property.kind === 'init' && !property.method
        ? { node: property.value, file }
        : undefined;
  }
  return null;
}

/** `...defaults`, `...(isProduction ? { ssl } : {})`, `...(isProduction && { ssl })` */
function inSpread(
  argument: Node,
  name: string,
  file: SourceFile,
  resolver: Resolver,
  depth: number,
): Written | null | undefined {
  const plain = unwrap(argument);
  if (depth > maximalDepth) return undefined;
  if (plain.type === 'ConditionalExpression')
    return nullIfBoth(
      inSpread(plain.consequent, name, file, resolver, depth),
      inSpread(plain.alternate, name, file, resolver, depth),
    );
  if (plain.type === 'LogicalExpression' && plain.operator === '&&')
    return nullIfBoth(inSpread(plain.right, name, file, resolver, depth), null);
  if (plain.type === 'Literal' || (plain.type === 'Identifier' && plain.name === 'undefined'))
    return null;
  const options = objectAt(plain, file, resolver);
  if (options === undefined || (options.node !== plain && mayBeAdded(name, [file, options.file])))
    return undefined;
  return lookUp(options, name, resolver, depth);
}

/** What only one of two ways says is not known. */
function nullIfBoth(
  one: Written | null | undefined,
  other: Written | null | undefined,
): null | undefined {
  return one === null && other === null ? null : undefined;
}
