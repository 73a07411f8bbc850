/** A file of an artifact, by its path in it. */
export type PackedFiles = ReadonlyMap<string, Buffer>;

/** What may stand in no published file. */
const forbidden: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'a token of npm, GitHub, Azure or a cloud',
    /\b(?:npm_[A-Za-z0-9]{36}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,}|AKIA[A-Z0-9]{16}|xox[abpr]-[\w-]{20,})\b/gu,
  ],
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*\n[\w+/=]{32,}/gu],
  [
    'a path of the machine that built it',
    // A library's own WebAssembly names the folders of GitHub's runners in which its crates were built.
    /(?<![\w.$}/-])\/(?!home\/runner\/\.cargo\/)(?:work|root|Users|home)\/[\w.-]+\/[\w./-]+/gu,
  ],
  [
    'a registry of its own',
    /\b(?:registry\.npmjs\.org\/[^\s"']+\.tgz|_authToken|(?:artifactory|nexus|verdaccio)\.[\w.-]+)/gu,
  ],
  ['a source map', /^\/\/[#@] sourceMappingURL=(?!data:text\/plain).+/gmu],
];

/** Connection strings with a password that is no obvious stand-in. */
const connectionString = /postgres(?:ql)?:\/\/[^\s:@/"'`$<{]+:(?<password>[^\s@"'`]+)@[\w.]/gu;
const standIn = /^(?:pass|password|secret|\.\.\.|…|\*+|\$\{.*|<.*>)$/u;

const badPath =
  /\.node$|\.dll$|\.so(?:\.\d+)*$|\.dylib$|\.exe$|\.map$|(?:^|\/)node_modules\/|(?:^|\/)\.(?:env|npmrc|git|vscode)|\.pem$|\.key$|(?<!\.d)\.[cm]?tsx?$/u;
/** ELF, Mach-O in both orders and as a fat binary, and PE by its first bytes. */
const binaries = [
  '7f454c46',
  'feedface',
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  'cafebabe',
  '4d5a9000',
];

/** What the files of an artifact should not hold, in sentences: secrets, paths of the machine, native binaries, source maps. */
export function scanFiles(artifact: string, files: PackedFiles): readonly string[] {
  return [...files].flatMap(([path, bytes]) =>
    findingsIn(path, bytes).map((found) => `${artifact}: ${path} ${found}.`),
  );
}

function findingsIn(path: string, bytes: Buffer): readonly string[] {
  if (badPath.test(path)) return ['is of a kind that is not published'];
  if (binaries.includes(bytes.subarray(0, 4).toString('hex'))) return ['is a native binary'];
  const text = bytes.toString('latin1');
  const named = forbidden.flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(([found]) => `holds ${what} (${shorten(found)})`),
  );
  const passwords = [...bytes.toString('utf8').matchAll(connectionString)]
    .filter(({ groups }) => !standIn.test(groups?.['password'] ?? ''))
    .map(() => 'holds a connection string with a password');
  return [...new Set([...named, ...passwords])];
}

/** Enough to find the place, too little to use a token. */
function shorten(found: string): string {
  return `${found.slice(0, 24)}…`;
}
