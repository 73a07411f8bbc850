import { redact } from '../../database/secret.ts';
import type { SweepEvent, SweepPlan } from '../../sweep/sweep-request.ts';

/** What is shown and saved holds no password. */
export function hideSecrets(event: SweepEvent): SweepEvent {
  switch (event.kind) {
    case 'plan':
      return { ...event, plan: hidePlan(event.plan) };
    case 'result': {
      const { application } = event.result;
      return {
        ...event,
        result: {
          ...event.result,
          application: {
            ...application,
            command: describeUrl(application.command),
            url: describeUrl(application.url),
          },
        },
      };
    }
    case 'progress':
      return { ...event, doing: describeUrl(event.doing) };
    case 'failed':
      return { ...event, sentence: describeUrl(event.sentence) };
    case 'cancelled':
      return event;
  }
}

function hidePlan(plan: SweepPlan): SweepPlan {
  return { ...plan, command: describeUrl(plan.command), url: describeUrl(plan.url) };
}

/** A text as it may be shown and saved: addresses in it without a password, and without the values of parameters that sound like secrets. */
function describeUrl(text: string): string {
  return redact(text, null).replace(
    /([?&](?=[^=?&#\s]*(?:token|key|secret|pass|auth|sign))[^=?&#\s]*=)[^&#\s]*/gi,
    '$1[hidden]',
  );
}
