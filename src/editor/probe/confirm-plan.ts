import { window } from 'vscode';
import type { ProbePlan } from '../../probe/result.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { planLines } from './plan-words.ts';

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
