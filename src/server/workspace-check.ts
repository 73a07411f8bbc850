import {
  CancellationToken,
  type WorkDoneProgressReporter,
  type WorkspaceDiagnosticReport,
  type WorkspaceDiagnosticReportPartialResult,
} from 'vscode-languageserver';
import { candidatesAt, checkFilesOnDisk, findCandidates, type FileReport } from './check-files.ts';
import { threadsWorth } from '../lint/in-threads.ts';
import { answer } from './answer.ts';
import { Files } from './asked.ts';
import { checkFiles } from './protocol.ts';
import type { Feature, Session } from './session.ts';

/** How often somebody who waits hears something. */
const tellEveryMs = 150;

type PartialResults = { report(results: WorkspaceDiagnosticReportPartialResult): void } | undefined;

/** Checks files that are not open: all of them, or a few that have changed. Those that are open are pulled one by one. */
export const workspaceCheck: Feature = {
  capabilities: () => ({}),
  register(session) {
    const patience = createPatience(session);
    const check = createWorkspaceCheck(session);
    session.connection.languages.diagnostics.onWorkspace(async (_, token, progress, results) => {
      if (session.client().facts.checksWorkspaceOnDemand) return check(token, progress, results);
      await patience.untilWorthwhile(token);
      return patience.spend(() => check(token, progress, results));
    });
    answer(session.connection, checkFiles, Files, async ({ uris }) => {
      const reports: FileReport[] = [];
      const { files } = session.host;
      if (files !== undefined)
        await checkFilesOnDisk(
          session,
          files,
          candidatesAt(session, uris),
          { token: CancellationToken.None, threads: 1 },
          (report) => reports.push(report),
        );
      return reports;
    });
  },
};

/** The answer leaves out files without findings, unless the editor learned of some before. */
function createWorkspaceCheck(session: Session) {
  const told = new Set<string>();
  return async (
    token: CancellationToken,
    progress: WorkDoneProgressReporter,
    results: PartialResults,
  ): Promise<WorkspaceDiagnosticReport> => {
    const { files } = session.host;
    if (files === undefined) return { items: [] };
    progress.begin('Poolguard', 0, 'Looking for files', true);
    const candidates = await findCandidates(session, files);
    const unsent: FileReport[] = [];
    const isTime = createTick();
    let [done, findings] = [0, 0];
    // Who asked for the check waits for it; one that an editor pulls by itself leaves the processors to others.
    const most = session.client().facts.checksWorkspaceOnDemand ? files.processors : 1;
    const threads = Math.max(1, threadsWorth(candidates.length, most));
    await checkFilesOnDisk(session, files, candidates, { token, threads }, (report) => {
      done += 1;
      findings += report.items.length;
      const wasTold = told.delete(report.uri);
      if (report.items.length > 0) told.add(report.uri);
      if (wasTold || report.items.length > 0) unsent.push(report);
      if (!isTime()) return;
      progress.report(
        Math.floor((100 * done) / candidates.length),
        sayProgress(done, candidates.length, findings),
      );
      if (unsent.length > 0)
        results?.report({ items: results === undefined ? [] : unsent.splice(0) });
    });
    progress.report(100, sayProgress(done, candidates.length, findings));
    progress.done();
    return { items: unsent };
  };
}

/** "1,234 of 2,000 files · 12 findings" */
export function sayProgress(done: number, all: number, findings: number): string {
  const count = (amount: number) => amount.toLocaleString('en-US');
  return `${count(done)} of ${count(all)} files · ${count(findings)} ${findings === 1 ? 'finding' : 'findings'}`;
}

/** True at most so often. */
function createTick(now: () => number = performance.now.bind(performance)): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - last < tellEveryMs) return false;
    last = now();
    return true;
  };
}

/** Editors that pull the whole workspace by themselves ask again as soon as they have an answer. They get one when there may be a new one, and after a rest as long as the last check took. */
function createPatience(session: Session) {
  let isStale = true;
  let restUntil = 0;
  const waiting = new Set<() => void>();
  session.onStale(() => {
    isStale = true;
    for (const wake of waiting) wake();
  });
  const nextEvent = (token: CancellationToken, ms: number | undefined) =>
    new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(wake, ms);
      const cancelled = token.onCancellationRequested(wake);
      if (ms === undefined) waiting.add(wake);
      function wake() {
        clearTimeout(timer);
        cancelled.dispose();
        waiting.delete(wake);
        resolve();
      }
    });
  return {
    async untilWorthwhile(token: CancellationToken): Promise<void> {
      if (!isStale && !token.isCancellationRequested) await nextEvent(token, undefined);
      const left = restUntil - performance.now();
      if (left > 0 && !token.isCancellationRequested) await nextEvent(token, left);
    },
    async spend<Result>(work: () => Promise<Result>): Promise<Result> {
      isStale = false;
      const started = performance.now();
      try {
        return await work();
      } finally {
        restUntil = performance.now() + (performance.now() - started);
      }
    },
  };
}
