import type {
  DocumentUri,
  Range,
  TextEdit,
  WorkspaceFullDocumentDiagnosticReport,
} from 'vscode-languageserver';
import type { Evidence } from '../running/evidence.ts';
import type { CodeFacts } from '../linking/linked-code.ts';
import type { SetupAnswer, SetupFacts } from '../lint/setup/setup-answer.ts';
import type { Files, HostFacts, InDocument, PoolChange } from './asked.ts';

/** A question of the editor beyond the protocol: its name, and the shapes of what is asked and answered. */
export interface Question<Asked, Answer> {
  readonly method: `poolguard/${string}`;
  readonly shapes?: (asked: Asked) => Answer;
}

/** Something that is told without waiting for an answer. */
export interface Message<Told> {
  readonly method: `poolguard/${string}`;
  readonly shape?: (told: Told) => void;
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
  | { readonly kind: 'unparsable'; readonly sentence: string; /** From 1. */ readonly line: number }
  /** By a mistake of Poolguard itself; the log has where. */
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'skipped'; readonly because: SkipReason };

/** Off in the settings, named by an exclude pattern, in a package without a pool driver, without a word of a pool, too large, or not open. */
export type SkipReason = 'off' | 'excluded' | 'no driver' | 'no pool' | 'too large' | 'not open';

/** For the editor's language status. */
export const fileStatus: Question<InDocument, FileStatus> = {
  method: 'poolguard/fileStatus',
};

/** Lines on which a client is held, for the bar beside them. */
export interface HeldLines {
  /** Whole lines. */
  readonly ranges: readonly Range[];
  /** Whether it is lost on some path. */
  readonly isLeaked: boolean;
}

/** Null while the text does not parse: what is shown stays until it does again. */
export const heldLines: Question<InDocument, readonly HeldLines[] | null> = {
  method: 'poolguard/heldLines',
};

/** Told by the server: answers may be other ones although no document was edited. */
export const checksStale: Message<null> = { method: 'poolguard/checksStale' };

/** A pool that the code makes, as lenses tell it. Numbers are undefined when the code does not tell them. */
export interface PoolDeclaration {
  readonly uri: DocumentUri;
  /** The `new` expression. */
  readonly range: Range;
  readonly name: string | undefined;
  readonly max: number | undefined;
  /** Whether nobody wrote it down. */
  readonly isMaxDefault: boolean;
  /** What `max` comes from when it is set: `POOL_MAX`. */
  readonly variable: string | undefined;
  readonly connectionTimeoutMillis: number | undefined;
  readonly idleTimeoutMillis: number | undefined;
  /** Whether the file is one of a test, a script or a migration: its pools are not those of the service. */
  readonly isAside: boolean;
  /** Whether its options can be written into the code. */
  readonly isWritable: boolean;
}

export interface DeclaredPools {
  readonly pools: readonly PoolDeclaration[];
  /** Whether the folders hold more files than were looked at. */
  readonly isCut: boolean;
}

/** The pools of all folders, found anew when files have changed. */
export const declaredPools: Question<null, DeclaredPools> = {
  method: 'poolguard/declaredPools',
};

/** The pools of an open document. */
export const poolsInDocument: Question<InDocument, readonly PoolDeclaration[]> = {
  method: 'poolguard/poolsInDocument',
};

/** Edits of one version of a document. */
export interface PoolEdits {
  readonly version: number;
  readonly edits: readonly TextEdit[];
}

/** The edits that write options into the pool made at `range`; null when that cannot be done safely. */
export const poolEdits: Question<PoolChange, PoolEdits | null> = {
  method: 'poolguard/poolEdits',
};

/** What to write into a configuration of ESLint or oxlint so that it runs our plugin. */
export const lintSetup: Question<SetupFacts, SetupAnswer> = {
  method: 'poolguard/lintSetup',
};

/** Looks again at files that need not be open, at once and in full: those without findings are answered, too. */
export const checkFiles: Question<Files, readonly WorkspaceFullDocumentDiagnosticReport[]> = {
  method: 'poolguard/checkFiles',
};

/** Where the workspace writes statements and makes pools, to link the sessions of a server with it: files that changed are read anew, what is typed counts. */
export const codeFacts: Question<null, CodeFacts> = {
  method: 'poolguard/codeFacts',
};

/** What was seen at run time, all of it: what was told before and is missing is over. The editor had it from applications, so nothing of it is taken on trust. */
export const runningEvidence: Message<readonly Evidence[]> = { method: 'poolguard/evidence' };
