import type * as fs from 'node:fs';

// Stands for node:fs in a browser: there are no files.

type WithoutFiles = Pick<typeof fs, 'readdirSync' | 'readFileSync' | 'realpathSync' | 'statSync'>;

export const statSync = (() => undefined) as unknown as WithoutFiles['statSync'];
export const readFileSync = noFile as WithoutFiles['readFileSync'];
export const readdirSync = noFile as unknown as WithoutFiles['readdirSync'];
export const realpathSync = noFile as unknown as WithoutFiles['realpathSync'];

function noFile(): never {
  throw new Error('There are no files in a browser.');
}
