import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../syntax/node.ts';
import { methods } from '../../model/drivers.ts';
import type { Checkout } from '../../typestate/checkout.ts';
import {
  definitionOf,
  memberName,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
} from '../../syntax/source-file.ts';
import type { Resolver } from '../../values/resolver.ts';
import {
  configOf,
  hasUsualAddress,
  isDirect,
  isMadeByDriver,
  type PoolConfig,
} from '../../values/pools/pool-config.ts';
import { isHeldIn } from './pooled-clients.ts';
import { setUpWith } from './set-ups.ts';
import type { SessionContext } from './state-call.ts';

/** True when what a call speaks to was made with an address that leads past the pooler. `subject` is a pool or a client. */
export function leadsPastPooler(
  subject: Node,
  call: TSESTree.CallExpression,
  { file, resolver, checkouts, settings, setUps }: SessionContext,
): boolean {
  const own = poolConfig(subject, file, resolver);
  if (own !== undefined) return isDirect(own, settings.direct);
  const checkout = checkouts.find(
    (each) => each.session.sent.get(call)?.source !== undefined || isHeldIn(subject, each),
  );
  const pool = checkout === undefined ? setUpWith(subject, setUps, file)?.pool : poolOf(checkout);
  const config = pool === undefined ? undefined : poolConfig(pool, file, resolver);
  return config !== undefined && isDirect(config, settings.direct);
}

function poolConfig(node: Node, file: SourceFile, resolver: Resolver): PoolConfig | undefined {
  const value = resolver.abstractValueOf(node, file);
  const pool = value?.kind === 'either' ? value.pool : value;
  if (pool?.kind !== 'pool') return undefined;
  const { node: made, file: at } = pool.site;
  return made.type === 'NewExpression' || made.type === 'CallExpression'
    ? configOf(made, at, resolver)
    : undefined;
}

/** `pool` of `pool.connect()` */
function poolOf({ acquisition: { call } }: Checkout): Node | undefined {
  return call.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    memberName(call.callee) === methods.acquire
    ? call.callee.object
    : undefined;
}

/** A client of its own that speaks to the address that the pools speak to, and so to the pooler. */
export function isConnectionToPooler(
  client: Node,
  { file, resolver, settings }: SessionContext,
): boolean {
  const plain = unwrap(client);
  const variable = plain.type === 'Identifier' ? variableOf(file, plain) : undefined;
  const definition = definitionOf(variable);
  if (variable === undefined || definition?.type !== 'Variable' || writesTo(variable).length > 0)
    return false;
  const { init } = definition.node as unknown as TSESTree.VariableDeclarator;
  const making = init === null ? undefined : unwrap(init);
  if (making?.type !== 'NewExpression' || !isMadeByDriver(making, file, resolver)) return false;
  const config = configOf(making, file, resolver);
  return hasUsualAddress(config) && !isDirect(config, settings.direct);
}
