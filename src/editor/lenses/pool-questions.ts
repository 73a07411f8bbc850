import { workspace, type TextDocument } from 'vscode';
import type { PoolOptionValues } from '../../server/asked.ts';
import {
  declaredPools,
  poolEdits,
  poolsInDocument,
  type DeclaredPools,
  type PoolDeclaration,
  type PoolEdits,
  type Question,
} from '../../server/protocol.ts';
import type { Findings } from '../findings/part.ts';
import { ask } from '../findings/talk.ts';
import { isSameRange, type PoolPlace } from './pool-place.ts';

export interface FoundPool {
  readonly document: TextDocument;
  readonly pool: PoolDeclaration;
}

/** What the language server knows of pools; nothing while it is not running. */
export interface PoolQuestions {
  poolsIn(document: TextDocument): Promise<readonly PoolDeclaration[]>;
  declared(): Promise<DeclaredPools | undefined>;
  /** The pool of an open document that is made exactly there. */
  poolAt(place: PoolPlace): Promise<FoundPool | undefined>;
  /** Undefined where they cannot be written safely. */
  edits(found: FoundPool, values: PoolOptionValues): Promise<PoolEdits | undefined>;
}

export function createPoolQuestions({
  server,
  channel,
}: Pick<Findings, 'server' | 'channel'>): PoolQuestions {
  const uriOf = ({ uri }: TextDocument) => uri.toString();
  const asked = async <Asked, Answer>(
    question: Question<Asked, Answer>,
    what: Asked,
  ): Promise<Answer | undefined> => {
    try {
      return await ask(server, question, what);
    } catch (failure) {
      channel.warn(`The language server did not answer ${question.method}: ${String(failure)}`);
      return undefined;
    }
  };
  const poolsIn = async (document: TextDocument) =>
    (await asked(poolsInDocument, { uri: uriOf(document) })) ?? [];
  return {
    poolsIn,
    declared: () => asked(declaredPools, null),
    async poolAt({ uri, range }) {
      const document = workspace.textDocuments.find((each) => each.uri.toString() === uri);
      const pool =
        document && (await poolsIn(document)).find((each) => isSameRange(each.range, range));
      return document && pool && { document, pool };
    },
    edits: async ({ document, pool: { range } }, values) =>
      (await asked(poolEdits, { uri: uriOf(document), range, values })) ?? undefined,
  };
}
