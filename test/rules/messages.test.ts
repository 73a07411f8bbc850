import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { imperative } from '../support/message-style.ts';

const root = join(import.meta.dirname, '../..');
const tests = sourcesIn(import.meta.dirname, '.test.ts');
/** What says message ids: judgements, and the data they read. */
const judgements = ['rules/checks', 'rules/fixes', 'rules/model']
  .map((folder) => sourcesIn(join(root, folder), '.ts'))
  .join('\n');

function sourcesIn(folder: string, ending: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith(ending),
  );
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

describe.each(Object.entries(plugin.rules))('%s', (_id, { meta }) => {
  const messages = Object.entries(meta.messages ?? {});

  test.each(messages)('%s is a sentence with a full stop', (_messageId, text) => {
    expect(text).toMatch(/\.$/u);
    expect(text.replaceAll(/\{\{\w+\}\}/gu, '').replace(/`[^`]*`/gu, '')).not.toMatch(/\{\{|\}\}/u);
  });

  test.each(messages)(
    '%s is what some judgement says, and some test asks for',
    (messageId, text) => {
      const word = new RegExp(`\\b${messageId}\\b`, 'u');
      expect(word.test(judgements), `nothing in rules/ says ${messageId}`).toBe(true);
      // What a suggestion offers is asked for by the code that it leaves.
      if (imperative.test(text)) return;
      expect(word.test(tests), `no test under test/rules asks for ${messageId}`).toBe(true);
    },
  );
});
