// TypeScript for a bundle that parses only: its one file as a module of which a bundler keeps what is used.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What asks TypeScript for something in a bundle that parses only. */
const users = [
  'node_modules/@typescript-eslint/typescript-estree/dist',
  'node_modules/@typescript-eslint/parser/dist',
  'node_modules/ts-api-utils/lib',
  'src/lint',
];
/** What only a parser comes to that looks for projects. */
const forProjects = new Set([
  'createProgram',
  'createWatchCompilerHost',
  'createAbstractBuilder',
  'createWatchProgram',
  'createCompilerHost',
  'readConfigFile',
]);
/** The language service, to which the compiler never comes; the first two files of it make the nodes of a tree. */
const service =
  /^\/\/ src\/(?:services\/(?!(?:services|utilities)\.ts)|server\/|jsTyping\/|typingsInstallerCore\/|deprecatedCompat\/)/;
const begin = 'module.exports = __toCommonJS(typescript_exports);';
const end = '// Annotate the CommonJS export names';

/** @param root The repository. */
export function typescriptParts(root) {
  const text = readFileSync(join(root, 'node_modules/typescript/lib/typescript.js'), 'utf8');
  const [head, rest] = split(text, begin);
  const [body] = split(rest, end);
  const exported = new Map(
    [...head.matchAll(/^ {2}(\w+): \(\) => (\w+),?$/gm)].map(([, name, local]) => [name, local]),
  );
  const names = [...namesUsed(root)].filter((name) => exported.has(name) && !forProjects.has(name));
  const list = (as) => names.map((name) => as(name, exported.get(name))).join(', ');
  return [
    'const __export = (to, all) => { for (const name in all) Object.defineProperty(to, name, { get: all[name], enumerable: true }); };',
    ...body.split(/^(?=\/\/ src\/)/m).filter((file) => !service.test(file)),
    `export { ${list((name, local) => `${local} as ${name}`)} };`,
    `export default { ${list((name, local) => `${name}: ${local}`)} };`,
  ]
    .join('\n')
    .replaceAll(/^__export\(/gm, '/* @__PURE__ */ __export(');
}

function split(text, at) {
  const parts = text.split(at);
  if (parts.length < 2) throw new Error(`TypeScript’s file has another form: no ${at}`);
  return [parts[0], parts.slice(1).join(at)];
}

/** What the parsers and our own code ask TypeScript for. */
export function namesUsed(root) {
  const files = users.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((path) => /\.(?:[cm]?js|ts)$/.test(path) && !path.endsWith('.d.ts'))
      .map((path) => join(root, folder, path)),
  );
  return new Set(
    files.flatMap((path) =>
      [
        ...readFileSync(path, 'utf8').matchAll(
          /\b(?:ts\d*|typescript_\d+)(?:\.default)?\.(?<name>\w+)/g,
        ),
      ].map(({ groups }) => groups.name),
    ),
  );
}
