import { toPlainText } from '../../activity/plain-text.ts';
import type { SizeResult } from '../../probe/result.ts';
import { toJson } from '../../text/to-json.ts';
import type { ProbeState } from '../../webview/to-view.ts';

/** How a probe ended, for a language model: words first, then the numbers. */
export function probeText(state: ProbeState): string {
  switch (state.kind) {
    case 'result':
      return resultText(state.result);
    case 'failed':
      return `The probe did not run: ${toPlainText(state.sentence)}`;
    case 'cancelled':
    case 'idle':
      return 'The probe was cancelled. Its connections are closed.';
    case 'planned':
      return 'A probe is waiting for the user to confirm its plan.';
    case 'running':
    case 'cancelling':
      return 'A probe is already running.';
  }
}

function resultText({
  verdict,
  recommendation,
  sizes,
  notes,
  cap,
  workload,
  server,
}: SizeResult): string {
  const answer =
    recommendation === null
      ? 'No size is recommended.'
      : `Recommended: max: ${recommendation.max} (between ${recommendation.interval.join(' and ')}, confidence ${Math.round(recommendation.confidence * 100)} %), limited by ${recommendation.limitedBy}.`;
  return [
    toPlainText(`${answer} ${verdict.because}`),
    toPlainText(`Largest size that could be tried: ${cap.size}. ${cap.because}`),
    `Modelled for ${workload.statements.map(({ text }) => toJson(toPlainText(text))).join(', ')} on PostgreSQL ${toPlainText(server.version)}:`,
    ...sizes.map(
      ({ size, throughput, low, high, meanMs }) =>
        `  max ${size}: ${Math.round(throughput)} statements/s (${Math.round(low)}–${Math.round(high)}), ${meanMs.toFixed(2)} ms each`,
    ),
    ...notes.map(toPlainText),
  ].join('\n');
}
