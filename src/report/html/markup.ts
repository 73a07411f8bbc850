import { toPlainLines } from '../../activity/plain-text.ts';
import { escapeHidden } from '../../text/hidden.ts';

/** Text that is HTML already. Everything else that meets a template is escaped. */
export interface Markup {
  readonly html: string;
}

export type Value = string | number | Markup | readonly (Markup | null)[] | null;

/** Tag for HTML templates: interpolated text is escaped for content and for quoted attributes; null is nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return {
    html: parts.reduce((text, part, index) => text + toHtml(values[index - 1] ?? null) + part),
  };
}

/** Wraps text that is HTML, CSS or a script by its making. */
export function trusted(text: string): Markup {
  return { html: text };
}

/** A sentence whose parts in backticks are code, as messages write them. */
export function prose(text: string): Markup {
  return { html: escape(text).replace(/`([^`\n]+)`/gu, '<code>$1</code>') };
}

function toHtml(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escape(value);
  if ('html' in value) return value.html;
  return value.map((each) => each?.html ?? '').join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What hides or disguises text is shown as `\u202e`, in letters: of a reference to it a browser would make the character again. */
function escape(text: string): string {
  return toPlainLines(escapeHidden(text)).replace(
    /[&<>"']/gu,
    (character) => entities[character] ?? '',
  );
}
