import type { EndingOutcome, EndingRequest } from '../activity/ending-words.ts';
import { rest } from '../ownership/rest.ts';
import { connectSession } from './connect.ts';
import { endSession } from './end-session.ts';
import type { Secret } from './secret.ts';
import type { DatabaseSession } from './session.ts';
import type { ConnectionTarget } from './target.ts';

/**
 * Ends a session through the connection that watches: on a server without a free place there is no other.
 * Where none is open, or it breaks, one is opened for this and closed again; behind a pooler too, where the sample itself may be queued.
 */
export async function endThrough(
  watching: DatabaseSession | undefined,
  { target, secret }: { readonly target: ConnectionTarget; readonly secret: Secret | null },
  request: EndingRequest,
  signal: AbortSignal,
): Promise<EndingOutcome> {
  // Whoever was told to end asks once more, and hears that the connection is closed.
  const sleep = (milliseconds: number) => rest(milliseconds, signal);
  const isWatching = watching !== undefined && !watching.isLost && !watching.isPooled;
  if (isWatching) {
    const outcome = await endSession(watching, request, sleep);
    // Closed meanwhile, by a pause or by the network. To ask again is safe: only the very same backend is signalled.
    if (
      outcome.kind !== 'failed' ||
      (outcome.failure.kind !== 'lost' && outcome.failure.kind !== 'cancelled')
    )
      return outcome;
  }
  const answer = await connectSession(target, secret, { signal });
  if (answer.kind === 'failed') return answer;
  try {
    const outcome = await endSession(answer.session, request, sleep);
    // The first one that was asked may have ended it.
    return isWatching && outcome.kind === 'gone' ? { kind: 'ended' } : outcome;
  } finally {
    await answer.session.close();
  }
}
