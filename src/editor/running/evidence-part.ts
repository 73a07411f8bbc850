import { Disposable } from 'vscode';
import type { Part } from '../findings/register-findings.ts';
import type { RunningHub } from './running-hub.ts';

/** What running applications tell of the code, beside the code and at the sessions. It stands in `openEvidence`, which the first of them loads. */
export function evidencePart(hub: RunningHub): Part {
  return (findings) => {
    let opening: Promise<Disposable> | undefined;
    const open = (): void => {
      if (hub.apps.length > 0)
        opening ??= import('./running-room.ts').then(({ openEvidence }) =>
          openEvidence(hub, findings),
        );
    };
    return Disposable.from(hub.onDidChange(open), {
      dispose: () =>
        void opening?.then((evidence) => {
          evidence.dispose();
        }),
    });
  };
}
