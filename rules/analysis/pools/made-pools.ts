import type { TSESTree } from '@typescript-eslint/types';
import type { Database } from '../../model/protocols.ts';
import type { Resolver } from '../identity/resolver.ts';
import { oncePerFile } from '../files/once-per-file.ts';
import { callsIn } from '../files/calls.ts';
import { memberName, type SourceFile } from '../files/source-file.ts';

/** A pool, or a connection without a pool, that a file makes with `new`. */
export interface Made {
  readonly node: TSESTree.NewExpression;
  readonly kind: 'pool' | 'connection';
  /** The driver's package. */
  readonly module: string;
  readonly database: Database;
}

/** A cheap look at the text: classes of pools and clients are called so. */
const mayMake = /\bnew\s+[\w$.]*(?:pool|client)/i;

/** The `new` expressions of a file whose class is called like a pool or a client; the file is gone through once, and only when its text speaks of any. */
const candidatesIn = oncePerFile((file): readonly TSESTree.NewExpression[] =>
  mayMake.test(file.text)
    ? callsIn(file).constructions.filter((made) => /pool|client/i.test(className(made) ?? ''))
    : [],
);

/** The pools and connections that a file makes, in source order. */
export function madeIn(file: SourceFile, resolver: Resolver): readonly Made[] {
  return candidatesIn(file).flatMap((node) => madeBy(node, file, resolver) ?? []);
}

function className({ callee }: TSESTree.NewExpression): string | undefined {
  return callee.type === 'MemberExpression'
    ? memberName(callee)
    : callee.type === 'Identifier'
      ? callee.name
      : undefined;
}

function madeBy(
  node: TSESTree.NewExpression,
  file: SourceFile,
  resolver: Resolver,
): Made | undefined {
  const entity = resolver.entityOf(node.callee, file);
  if (entity?.kind !== 'driver') return undefined;
  const { driver } = entity;
  if (driver.poolClasses.includes(entity.name))
    return { node, kind: 'pool', module: driver.module, database: driver.database };
  return driver.connectionClasses.includes(entity.name)
    ? { node, kind: 'connection', module: driver.module, database: driver.database }
    : undefined;
}
