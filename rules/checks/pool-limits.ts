import type { Checkout } from '../typestate/checkout.ts';
import type { Resolver } from '../values/resolver.ts';
import type { DeclaredPool, PoolOption } from '../values/pools/declared-pool.ts';
import { declaredPoolAt } from '../values/pools/declared-pools.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Finding } from './finding.ts';

type Option = Extract<PoolOption, { readonly value: number }>;

/** What the messages of a checkout say of its pool: how many clients it has, and what becomes of callers when all are taken, as far as the code declares that. */
export function poolLimits(
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): Finding['data'] {
  const options = poolOf(checkout, file, resolver)?.options;
  const max = numberIn(options?.max);
  const millis = numberIn(options?.connectionTimeoutMillis)?.value ?? 0;
  return {
    size:
      max === undefined
        ? `\`${checkout.acquisition.driver.limit}\` is 10 by default`
        : sizeText(max),
    then: millis > 0 ? `fails after ${durationText(millis)}` : 'waits',
    emptied: emptiedText(max?.value),
    stuck:
      stuckText(max?.value) + (millis > 0 ? `, and each fails after ${durationText(millis)}` : ''),
  };
}

function poolOf(
  { acquisition: { call } }: Checkout,
  file: SourceFile,
  resolver: Resolver,
): DeclaredPool | undefined {
  const pool =
    call.type === 'CallExpression' && call.callee.type === 'MemberExpression'
      ? resolver.entityOf(call.callee.object, file)
      : undefined;
  return pool?.kind === 'pool'
    ? declaredPoolAt(pool.origin.node, pool.origin.file, resolver)
    : undefined;
}

function numberIn(option: PoolOption | undefined): Option | undefined {
  return option === undefined || option.kind === 'unknown' ? undefined : option;
}

const kinds: Readonly<Record<Option['kind'], (option: Option) => string>> = {
  default: () => ' by default',
  literal: () => '',
  fallback: (option) =>
    option.kind === 'fallback' ? ` unless \`${option.variable}\` says otherwise` : '',
};

function sizeText(max: Option): string {
  return `\`max\` is ${max.value}${kinds[max.kind](max)}`;
}

function emptiedText(max = 10): string {
  return max === 1 ? 'its pool has no other' : `a pool of ${max} is empty after ${max} such calls`;
}

function stuckText(max: number | undefined): string {
  if (max === undefined) return 'when all clients are held by such callers, none can go on';
  return max === 1
    ? 'its pool has no other, so that no such call can go on'
    : `when all ${max} clients are held by such callers, none can go on`;
}

function durationText(millis: number): string {
  return millis % 1000 === 0 ? `${millis / 1000} s` : `${millis} ms`;
}
