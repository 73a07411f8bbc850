// What esbuild is taught beside its options, one plugin each.
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namesUsed, typescriptParts } from './typescript-parts.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Writes a file as a whole, and only when it says something else: who runs it meanwhile sees the one or the other. */
async function writeChanged(path, contents) {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(contents)) return;
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.tmp`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

/** Writes a bundle, and under dist/metafiles/ what is in it: the notices and bills of materials are made of that. */
export const written = {
  name: 'written',
  setup: ({ initialOptions, onEnd }) => {
    Object.assign(initialOptions, { write: false, metafile: true });
    onEnd(async ({ outputFiles = [], metafile }) => {
      await Promise.all(
        outputFiles.map(({ path, contents }) => writeChanged(path, Buffer.from(contents))),
      );
      const name = initialOptions.outfile.replaceAll(/[\\/]/gu, '__');
      if (metafile !== undefined)
        await writeChanged(
          join(root, 'dist/metafiles', `${name}.json`),
          Buffer.from(JSON.stringify(metafile)),
        );
    });
  },
};

/** Lets the shell run the bundle by its shebang line. */
export const executable = {
  name: 'executable',
  setup: ({ initialOptions, onEnd }) =>
    onEnd(() => chmod(join(root, initialOptions.outfile), 0o755)),
};

/** PostgreSQL's parser, which its library looks for beside the bundle. */
export const withParser = {
  name: 'with-parser',
  setup: ({ initialOptions, onEnd }) =>
    onEnd(async () =>
      writeChanged(
        join(root, dirname(initialOptions.outfile), 'libpg-query.wasm'),
        await readFile(join(root, 'node_modules/libpg-query/wasm/libpg-query.wasm')),
      ),
    ),
};

/**
 * What a bundle that runs our rules only never comes to: ESLint's own rules, which comments in linted files may still name,
 * how the TypeScript parser finds projects for rules that ask for types, and what TypeScript does beside parsing.
 */
const idle = new Map([
  [/[\\/]eslint[\\/]lib[\\/]rules[\\/]index\.js$/, () => 'module.exports = new Map();'],
  [
    /[\\/]typescript-estree[\\/]dist[\\/]useProgramFromProjectService\.js$/,
    () => 'module.exports = {};',
  ],
  [
    /[\\/]typescript-estree[\\/]dist[\\/]parseSettings[\\/]resolveProjectList\.js$/,
    () => 'exports.resolveProjectList = () => new Map();',
  ],
  [/[\\/]typescript[\\/]lib[\\/]typescript\.js$/, () => typescriptParts(root)],
]);
export const withoutIdleCode = {
  name: 'without-idle-code',
  setup: (bundle) =>
    idle.forEach((read, filter) => bundle.onLoad({ filter }, () => ({ contents: read() }))),
};

/** oxc's parser, which what is published looks for beside itself. */
export const withOxc = {
  name: 'with-oxc',
  setup: ({ initialOptions, onResolve, onLoad, onEnd }) => {
    onResolve({ filter: /^oxc-parser\/src-js\/wrap$/ }, () => ({
      path: join(root, 'node_modules/oxc-parser/src-js/wrap.js'),
    }));
    onLoad({ filter: /[\\/]src[\\/]lint[\\/]oxc-file\.ts$/ }, () => ({
      resolveDir: root,
      contents: `import { readFileSync } from 'node:fs'; import { join } from 'node:path';
        export const readOxc = () => readFileSync(join(__dirname, 'oxc-parser.wasm'));`,
    }));
    onEnd(async () =>
      writeChanged(
        join(root, dirname(initialOptions.outfile), 'oxc-parser.wasm'),
        await readFile(join(root, 'node_modules/oxc-parser/parser.wasm32-wasip1.wasm')),
      ),
    );
  },
};

/** In a browser there is no file to read at the moment of need. */
export const withoutOxc = {
  name: 'without-oxc',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/]lint[\\/]oxc-parser\.ts$/ }, () => ({
      contents: 'export const createOxc = () => () => undefined;',
    })),
};

/** Packages that load slowly, in a bundle beside the one that imports them: each is loaded when something that it exports is used. An `import` of a package would be hoisted. */
export const lazyPackages = (filter, bundle) => ({
  name: 'lazy-packages',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'lazy' } : undefined,
    );
    onResolve({ filter: /./, namespace: 'lazy' }, () => ({ path: bundle, external: true }));
    onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({
      contents: `for (const name of ${JSON.stringify(exportsOf(path))})
        Object.defineProperty(exports, name, { enumerable: true, get: () => require('bundle')[${JSON.stringify(path)}][name] });`,
    }));
  },
});

function exportsOf(path) {
  const names = Object.keys(createRequire(import.meta.url)(path));
  const isUsed = path === 'typescript' ? namesUsed(root) : new Set(names);
  return names.filter((name) => name !== 'default' && isUsed.has(name));
}

/** Leaves to bundles of their own what is imported when it is needed: a pattern of the module and the path of its bundle each. */
export const partsApart = (parts) => ({
  name: 'parts-apart',
  setup: (bundle) =>
    parts.forEach(([filter, path]) =>
      bundle.onResolve({ filter }, ({ kind }) =>
        kind === 'dynamic-import' ? { path, external: true } : undefined,
      ),
    ),
});
