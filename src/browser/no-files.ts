import type * as fs from 'node:fs';

// Stands for node:fs in a browser: there are no files.

type Files = typeof fs;

export const statSync = (() => undefined) as unknown as Files['statSync'];
export const readdirSync = noFile as unknown as Files['readdirSync'];
export const realpathSync = noFile as unknown as Files['realpathSync'];
export const lstatSync: Files['lstatSync'] = noFile;
export const openSync: Files['openSync'] = noFile;
export const fstatSync: Files['fstatSync'] = noFile;
export const readSync: Files['readSync'] = noFile;
export const closeSync: Files['closeSync'] = noFile;
export const constants = {} as Files['constants'];

function noFile(): never {
  throw new Error('There are no files in a browser.');
}
