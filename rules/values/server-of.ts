import type { Library } from '../model/library.ts';
import { constantText } from '../syntax/constants.ts';
import type { Node } from '../syntax/node.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { Entity } from './entities.ts';
import { configOf } from './pools/pool-config.ts';
import type { Resolver } from './resolver.ts';

/** Whether a handle surely speaks to PostgreSQL: by the module that it comes from, or by what it is made with. */
export function speaksToPostgresql(
  handle: Entity | undefined,
  library: Library,
  resolver: Resolver,
): boolean {
  const { only, option, values, classes } = library.postgresql;
  if (only) return true;
  if (handle?.kind !== 'handle' && handle?.kind !== 'pool') return false;
  const { node, file } = handle.origin;
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false;
  const { argument, properties } = configOf(node, file, resolver);
  const url = argument && constantText(unwrap(argument));
  const told = properties.filter(({ name }) => name === option);
  return (
    (url !== undefined && /^postgres(?:ql)?:/u.test(url)) ||
    (told.length > 0 &&
      told.every(
        ({ value, file: there }) =>
          values.includes(constantText(unwrap(value)) ?? '') ||
          classes.includes(madeOf(unwrap(value), there, resolver) ?? ''),
      ))
  );
}

/** `PostgresDialect` and `new PostgresDialect({ pool })`, by the name under which a package exports it. */
function madeOf(value: Node, file: SourceFile, resolver: Resolver): string | undefined {
  const entity = resolver.entityOf(value.type === 'NewExpression' ? value.callee : value, file);
  return entity?.kind === 'driver' || entity?.kind === 'package' ? entity.name : undefined;
}
