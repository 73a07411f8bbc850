import type { FileStatus, SkipReason } from '../../server/protocol.ts';

/** How the language server is; at rest it was never needed. */
export type ServerState = 'resting' | 'starting' | 'running' | 'stopped';

/** What a language status says, and where it leads. */
export interface StatusText {
  readonly text: string;
  readonly detail?: string;
  readonly isBusy?: true;
  readonly isError?: true;
  readonly leadsTo?: 'problems' | 'settings' | 'restart' | 'log';
}

const skipped: Readonly<Record<SkipReason, StatusText>> = {
  off: { text: 'Not checked: off', detail: 'poolguard.lint.enable', leadsTo: 'settings' },
  excluded: {
    text: 'Not checked: excluded',
    detail: 'poolguard.lint.exclude',
    leadsTo: 'settings',
  },
  'no driver': {
    text: 'Not checked: no pool driver in this package',
    detail: 'Neither its package.json nor its code names one.',
  },
  'no pool': { text: 'Nothing to check: no pool in this file' },
  'too large': {
    text: 'Not checked: too large',
    detail: 'Files of this size are usually generated and are skipped.',
  },
  'not open': { text: 'Not checked yet', isBusy: true },
};

/** What to say of a document; `status` is undefined until the server has answered. */
export function statusText(server: ServerState, status: FileStatus | undefined): StatusText {
  if (server === 'stopped')
    return {
      text: 'Not checked: the language server has stopped',
      isError: true,
      leadsTo: 'restart',
    };
  if (server === 'resting')
    return {
      text: 'Nothing to check: no pool driver in this workspace',
      detail: 'No package.json and no open file of this workspace names one.',
    };
  if (server === 'starting') return { text: 'Starting', isBusy: true };
  if (status === undefined) return { text: 'Checking', isBusy: true };
  switch (status.kind) {
    case 'skipped':
      return skipped[status.because];
    case 'unparsable':
      return { text: `Not checked: syntax error (line ${status.line})`, detail: status.sentence };
    case 'failed':
      return {
        text: 'Not checked: Poolguard failed unexpectedly',
        detail: status.sentence,
        isError: true,
        leadsTo: 'log',
      };
    case 'checked':
      return checked(status);
  }
}

function checked({
  errors,
  warnings,
  aside,
}: Extract<FileStatus, { kind: 'checked' }>): StatusText {
  const counts = [count(errors, 'error'), count(warnings, 'warning')].filter(
    (part) => part !== undefined,
  );
  const text = counts.length === 0 ? 'No findings' : counts.join(', ');
  return {
    text,
    ...(aside.length === 0
      ? {}
      : { detail: `ESLint reports ${count(aside.length, 'rule') ?? ''} here` }),
    ...(counts.length === 0 ? {} : { leadsTo: 'problems' }),
  };
}

function count(amount: number, what: string): string | undefined {
  return amount === 0 ? undefined : `${amount} ${what}${amount === 1 ? '' : 's'}`;
}
