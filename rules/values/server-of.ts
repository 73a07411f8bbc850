import type { Library } from '../model/library.ts';
import { constantText } from '../syntax/constants.ts';
import type { Node } from '../syntax/node.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import { configOf } from './pools/pool-config.ts';
import type { Resolver } from './resolver.ts';

/** Whether a handle surely speaks to PostgreSQL: by the module that it comes from, or by what it is made with. */
export function speaksToPostgresql(
  handle: AbstractValue | undefined,
  library: Library,
  resolver: Resolver,
): boolean {
  const { only, option, values, classes } = library.postgresql;
  if (only) return true;
  if (handle?.kind !== 'handle' && handle?.kind !== 'pool') return false;
  const { node, file } = handle.site;
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
  const abstractValue = resolver.abstractValueOf(
    value.type === 'NewExpression' ? value.callee : value,
    file,
  );
  return abstractValue?.kind === 'driver' || abstractValue?.kind === 'package'
    ? abstractValue.name
    : undefined;
}
