import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { classicPools, isSidePath } from '../model/pool-life.ts';
import type { Here } from '../values/resolver.ts';
import { unwrap } from '../syntax/source-file.ts';
import { writtenOption, declaredPoolAt } from '../values/pools/declared-pools.ts';
import { madeIn, type Made } from '../values/pools/made-pools.ts';
import { editsFor } from '../fixes/pool-edits.ts';
import { optionsOf } from '../values/pools/pool-options.ts';
import type { Finding } from './finding.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import type { Analysis } from './analysis.ts';
import { pathInProject } from '../project/module-reader.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { DeclaredPool, PoolOption } from '../values/pools/declared-pool.ts';

const option = 'connectionTimeoutMillis';
const suggestedMillis = 5000;

/** Pools that surely wait indefinitely, or for a stated time, when all clients are taken or the server does not answer. */
export function findConnectionTimeouts(analysis: Analysis): readonly Finding[] {
  const { file, resolver } = analysis;
  const pools = madeIn(file, resolver).filter(
    ({ kind, module }) => kind === 'pool' && classicPools.has(module),
  );
  if (pools.length === 0 || isSidePath(pathInProject(file, resolver.reader))) return [];
  return pools.flatMap((pool) => findTimeout(pool, analysis) ?? []);
}

function findTimeout({ node }: Made, here: Here): Finding | undefined {
  const { file, resolver } = here;
  const written = writtenOption(optionsOf(node, file, resolver), option, node, file, resolver);
  if (written === null) return report('missing', 0, node, suggestion('add', node, here));
  const millis = written === undefined ? undefined : millisOf(written.node);
  if (written === undefined || millis === undefined) return undefined;
  const place = written.file === file ? written.node : node;
  return millis === 0
    ? report('never', 0, place, suggestion('replace', node, here))
    : report('long', millis, place, []);
}

function report(
  messageId: string,
  millis: number,
  node: Node,
  suggestions: readonly Suggestion[],
): Finding {
  return {
    rule: 'require-connection-timeout',
    messageId,
    data: { millis: String(millis) },
    place: node.loc,
    steps: [],
    suggestions,
  };
}

function suggestion(
  messageId: string,
  made: TSESTree.NewExpression,
  { file, resolver }: Here,
): readonly Suggestion[] {
  const edits = editsFor(made, { [option]: suggestedMillis }, file, resolver) ?? [];
  return edits.length === 0
    ? []
    : [{ messageId, data: { millis: String(suggestedMillis) }, edits }];
}

/** 0 stands for a pool that waits indefinitely (pg-pool `index.js`: `if (!this.options.connectionTimeoutMillis)`). */
function millisOf(value: Node): number | undefined {
  const plain = unwrap(value);
  if (plain.type === 'Literal')
    return typeof plain.value === 'number' ? plain.value : plain.value === null ? 0 : undefined;
  return plain.type === 'Identifier' && plain.name === 'undefined' ? 0 : undefined;
}

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
