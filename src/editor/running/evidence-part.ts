import { Disposable } from 'vscode';
import { Owner } from '../../ownership/owner.ts';
import type { Part } from '../findings/part.ts';
import type { RunningHub } from './running-hub.ts';

/** What running applications tell of the code, beside the code and at the sessions. It stands in `openEvidence`, which the first of them loads. */
export function evidencePart(hub: RunningHub): Part {
  return (findings) => {
    const evidence = new Owner<Disposable>((open) => {
      open.dispose();
    });
    const open = async (): Promise<Disposable> =>
      (await import('./running-room.ts')).openEvidence(hub, findings);
    return Disposable.from(
      hub.onDidChange(() => {
        if (hub.apps.length > 0) void evidence.keep(open);
      }),
      { dispose: () => void evidence.end() },
    );
  };
}
