import type { Checkout } from '../typestate/checkout.ts';
import type { Here } from '../values/resolver.ts';
import type { DeclaredPool, PoolOption } from '../values/pools/declared-pool.ts';
import { declaredPoolAt } from '../values/pools/declared-pools.ts';
import type { Finding } from './finding.ts';

type Declared = Extract<PoolOption, { readonly kind: 'literal' | 'fallback' }>;

/** What the messages of a checkout say of its pool: its size where the code declares that, and how surely it deadlocks. */
export function poolLimits(checkout: Checkout, here: Here): Finding['data'] {
  const max = declaredIn(poolOf(checkout, here)?.options.max);
  const limits = max === undefined ? '' : ` (${sizeText(max)})`;
  const when = max?.kind === 'literal' && max.value === 1 ? '' : 'under load ';
  return { limits, deadlock: `${when}this deadlocks the pool${limits}` };
}

function poolOf(
  { acquisition: { call } }: Checkout,
  { file, resolver }: Here,
): DeclaredPool | undefined {
  const pool =
    call.type === 'CallExpression' && call.callee.type === 'MemberExpression'
      ? resolver.abstractValueOf(call.callee.object, file)
      : undefined;
  return pool?.kind === 'pool'
    ? declaredPoolAt(pool.site.node, pool.site.file, resolver)
    : undefined;
}

function declaredIn(option: PoolOption | undefined): Declared | undefined {
  return option?.kind === 'literal' || option?.kind === 'fallback' ? option : undefined;
}

/** In the program's own words: `max: 5`, `max: POOL_MAX ?? 20`. */
function sizeText(max: Declared): string {
  return `\`max: ${max.kind === 'fallback' ? `${max.variable} ?? ` : ''}${max.value}\``;
}
