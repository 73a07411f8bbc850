import type { Feature } from './session.ts';
import { answer } from './answer.ts';
import { InDocument } from './asked.ts';
import { fileStatus } from './protocol.ts';

/** Answers how a document was checked. */
export const fileStatusFeature: Feature = {
  capabilities: () => ({}),
  register({ connection, documents, checks }) {
    answer(connection, fileStatus, InDocument, async ({ uri }) => {
      const snapshot = documents.get(uri);
      return snapshot === undefined
        ? { kind: 'skipped', because: 'not open' }
        : (await checks.of(snapshot)).status;
    });
  },
};
