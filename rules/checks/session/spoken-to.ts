import type { Node, CallNode } from '../../syntax/node.ts';
import { drivers } from '../../model/drivers.ts';
import type { SourceFile } from '../../syntax/source-file.ts';
import { isConnectionToPooler, leadsPastPooler } from './addresses.ts';
import { clientOf, isPooledClient } from './pooled-clients.ts';
import { setUpWith } from './set-ups.ts';
import type { SessionContext, StateCall } from './state-call.ts';

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
