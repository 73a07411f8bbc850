import { expect, test } from 'vitest';
import { fileOfPlace } from '../../../../src/editor/running/file-of-place.ts';

test('a path of this machine is a file, without its detours', () => {
  expect(fileOfPlace('/home/anna/shop/src/orders.ts')).toBe('/home/anna/shop/src/orders.ts');
  expect(fileOfPlace('/home/anna/shop/../../../etc/passwd')).toBe('/etc/passwd');
});

test.each([
  '',
  'src/orders.ts',
  '../orders.ts',
  'file:///etc/passwd',
  'https://example.com/x.ts',
  'command:workbench.action.quit',
  'vscode://file/etc',
  'webpack://shop/src/orders.ts',
  'node:internal/process',
  '//host/share/orders.ts',
  '\\\\host\\share\\orders.ts',
  '/home/anna\0/orders.ts',
  'javascript:alert(1)',
])('%j is none', (file) => {
  expect(fileOfPlace(file)).toBeUndefined();
});
