import { env, window, type MessageItem } from 'vscode';
import type { RefusedRole } from '../../probe/refusal.ts';
import type { ProbePlan } from '../../probe/result.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { planLines, roleQuestion } from './plan-words.ts';

/** Asks in a dialog whether to do what is planned. */
export async function confirmPlan(label: string, plan: ProbePlan): Promise<boolean> {
  const start = 'Start probe';
  return (
    (await window.showInformationMessage(
      plainMessage(`Probe the pool size on ${label}?`),
      { modal: true, detail: planLines(plan).join('\n') },
      start,
    )) === start
  );
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
