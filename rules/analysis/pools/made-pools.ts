import type { TSESTree } from '@typescript-eslint/types';
import type { Resolver } from '../identity/resolver.ts';
import { walk } from '../files/preorder.ts';
import { memberName, type SourceFile } from '../files/source-file.ts';

/** A pool, or a connection without a pool, that a file makes with `new`. */
export interface Made {
  readonly node: TSESTree.NewExpression;
  readonly kind: 'pool' | 'connection';
  /** The driver's package. */
  readonly module: string;
}

/** A cheap look at the text: classes of pools and clients are called so. */
const mayMake = /\bnew\s+[\w$.]*(?:pool|client)/iu;

const madeByFile = new WeakMap<SourceFile, readonly Made[]>();

/** The pools and connections that a file makes, in source order; the file is gone through once, and only when its text speaks of any. */
export function madeIn(file: SourceFile, resolver: Resolver): readonly Made[] {
  const known = madeByFile.get(file);
  if (known !== undefined) return known;
  const made = mayMake.test(file.text) ? find(file, resolver) : [];
  madeByFile.set(file, made);
  return made;
}

function find(file: SourceFile, resolver: Resolver): readonly Made[] {
  const found: Made[] = [];
  walk(file, file.ast, (node) => {
    const made = node.type === 'NewExpression' ? madeBy(node, file, resolver) : undefined;
    if (made !== undefined) found.push(made);
    return true;
  });
  return found;
}

function madeBy(node: TSESTree.NewExpression, file: SourceFile, resolver: Resolver): Made | undefined {
  const { callee } = node;
  const name = callee.type === 'MemberExpression' ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (name === undefined || !/pool|client/iu.test(name)) return undefined;
  const entity = resolver.entityOf(callee, file);
  if (entity?.kind !== 'driver') return undefined;
  const { driver } = entity;
  if (driver.poolClasses.includes(entity.name)) return { node, kind: 'pool', module: driver.module };
  return driver.connectionClasses.includes(entity.name) ? { node, kind: 'connection', module: driver.module } : undefined;
}
