import type { Connection, DocumentUri, Range, TextEdit, WorkspaceFullDocumentDiagnosticReport } from 'vscode-languageserver';

/** A question of the editor beyond the protocol: its name, and the shapes of what is asked and answered. */
export interface Question<Asked, Answer> {
  readonly method: `poolguard/${string}`;
  readonly shapes?: (asked: Asked) => Answer;
}

/** Something the editor tells without waiting for an answer. */
export interface Message<Told> {
  readonly method: `poolguard/${string}`;
  readonly shape?: (told: Told) => void;
}

/** Answers a question in the server. */
export function answer<Asked, Answer>(connection: Connection, { method }: Question<Asked, Answer>, reply: (asked: Asked) => Answer | Promise<Answer>): void {
  connection.onRequest(method, async (asked: Asked): Promise<unknown> => reply(asked));
}

/** What only the editor knows; sent with `initialize` as its options, and again as a notification when it changes. */
export interface HostFacts {
  /** Whether code and configuration of the workspace may run. Editors that say nothing are not trusted. */
  readonly isTrusted: boolean;
  /** Whether an extension is there that shows what ESLint, or oxlint, reports. */
  readonly showsEslint: boolean;
  /** Whether the editor asks for a check of the workspace when its user wants one, and never by itself. */
  readonly checksWorkspaceOnDemand: boolean;
}

export const hostChanged: Message<HostFacts> = { method: 'poolguard/hostChanged' };

/** How one document was checked, or why it was not. */
export type FileStatus =
  | {
      readonly kind: 'checked';
      readonly errors: number;
      readonly warnings: number;
      /** Rules that ESLint or oxlint reports in this file, so that ours stepped aside. */
      readonly aside: readonly string[];
    }
  | { readonly kind: 'unparsable'; readonly sentence: string }
  | { readonly kind: 'skipped'; readonly because: SkipReason };

/** Off in the settings, named by an exclude pattern, in a package without a pool driver, without a word of a pool, too large, or not open. */
export type SkipReason = 'off' | 'excluded' | 'no driver' | 'no pool' | 'too large' | 'not open';

/** For the editor's language status. */
export const fileStatus: Question<{ readonly uri: DocumentUri }, FileStatus> = { method: 'poolguard/fileStatus' };

/** Lines on which a client is held, for the bar beside them. */
export interface HeldLines {
  /** "client of pool, held from line 12 to line 20" */
  readonly label: string;
  readonly ranges: readonly Range[];
  /** Whether it is lost on some path. */
  readonly isLeaked: boolean;
}

export const heldLines: Question<{ readonly uri: DocumentUri }, readonly HeldLines[]> = { method: 'poolguard/heldLines' };

/** A pool that the code makes, as lenses tell it. */
export interface PoolDeclaration {
  readonly uri: DocumentUri;
  readonly range: Range;
  readonly name: string | undefined;
  /** Undefined when the code does not tell. */
  readonly max: number | undefined;
  /** Whether nobody wrote it down. */
  readonly isMaxDefault: boolean;
}

/** The pools of all checked folders, found anew when files have changed. */
export const declaredPools: Question<null, readonly PoolDeclaration[]> = { method: 'poolguard/declaredPools' };

/** Options of a pool that can be written into the code. */
export interface PoolOptionValues {
  readonly max?: number;
  readonly connectionTimeoutMillis?: number;
  readonly idleTimeoutMillis?: number;
}

/** The edits that write options into the pool made at `range`; null when that cannot be done safely. */
export const poolEdits: Question<{ readonly uri: DocumentUri; readonly range: Range; readonly values: PoolOptionValues }, readonly TextEdit[] | null> = { method: 'poolguard/poolEdits' };

/** Looks again at files that need not be open, at once and in full: those without findings are answered, too. */
export const checkFiles: Question<{ readonly uris: readonly DocumentUri[] }, readonly WorkspaceFullDocumentDiagnosticReport[]> = { method: 'poolguard/checkFiles' };
