import type { Disposable, ExtensionContext, LogOutputChannel } from 'vscode';
import type { CodeIndex } from '../code-index.ts';
import type { LiveFigures } from '../live-figures.ts';
import type { LanguageServer } from './language-server.ts';

/** What the parts of the editor that show findings work with. */
export interface Findings {
  readonly context: ExtensionContext;
  readonly channel: LogOutputChannel;
  /** Not started before a pool driver has come in sight. */
  readonly server: LanguageServer;
  /** Of the connected server. */
  readonly figures: LiveFigures;
  /** Written here, for the sessions that the sidebar's side sees. */
  readonly code: CodeIndex;
}

/** Something that the editor shows or offers beside the underlined code. */
export type Part = (findings: Findings) => Disposable;
