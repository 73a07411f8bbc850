import { expect, test } from 'vitest';
import {
  isElsewhere,
  isOnThisMachine,
  pathOfDocument,
  pathOfUri,
  uriOfPath,
} from '../../../src/server/path-of-document.ts';

test.each([
  'vscode-vfs://github/shop/api/src/orders.ts',
  'memfs:/src/a%20b.ts',
  'memfs://user@host/src/orders.ts',
  'file:///home/me/a%20b/%5Bid%5D.ts',
])('%s has a path that leads back to it', (uri) => {
  const path = pathOfUri(uri) ?? '';
  expect(path.endsWith('.ts')).toBe(true);
  expect(uriOfPath(path)).toBe(uri);
});

test('the path of a file elsewhere is none of this machine, wherever its uri leads', () => {
  for (const uri of [
    'memfs:/etc/passwd',
    'memfs:/../../etc/passwd',
    'memfs://../../etc/passwd',
    'memfs://h/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  ]) {
    expect(isElsewhere(pathOfUri(uri) ?? '')).toBe(true);
    expect(isOnThisMachine(uri)).toBe(false);
  }
});

test('a document that was never saved gets a name in its folder, and none of another one', () => {
  expect(pathOfUri('untitled:Untitled-1')).toBeUndefined();
  expect(
    pathOfDocument({ uri: 'untitled:Untitled-1', languageId: 'typescriptreact' }, '/shop'),
  ).toBe('/shop/Untitled-1.tsx');
  expect(pathOfDocument({ uri: 'untitled:Untitled-2', languageId: 'javascript' }, undefined)).toBe(
    '/Untitled-2.js',
  );
});

test('what is no uri has no path', () => {
  expect(pathOfUri('no uri')).toBeUndefined();
  expect(isOnThisMachine('')).toBe(false);
});
