import type { TSESTree } from '@typescript-eslint/types';
import type { Database } from '../../model/protocols.ts';
import type { Resolver } from '../resolver.ts';
import { callsIn } from '../../syntax/calls.ts';
import { importsDriver } from '../../project/import-reachability.ts';
import type { SourceFile } from '../../syntax/source-file.ts';
import { choosy } from '../choosy-resolver.ts';

/** A pool, or a connection without a pool, that a file makes with `new`. */
export interface Made {
  readonly node: TSESTree.NewExpression;
  readonly kind: 'pool' | 'connection';
  /** The driver's package. */
  readonly module: string;
  readonly database: Database;
}

/** Opens only files that may hand on a driver's classes. */
export const driversOnly = choosy(importsDriver);

/** The pools and connections that a file makes, in source order. */
export function madeIn(file: SourceFile, resolver: Resolver): readonly Made[] {
  return resolver.reader.leadsToDriver?.(file) === false
    ? []
    : callsIn(file).constructions.flatMap((node) => madeBy(node, file, resolver) ?? []);
}

/** What `new` makes where it is called on a driver's class. */
export function madeBy(
  node: TSESTree.NewExpression,
  file: SourceFile,
  resolver: Resolver,
): Made | undefined {
  const value = driversOnly(resolver).abstractValueOf(node.callee, file);
  if (value?.kind !== 'driver') return undefined;
  const { driver } = value;
  if (driver.poolClasses.includes(value.name))
    return { node, kind: 'pool', module: driver.module, database: driver.database };
  return driver.connectionClasses.includes(value.name)
    ? { node, kind: 'connection', module: driver.module, database: driver.database }
    : undefined;
}
