import { commands, window, type LogOutputChannel } from 'vscode';
import { CloseAction, ErrorAction, type ErrorHandler } from 'vscode-languageclient';

const firstWaitMs = 1000;
const longestWaitMs = 60_000;
/** A server that lived so long was well: the next wait is a short one again. */
const wellAfterMs = 300_000;

/** Starts a server that died again, each time after a longer wait, and tells the user once. */
export function createRestartPolicy(channel: LogOutputChannel, now: () => number = Date.now): ErrorHandler {
  let deaths = 0;
  let lastDeath = 0;
  let isTold = false;
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    async closed() {
      deaths = now() - lastDeath > wellAfterMs ? 1 : deaths + 1;
      lastDeath = now();
      const waitMs = waitAfter(deaths);
      channel.warn(`The language server ended unexpectedly; it is started again in ${waitMs / 1000} s.`);
      if (!isTold) void tellOnce(channel);
      isTold = true;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      return { action: CloseAction.Restart, handled: true };
    },
  };
}

/** 1, 2, 4 … seconds, at most a minute. */
export function waitAfter(deaths: number): number {
  return Math.min(firstWaitMs * 2 ** (deaths - 1), longestWaitMs);
}

async function tellOnce(channel: LogOutputChannel): Promise<void> {
  const chosen = await window.showWarningMessage('Poolguard’s language server ended unexpectedly and is being started again. Findings are back in a moment.', 'Show log', 'Restart the extension host');
  if (chosen === 'Show log') channel.show();
  if (chosen === 'Restart the extension host') await commands.executeCommand('workbench.action.restartExtensionHost');
}
