import { env, window, type MessageItem } from 'vscode';
import { describeTarget } from '../../database/target.ts';
import type { RefusedOwner, RefusedRole } from '../../probe/refusal.ts';
import type { SizeRequest } from '../../probe/request.ts';
import type { ProbePlan } from '../../probe/result.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { ownersQuestion, planLines, roleQuestion } from './plan-words.ts';
import type { ProbeMemory } from './probe-memory.ts';

/** Asks in a dialog whether to do what is planned. Escape is a no. */
export async function confirmPlan(
  { target, workload }: SizeRequest,
  plan: ProbePlan,
  memory: ProbeMemory,
): Promise<boolean> {
  const run: MessageItem = { title: 'Run the probe' };
  const always: MessageItem = { title: 'Run and do not ask again for this database' };
  const cancel: MessageItem = { title: 'Cancel', isCloseAffordance: true };
  const chosen = await window.showInformationMessage(
    plainMessage(`Probe the pool size on ${describeTarget(target)}?`),
    { modal: true, detail: planLines(plan, workload).join('\n') },
    run,
    always,
    cancel,
  );
  if (chosen === always) await memory.agree(target);
  return chosen === run || chosen === always;
}

/** Asks in a dialog whether to probe as a role that has more rights than that takes. Enter copies the SQL for another role. */
export async function confirmRole(role: RefusedRole): Promise<boolean> {
  const { title, detail, run } = roleQuestion(role);
  const copy: MessageItem = { title: 'Copy SQL for an ordinary role' };
  const agree: MessageItem = { title: run };
  const cancel: MessageItem = { title: 'Cancel', isCloseAffordance: true };
  const chosen = await window.showWarningMessage(
    plainMessage(title),
    { modal: true, detail },
    copy,
    agree,
    cancel,
  );
  if (chosen === copy) await env.clipboard.writeText(`${role.sql.join('\n')}\n`);
  return chosen === agree;
}

/** Asks in a dialog whether statements may run code of these owners, and remembers a yes. Enter copies who they are. */
export async function confirmOwners(
  { target }: SizeRequest,
  owners: readonly RefusedOwner[],
  memory: ProbeMemory,
): Promise<boolean> {
  const { title, detail, run } = ownersQuestion(owners);
  const copy: MessageItem = { title: 'Copy details' };
  const agree: MessageItem = { title: run };
  const cancel: MessageItem = { title: 'Cancel', isCloseAffordance: true };
  const chosen = await window.showWarningMessage(
    plainMessage(title),
    { modal: true, detail },
    copy,
    agree,
    cancel,
  );
  if (chosen === copy)
    await env.clipboard.writeText(
      `${owners.map(({ name, owns }) => `${name}: ${owns}`).join('\n')}\n`,
    );
  if (chosen === agree)
    await memory.trustOwners(
      target,
      owners.map(({ name }) => name),
    );
  return chosen === agree;
}
