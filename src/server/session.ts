import type {
  Connection,
  Disposable,
  ServerCapabilities,
  TextDocuments,
} from 'vscode-languageserver';
import type { Analyser } from '../lint/analyser.ts';
import type { Settings } from '../settings/settings.ts';
import type { Checks } from './checks.ts';
import type { ShownEvidence } from './evidence/shown-evidence.ts';
import type { Host } from './host.ts';
import type { Mistakes } from './mistakes.ts';
import type { OpenDocuments } from './open-documents.ts';
import type { Client } from './client.ts';
import type { Snapshot } from './snapshot.ts';

/** One editor being served: what every feature works with. */
export interface Session {
  readonly connection: Connection;
  readonly documents: TextDocuments<Snapshot>;
  readonly analyser: Analyser;
  readonly host: Host;
  readonly checks: Checks;
  readonly open: OpenDocuments;
  readonly mistakes: Mistakes;
  /** Of applications that run under watch. */
  readonly evidence: ShownEvidence;
  /** Known from `initialize` on. */
  readonly client: () => Client;
  settingsOf(uri: string): Promise<Settings>;
  /** Calls back when findings may be other ones although no document was edited: files on disk, settings, trust. */
  onStale(listener: () => void): Disposable;
  /** Does work that nobody waits for; its failure goes to the log, because an unhandled one would end the process. */
  inBackground(work: Promise<unknown>): void;
}

/** One thing that the server does for editors. */
export interface Feature {
  capabilities(client: Client): ServerCapabilities;
  register(session: Session): void;
}
