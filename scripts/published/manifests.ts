/** A manifest as package.json has it. */
export type Manifest = Readonly<Record<string, unknown>>;

/** What only this repository reads; all dependencies are bundled. */
const ofTheRepository = [
  'private',
  'scripts',
  'workspaces',
  'dependencies',
  'devDependencies',
  'allowScripts',
];
/** What only editors and their Marketplace read. */
const ofEditors = [
  'displayName',
  'publisher',
  'main',
  'browser',
  'icon',
  'categories',
  'activationEvents',
  'extensionKind',
  'capabilities',
  'contributes',
  'galleryBanner',
  'pricing',
  'qna',
];
/** What only npm reads; a browser's extension host refuses what calls itself a module. */
const ofNpm = ['type', 'bin', 'publishConfig'];

/**
 * package.json is read by npm and by editors, which mean different things by `main` and `engines`: each gets its own.
 * The command has no entry point that could be imported.
 */
export function forNpm(manifest: Manifest): Manifest {
  const { engines, ...rest } = without(manifest, [...ofTheRepository, ...ofEditors]);
  return {
    ...rest,
    engines: { node: (engines as { readonly node: string }).node },
    exports: { './package.json': './package.json' },
  };
}

export function forEditors(manifest: Manifest): Manifest {
  const { engines, ...rest } = without(manifest, [...ofTheRepository, ...ofNpm]);
  return { ...rest, engines: { vscode: (engines as { readonly vscode: string }).vscode } };
}

function without(manifest: Manifest, names: readonly string[]): Manifest {
  return Object.fromEntries(Object.entries(manifest).filter(([name]) => !names.includes(name)));
}
