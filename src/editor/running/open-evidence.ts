import { Disposable, workspace } from 'vscode';
import type { Holder, HolderOf } from '../../activity/holder.ts';
import { toShortText } from '../../activity/plain-text.ts';
import { evidenceOf, scriptName, untilNextStep } from '../../running/evidence.ts';
import { findHolder, type FoundHolder } from '../../running/find-holder.ts';
import { runningEvidence } from '../../server/protocol.ts';
import type { Findings } from '../findings/part.ts';
import { backendsOf } from './backends-of.ts';
import { Paced } from './paced.ts';
import type { RunningHub } from './running-hub.ts';
import { labelOf, shownKey } from './to-running-state.ts';

/** A diagnostic is read, not watched. */
const betweenTellsMs = 1_000;

/** Tells the language server what is seen of the code while it runs, and those who look at sessions who holds them. */
export function openEvidence(
  hub: RunningHub,
  { server, code }: Pick<Findings, 'server' | 'code'>,
): Disposable {
  let told = '[]';
  let step: NodeJS.Timeout | undefined;
  const tell = async (): Promise<void> => {
    clearTimeout(step);
    const now = Date.now();
    const wait = untilNextStep(hub.apps, now);
    if (wait !== undefined) step = setTimeout(() => tells.ask(), wait);
    const evidence = evidenceOf(hub.apps, now);
    const text = JSON.stringify(evidence);
    if (text === told) return;
    await server.start();
    const { running } = server;
    if (running === undefined) return;
    told = text;
    await running.sendNotification(runningEvidence.method, evidence);
  };
  // A server that ends is told everything when it is there again.
  const tells = new Paced(
    () =>
      void tell().catch(() => {
        told = '[]';
      }),
    betweenTellsMs,
  );
  code.holderOf = (session, facts) => toHolder(findHolder(hub.apps, session, facts), Date.now());
  code.backendsOf = (diagnostic, seen) => backendsOf(diagnostic, seen, hub.apps);
  tells.ask();
  return Disposable.from(
    hub.onDidChange(() => tells.ask()),
    server.onDidChangeState((state) => {
      if (state !== 'running') return;
      told = '[]';
      tells.ask();
    }),
    tells,
    {
      dispose: () => {
        clearTimeout(step);
      },
    },
  );
}

const longestName = 60;

/** Every text of the application's is plain and short from here on. */
function toHolder(found: FoundHolder | null, now: number): ReturnType<HolderOf> {
  if (found === null) return null;
  const {
    app,
    pool: { pool },
    held: {
      since,
      acquiredAt: [place],
    },
  } = found;
  const name = toShortText(pool.applicationName ?? scriptName(app), longestName);
  return {
    app: name,
    pid: app.pid,
    forMs: Math.max(0, now - since),
    place:
      place === undefined
        ? null
        : { label: labelOf(place, workspace.asRelativePath), key: shownKey(place) },
  } satisfies Holder;
}
