import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../syntax/node.ts';
import { drivers } from '../../model/drivers.ts';
import type { SourceFile } from '../../syntax/source-file.ts';
import { isConnectionToPooler, leadsPastPooler } from './addresses.ts';
import { clientOf, isPooledClient } from './pooled-clients.ts';
import { setUpWith } from './set-ups.ts';
import type { SessionScene, StateCall } from './state-call.ts';

/** What a query speaks to: undefined for what is not known, and for a client of its own that no pooler stands before. */
export function spokenTo(
  receiver: Node,
  isNamed: boolean,
  hasPooler: boolean,
  scene: SessionScene,
): StateCall['on'] | undefined {
  const kind = scene.resolver.entityOf(receiver, scene.file)?.kind;
  if (kind === 'pool') return 'pool';
  if (kind === 'connection' && hasPooler && isConnectionToPooler(receiver, scene))
    return 'connection';
  // A name and a text together are this driver's alone.
  return (isNamed && kind !== 'connection' && importsDriver(scene.file)) ||
    isPooledClient(receiver, scene) ||
    setUpWith(receiver, scene.setUps, scene.file) !== undefined
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
export function isPast({ call, source }: StateCall, scene: SessionScene): boolean {
  return leadsPastPooler(
    (source === undefined ? clientOf(call) : undefined) ?? call.callee,
    call,
    scene,
  );
}

/** True when a query goes to something behind the pooler. */
export function isToPooler(call: TSESTree.CallExpression, scene: SessionScene): boolean {
  const receiver = clientOf(call);
  return (
    receiver !== undefined &&
    spokenTo(receiver, false, true, scene) !== undefined &&
    !leadsPastPooler(receiver, call, scene)
  );
}
