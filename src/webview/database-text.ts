import { html, type TemplateResult } from 'lit';
import { toShortText } from '../activity/plain-text.ts';

/** Characters of a statement in one line: what does not fit a wide screen is behind its fold. */
const longestLine = 300;

/** Characters of a sentence that a server had a part in. */
export const longestSentence = 2_000;

/** A name of the database in one line. It neither ends the line nor reorders what stands beside it. */
export function name(text: string): TemplateResult {
  return html`<bdi>${line(text)}</bdi>`;
}

/** Text of the database in one line, also for titles and labels. */
export function line(text: string, length = longestLine): string {
  // What is cut off below is not looked at: it may be a megabyte.
  return toShortText(text, length).trim();
}
