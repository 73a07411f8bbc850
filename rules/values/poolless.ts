import type { Node } from '../syntax/node.ts';
import type { Driver } from '../model/drivers.ts';
import { keyName, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { constantText } from '../syntax/constants.ts';
import type { Resolver } from './resolver.ts';

/** `new DataSource({ type: 'sqlite', … })`: what is written down says that there is no pool behind it. */
export function isPoolless(
  { poolless }: Driver,
  options: Node | undefined,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  if (poolless.length === 0 || options === undefined) return false;
  const type = typeIn(options, file, resolver);
  return type !== undefined && poolless.includes(type);
}

/** The text of the property `type`; undefined where a spread behind it may bring another one. */
function typeIn(options: Node, file: SourceFile, resolver: Resolver): string | undefined {
  const plain = unwrap(options);
  if (plain.type === 'Identifier' || plain.type === 'MemberExpression') {
    const entity = resolver.entityOf(plain, file);
    return entity?.kind === 'object' ? typeIn(entity.node, entity.file, resolver) : undefined;
  }
  if (plain.type !== 'ObjectExpression') return undefined;
  const last = plain.properties.findLast(
    (property) =>
      property.type === 'SpreadElement' || keyName(property.key, property.computed) === 'type',
  );
  return last?.type === 'Property' ? constantText(unwrap(last.value)) : undefined;
}
