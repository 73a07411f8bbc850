import type {
  Connection,
  DocumentUri,
  Range,
  TextEdit,
  WorkspaceFullDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { stackOf } from '../database/secret.ts';
import type { Evidence } from '../running/evidence.ts';
import type { CodeFacts } from '../linking/linked-code.ts';
import type { SetupAnswer, SetupFacts } from '../lint/setup/setup-answer.ts';

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

/** Answers a question in the server. The editor goes on without an answer that fails, so that the log tells where. */
export function answer<Asked, Answer>(
  connection: Connection,
  { method }: Question<Asked, Answer>,
  reply: (asked: Asked) => Answer | Promise<Answer>,
): void {
  connection.onRequest(method, async (asked: Asked): Promise<unknown> => {
    try {
      return await reply(asked);
    } catch (failure) {
      connection.console.error(`${method}: ${stackOf(failure)}`);
      throw failure;
    }
  });
}

/** What only the editor knows; sent with `initialize` as its options, and again as a notification when it changes. */
export interface HostFacts {
  /** Whether code and configuration of the workspace may run. Editors that say nothing are not trusted. */
  readonly isTrusted: boolean;
  /** Whether the editor shows what ESLint reports, by whatever means. What oxlint reports is no matter of ESLint's configuration. */
  readonly showsEslint: boolean;
  /** Addresses of workspace folders in which it does not. */
  readonly foldersWithoutEslint: readonly DocumentUri[];
  /** Whether the editor is ours: it has the command that shows the path of a client, and hears our messages. */
  readonly showsPaths: boolean;
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
  | { readonly kind: 'unparsable'; readonly sentence: string; /** From 1. */ readonly line: number }
  /** By a mistake of Poolguard itself; the log has where. */
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'skipped'; readonly because: SkipReason };

/** Off in the settings, named by an exclude pattern, in a package without a pool driver, without a word of a pool, too large, or not open. */
export type SkipReason = 'off' | 'excluded' | 'no driver' | 'no pool' | 'too large' | 'not open';

/** For the editor's language status. */
export const fileStatus: Question<{ readonly uri: DocumentUri }, FileStatus> = {
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
export const heldLines: Question<{ readonly uri: DocumentUri }, readonly HeldLines[] | null> = {
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
export const declaredPools: Question<null, DeclaredPools> = { method: 'poolguard/declaredPools' };

/** The pools of an open document. */
export const poolsInDocument: Question<{ readonly uri: DocumentUri }, readonly PoolDeclaration[]> =
  { method: 'poolguard/poolsInDocument' };

/** Options of a pool that can be written into the code. */
export interface PoolOptionValues {
  readonly max?: number;
  readonly connectionTimeoutMillis?: number;
  readonly idleTimeoutMillis?: number;
}

/** Edits of one version of a document. */
export interface PoolEdits {
  readonly version: number;
  readonly edits: readonly TextEdit[];
}

/** The edits that write options into the pool made at `range`; null when that cannot be done safely. */
export const poolEdits: Question<
  { readonly uri: DocumentUri; readonly range: Range; readonly values: PoolOptionValues },
  PoolEdits | null
> = { method: 'poolguard/poolEdits' };

/** What to write into a configuration of ESLint or oxlint so that it runs our plugin. */
export const lintSetup: Question<SetupFacts, SetupAnswer> = { method: 'poolguard/lintSetup' };

/** Looks again at files that need not be open, at once and in full: those without findings are answered, too. */
export const checkFiles: Question<
  { readonly uris: readonly DocumentUri[] },
  readonly WorkspaceFullDocumentDiagnosticReport[]
> = { method: 'poolguard/checkFiles' };

/** Where the workspace writes statements and makes pools, to link the sessions of a server with it: files that changed are read anew, what is typed counts. */
export const codeFacts: Question<null, CodeFacts> = { method: 'poolguard/codeFacts' };

/** What was seen at run time, all of it: what was told before and is missing is over. The editor had it from applications, so nothing of it is taken on trust. */
export const runningEvidence: Message<readonly Evidence[]> = { method: 'poolguard/evidence' };
