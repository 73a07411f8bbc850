import { transform } from 'esbuild';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createSourceFinder } from '../../../monitor/watch/source-maps.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const source =
  'interface Order {\n  readonly id: number;\n}\n\nexport const find = (order: Order): never => {\n  throw new Error(`no ${order.id}`);\n};\n';

/** Where `throw` is in what runs, which the source has in line 6. */
async function compile(sourcemap: 'inline' | 'external') {
  const { code, map } = await transform(source, {
    loader: 'ts',
    sourcefile: '../src/find order.ts',
    sourcemap,
    minifyWhitespace: true,
  });
  const before = code.slice(0, code.indexOf('throw'));
  return {
    code,
    map,
    line: before.split('\n').length,
    column: before.length - before.lastIndexOf('\n'),
  };
}

test('a map inside of the file is read, whether a path or a URL names it', async () => {
  const { code, line, column } = await compile('inline');
  await using folder = await createTemporaryFolder({ 'dist/find.js': code });
  const file = join(folder.path, 'dist/find.js');
  const place = { file: join(folder.path, 'src/find order.ts'), line: 6, column: 3 };
  const find = createSourceFinder();
  expect(find(file, line, column)).toEqual(place);
  expect(find(`${pathToFileURL(file).href}?reload=1`, line, column)).toEqual(place);
});

test('a map beside the file is read, once', async () => {
  const { code, map, line, column } = await compile('external');
  await using folder = await createTemporaryFolder({
    'dist/find.js': `${code}//# sourceMappingURL=find%20it.js.map\n`,
    'dist/find it.js.map': map,
  });
  const find = createSourceFinder();
  const file = join(folder.path, 'dist/find.js');
  expect(find(file, line, column)).toMatchObject({ line: 6 });
  await folder.write({ 'dist/find it.js.map': '{}' });
  expect(find(file, line, column)).toMatchObject({ line: 6 });
});

test.each([
  '',
  '//# sourceMappingURL=gone.js.map',
  '//# sourceMappingURL=data:application/json,{',
  '//# sourceMappingURL=https://example.com/find.js.map',
])('without a map that can be read there is no other place: %s', async (comment) => {
  await using folder = await createTemporaryFolder({ 'find.js': `throw 1;\n${comment}\n` });
  expect(createSourceFinder()(join(folder.path, 'find.js'), 1, 1)).toBeNull();
  expect(createSourceFinder()('node:internal/timers', 1, 1)).toBeNull();
});
