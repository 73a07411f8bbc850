import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { libraryOf } from '../model/libraries.ts';
import type { Driver } from '../model/drivers.ts';
import { keyName, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { constantText } from '../syntax/constants.ts';
import type { Resolver } from './resolver.ts';

/** `new DataSource({ type: 'sqlite', … })`: what is written down says that there is no pool behind it. */
export function isPoolless(
  driver: Driver,
  options: Node | undefined,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  if (options === undefined) return false;
  if (libraryOf(driver) !== undefined && isOneConnection(options, file, resolver)) return true;
  const { poolless } = driver;
  if (poolless.length === 0) return false;
  const type = typeIn(options, file, resolver);
  return type !== undefined && poolless.includes(type);
}

/** `drizzle(new Client())`, `drizzle({ client })` */
function isOneConnection(given: Node, file: SourceFile, resolver: Resolver): boolean {
  const plain = unwrap(given);
  const client =
    plain.type === 'ObjectExpression'
      ? plain.properties.find(
          (each): each is TSESTree.Property =>
            each.type === 'Property' && keyName(each.key, each.computed) === 'client',
        )?.value
      : plain;
  const kind = client === undefined ? undefined : resolver.abstractValueOf(client, file)?.kind;
  return kind === 'connection' || kind === 'client';
}

const types: ReadonlySet<string> = new Set(['type', 'adapter']);

/** The scheme of a URL, or the text of the property that names the database; undefined where a spread behind it may bring another one. */
function typeIn(options: Node, file: SourceFile, resolver: Resolver): string | undefined {
  const plain = unwrap(options);
  if (plain.type === 'Identifier' || plain.type === 'MemberExpression') {
    const abstractValue = resolver.abstractValueOf(plain, file);
    return abstractValue?.kind === 'object'
      ? typeIn(abstractValue.node, abstractValue.file, resolver)
      : undefined;
  }
  const url = constantText(plain);
  if (url !== undefined) return url.split(':')[0];
  if (plain.type !== 'ObjectExpression') return undefined;
  const last = plain.properties.findLast(
    (property) =>
      property.type === 'SpreadElement' ||
      types.has(keyName(property.key, property.computed) ?? ''),
  );
  return last?.type === 'Property' ? constantText(unwrap(last.value)) : undefined;
}
