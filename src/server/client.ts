import type { ClientCapabilities } from 'vscode-languageserver';
import type { HostFacts } from './asked.ts';

/** What the client says about itself. */
export interface Client {
  /** Absolute paths of the workspace folders that are files on this machine. */
  readonly folders: readonly string[];
  readonly can: ClientCapabilities;
  readonly facts: HostFacts;
}
