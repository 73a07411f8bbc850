import { performance } from 'node:perf_hooks';
import { window } from 'vscode';
import { aborted } from '../../ownership/aborted.ts';
import { toPlainText } from '../../activity/plain-text.ts';
import { views } from '../../contributions.ts';
import type { DatabaseFailure } from '../../database/failure-row.ts';
import type { ConnectionFacts } from '../../database/measure-connection.ts';
import { describeTarget, withTls, type TlsChoice } from '../../database/target.ts';
import type { OpenConnection } from '../activity/live-connection.ts';
import { askForPassword } from './ask-for-target.ts';
import { describeTls } from './connection-row.ts';
import { plainMessage } from './plain-labels.ts';

/**
 * Opens and closes one connection, so that a mistyped address is not kept. When that fails it says why and offers what may help:
 * another TLS choice, the password, another try. Gives back what worked in the end; undefined when the user gave up, or the signal aborts.
 */
export async function tryConnection(
  open: OpenConnection,
  signal: AbortSignal,
): Promise<OpenConnection | undefined> {
  let attempt: OpenConnection | undefined = open;
  while (attempt !== undefined && !signal.aborted) {
    const answer = await measure(attempt, signal);
    if (signal.aborted) return undefined;
    if (answer.kind === 'facts') return attempt;
    attempt = await Promise.race([askWhatHelps(attempt, answer.failure), aborted(signal)]);
  }
  return undefined;
}

/** Says what a connection is like, and leaves none open. */
export async function testConnection(name: string, open: OpenConnection): Promise<void> {
  const answer = await measure(open);
  if (answer.kind === 'facts')
    void window.showInformationMessage(plainMessage(describeFacts(name, open, answer.facts)));
  else void window.showErrorMessage(plainMessage(answer.failure.sentence));
}

function describeFacts(
  name: string,
  { target }: OpenConnection,
  { version, roundTripMs, isPooled }: ConnectionFacts,
): string {
  const trip = `${roundTripMs < 10 ? roundTripMs.toFixed(1) : roundTripMs.toFixed(0)} ms ${isPooled ? 'for a transaction' : 'for a round trip'}`;
  return toPlainText(
    `${name}: PostgreSQL ${version}, ${trip}, ${describeTls(target)}, ${isPooled ? 'through a pooler' : 'no pooler'}.`,
  );
}

async function measure({ target, secret }: OpenConnection, signal?: AbortSignal) {
  const { connectSession, measureConnection } = await import('../driver.ts');
  return window.withProgress({ location: { viewId: views.connections } }, async () => {
    const answer = await connectSession(target, secret, signal && { signal });
    if (answer.kind === 'failed') return answer;
    const measured = await measureConnection(answer.session, () => performance.now());
    await answer.session.close();
    return measured;
  });
}

const tlsOffers: Readonly<Record<TlsChoice, string>> = {
  off: 'Connect without TLS',
  verify: 'Connect with TLS',
  'no-verify': 'Encrypt without verifying the certificate',
};
const enterPassword = 'Enter the password…';
const tryAgain = 'Try again';

/** Undefined when the user lets it be. */
async function askWhatHelps(
  open: OpenConnection,
  { kind, sentence, otherTls }: DatabaseFailure,
): Promise<OpenConnection | undefined> {
  const offer = otherTls === undefined ? undefined : tlsOffers[otherTls];
  const answer = await window.showErrorMessage(
    plainMessage(sentence),
    ...(offer === undefined ? [kind === 'wrong-password' ? enterPassword : tryAgain] : [offer]),
  );
  if (answer === undefined) return undefined;
  if (answer === enterPassword) {
    const secret = await askForPassword(
      'Password',
      plainMessage(`The password of ${describeTarget(open.target)}.`),
    );
    return secret === undefined ? undefined : { ...open, secret };
  }
  return otherTls === undefined ? open : { ...open, target: withTls(open.target, otherTls) };
}
