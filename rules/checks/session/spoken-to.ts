import type { Node, CallNode } from '../../syntax/node.ts';
import { drivers, methods } from '../../model/drivers.ts';
import {
  type SourceFile,
  definitionOf,
  unwrap,
  variableOf,
  writesTo,
} from '../../syntax/source-file.ts';
import { clientOf, isPooledClient, isHeldIn } from './pooled-clients.ts';
import { setUpWith } from './set-ups.ts';
import type { SessionContext, StateCall } from './state-call.ts';
import type { TSESTree } from '@typescript-eslint/types';
import type { Checkout } from '../../typestate/checkout.ts';
import type { Here } from '../../values/resolver.ts';
import {
  configOf,
  hasUsualAddress,
  isDirect,
  isMadeByDriver,
  type PoolConfig,
} from '../../values/pools/pool-config.ts';
import { receiverOf, calledMember } from '../../syntax/call-chain.ts';

/** What a query speaks to: undefined for what is not known, and for a client of its own that no pooler stands before. */
export function spokenTo(
  receiver: Node,
  isNamed: boolean,
  hasPooler: boolean,
  analysis: SessionContext,
): StateCall['on'] | undefined {
  const kind = analysis.resolver.abstractValueOf(receiver, analysis.file)?.kind;
  if (kind === 'pool') return 'pool';
  if (kind === 'connection' && hasPooler && isConnectionToPooler(receiver, analysis))
    return 'connection';
  // A name and a text together are this driver's alone.
  return (isNamed && kind !== 'connection' && importsDriver(analysis.file)) ||
    isPooledClient(receiver, analysis) ||
    setUpWith(receiver, analysis.setUps, analysis.file) !== undefined
    ? 'client'
    : undefined;
}

function importsDriver(file: SourceFile): boolean {
  return file.ast.body.some(
    (statement) =>
      statement.type === 'ImportDeclaration' &&
      drivers.some(
        ({ module, database }) => database === 'postgresql' && module === statement.source.value,
      ),
  );
}

/** True when state goes to an address that leads past the pooler. */
export function isPast({ call, source }: StateCall, analysis: SessionContext): boolean {
  return leadsPastPooler(
    (source === undefined ? clientOf(call) : undefined) ?? call.callee,
    call,
    analysis,
  );
}

/** True when a query goes to something behind the pooler. */
export function isToPooler(call: CallNode, analysis: SessionContext): boolean {
  const receiver = clientOf(call);
  return (
    receiver !== undefined &&
    spokenTo(receiver, false, true, analysis) !== undefined &&
    !leadsPastPooler(receiver, call, analysis)
  );
}

/** True when what a call speaks to was made with an address that leads past the pooler. `subject` is a pool or a client. */
function leadsPastPooler(subject: Node, call: CallNode, context: SessionContext): boolean {
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
function isConnectionToPooler(client: Node, { file, resolver, settings }: SessionContext): boolean {
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
