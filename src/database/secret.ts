import { toPlainText } from '../activity/plain-text.ts';

const hidden = '[hidden]';

/** A password. Printing, logging, inspecting or serialising it shows `[hidden]`; only `reveal()` gives the text. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return hidden;
  }
}

/**
 * `text` without the secret, its percent-encoded form, and anything that looks like the password of a URL or DSN.
 * For text of the driver or the server, which may repeat the connection string.
 */
export function redact(text: string, secret: Secret | null): string {
  const password = secret?.reveal() ?? '';
  const spellings = password === '' ? [] : [password, encodeURIComponent(password)];
  return spellings
    .reduce((rest, spelling) => rest.replaceAll(spelling, hidden), text)
    .replace(/(?<![^\s@])[^\s@]+@/g, (beforeAt) =>
      beforeAt.replace(/(:\/\/[^\s:/@]*:)[^][^]+/, `$1${hidden}@`),
    )
    .replace(/\b(password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&]+)/gi, `$1${hidden}`);
}

/** The stack of an error for a bug report: secrets redacted, safe to print. */
export function stackOf(error: unknown): string {
  return redact(error instanceof Error ? (error.stack ?? error.message) : String(error), null)
    .split('\n')
    .map(toPlainText)
    .join('\n');
}
