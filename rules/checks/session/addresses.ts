import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from '../../syntax/node.ts';
import { methods } from '../../model/drivers.ts';
import type { Checkout } from '../../typestate/checkout.ts';
import { definitionOf, unwrap, variableOf, writesTo } from '../../syntax/source-file.ts';
import type { Here } from '../../values/resolver.ts';
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
import { receiverOf, calledMember } from '../../syntax/call-chain.ts';

/** True when what a call speaks to was made with an address that leads past the pooler. `subject` is a pool or a client. */
export function leadsPastPooler(subject: Node, call: CallNode, context: SessionContext): boolean {
  const { file, checkouts, settings, setUps } = context;
  const own = poolConfig(subject, context);
  if (own !== undefined) return isDirect(own, settings.direct);
  const checkout = checkouts.find(
    (each) => each.session.sent.get(call)?.source !== undefined || isHeldIn(subject, each),
  );
  const pool = checkout === undefined ? setUpWith(subject, setUps, file)?.pool : poolOf(checkout);
  const config = pool === undefined ? undefined : poolConfig(pool, context);
  return config !== undefined && isDirect(config, settings.direct);
}

function poolConfig(node: Node, { file, resolver }: Here): PoolConfig | undefined {
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
  return calledMember(call) === methods.acquire ? receiverOf(call) : undefined;
}

/** A client of its own that speaks to the address that the pools speak to, and so to the pooler. */
export function isConnectionToPooler(
  client: Node,
  { file, resolver, settings }: SessionContext,
): boolean {
  const plain = unwrap(client);
  const variable = variableOf(file, plain);
  const definition = definitionOf(variable);
  if (variable === undefined || definition?.type !== 'Variable' || writesTo(variable).length > 0)
    return false;
  const { init } = definition.node as unknown as TSESTree.VariableDeclarator;
  const making = init === null ? undefined : unwrap(init);
  if (making?.type !== 'NewExpression' || !isMadeByDriver(making, file, resolver)) return false;
  const config = configOf(making, file, resolver);
  return hasUsualAddress(config) && !isDirect(config, settings.direct);
}
