import {
  Hover,
  MarkdownString,
  languages,
  type HoverProvider,
  type Position,
  type TextDocument,
} from 'vscode';
import { activityCommands } from '../../contributions.ts';
import type { CodeIndex } from '../code-index.ts';
import { ruleOf } from '../findings/foreign-findings.ts';
import { liveText } from './live-text.ts';

/** Adds to the hover of a finding, ours or ESLint's, which sessions of the connected server are there now. */
export class LiveHover implements HoverProvider {
  readonly #index: CodeIndex;
  readonly #now: () => number;

  constructor(index: CodeIndex, now: () => number = Date.now) {
    this.#index = index;
    this.#now = now;
  }

  provideHover(document: TextDocument, position: Position): Hover | undefined {
    const { code, seen } = this.#index;
    if (code === undefined || seen === undefined) return undefined;
    const uri = document.uri.toString();
    const here = languages
      .getDiagnostics(document.uri)
      .filter(({ range }) => range.contains(position));
    // What an application tells of its own client beats what the text of a statement lets us guess.
    const told = here.flatMap((diagnostic) => this.#index.backendsOf?.(diagnostic, seen) ?? []);
    const texts = here.flatMap((diagnostic) => {
      const rule = ruleOf(diagnostic);
      return (
        (rule &&
          liveText(
            { uri, rule, line: diagnostic.range.start.line + 1 },
            code,
            seen,
            this.#now(),
          )) ??
        []
      );
    });
    const shown = told.length > 0 ? told : [...new Set(texts)].map(toMarkdown);
    return shown.length === 0 ? undefined : new Hover(shown);
  }
}

/** The text has words and numbers of ours only, nothing that Markdown could take for something else. */
function toMarkdown(text: string): MarkdownString {
  const markdown = new MarkdownString(
    `${text} [Show sessions](command:${activityCommands.openSessions})`,
  );
  markdown.isTrusted = { enabledCommands: [activityCommands.openSessions] };
  return markdown;
}
