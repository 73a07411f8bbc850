import type { Rule, SourceCode } from 'eslint';
import type { TSESTree } from '@typescript-eslint/types';
import type { Checkout } from './client/checkout.ts';
import type { Finding } from './findings/finding.ts';
import { findDoubleReleases } from './findings/double-release.ts';
import type { Scene } from './findings/scene.ts';
import { createFollower } from './client/follower.ts';
import { findSlowAwaits } from './findings/held-through.ts';
import { findLeak } from './findings/leaks.ts';
import { createPoolNeeds } from './findings/pool-needs.ts';
import { findNestedCheckouts } from './findings/nested-checkout.ts';
import { createModules, type Modules } from './files/modules.ts';
import { findUnsettledQueries } from './findings/unsettled.ts';
import { findUsesAfterRelease } from './findings/use-after-release.ts';
import { createFileParser, scriptParserOf } from './files/parse-file.ts';
import { createResolver, type Resolver } from './identity/resolver.ts';
import { findSessionState, findUnknownPooler, type PoolerSetting } from './session/session-state.ts';
import type { SourceFile } from './files/source-file.ts';
import { verdictsOn, verdictText } from './findings/verdicts.ts';

const findingsBySource = new WeakMap<SourceCode, readonly Finding[]>();
const modulesByParser = new WeakMap<object, Modules>();

/** All findings of the file being linted. The first rule that asks does the work for every rule. */
export function analyse(context: Rule.RuleContext): readonly Finding[] {
  const known = findingsBySource.get(context.sourceCode);
  if (known !== undefined) return known;
  const findings = orUnknown(() => {
    const file = sourceFileOf(context);
    return findingsIn(file, createResolver(modulesFor(context).readerFor(file)), poolerSetting(context.settings));
  });
  findingsBySource.set(context.sourceCode, findings);
  return findings;
}

/**
 * A mistake of the analysis must not end somebody's lint run: the file is unknown then. `POOLGUARD_DEBUG` shows the mistake,
 * `POOLGUARD_DEBUG=verdicts` also writes a line for each acquire to the standard error.
 */
function orUnknown(find: () => readonly Finding[]): readonly Finding[] {
  try {
    return find();
  } catch (mistake) {
    if (process.env['POOLGUARD_DEBUG'] !== undefined) throw mistake;
    return [];
  }
}

/** The findings, with their paths, of a source that a rule of this plugin has just been run on; empty for any other. */
export function findingsOf(sourceCode: SourceCode): readonly Finding[] {
  return findingsBySource.get(sourceCode) ?? [];
}

function sourceFileOf({ sourceCode, filename }: Rule.RuleContext): SourceFile {
  return {
    path: filename,
    text: sourceCode.text,
    ast: sourceCode.ast as unknown as TSESTree.Program,
    scopes: sourceCode.scopeManager,
    visitorKeys: sourceCode.visitorKeys,
  };
}

/** Each gives the findings of one kind; of several at one place that a judge gives for one rule, the last stays. */
const judges: readonly ((scene: Scene) => readonly Finding[])[] = [
  ({ checkouts, file, resolver }) => checkouts.flatMap((checkout) => findReleaseMistakes(checkout, file, resolver)),
  ({ checkouts, file, resolver }) => {
    const needsOf = createPoolNeeds(resolver);
    return checkouts.flatMap((checkout) => findNestedCheckouts(checkout, file, resolver, needsOf));
  },
  ({ checkouts, file, resolver }) => checkouts.flatMap((checkout) => findSlowAwaits(checkout, file, resolver)),
  ({ pooler }) => findUnknownPooler(pooler),
  ({ checkouts, file, resolver, pooler }) => findSessionState(checkouts, file, resolver, pooler),
];

function findingsIn(file: SourceFile, resolver: Resolver, pooler: PoolerSetting | undefined): readonly Finding[] {
  const checkouts = createFollower(resolver).checkoutsOf(file);
  if (process.env['POOLGUARD_DEBUG'] === 'verdicts') process.stderr.write(verdictsOn(checkouts, file).map((each) => `poolguard: ${verdictText(file.path, each)}\n`).join(''));
  const scene: Scene = { file, resolver, checkouts, pooler };
  return judges.flatMap((judge) => uniqueByPlace(judge(scene)));
}

/**
 * A release in the wrong place both comes too early for what follows and is missed on other ways: that is one mistake, and it is
 * reported where the harm is worse, at what happens to the client of somebody else.
 */
function findReleaseMistakes(checkout: Checkout, file: SourceFile, resolver: Resolver): readonly Finding[] {
  const late = [...findDoubleReleases(checkout, file), ...findUsesAfterRelease(checkout, file, resolver)];
  const leak = checkout.acquisition.style === 'lent' || late.length > 0 ? undefined : findLeak(checkout, file);
  return [...(leak === undefined ? [] : [leak]), ...late, ...findUnsettledQueries(checkout, file)];
}

function uniqueByPlace(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.rule} ${JSON.stringify(finding.place)}`, finding])).values()];
}

/** `{ kind: 'pgbouncer', mode: 'transaction', version: '1.24' }`, or the short form `'pgbouncer:transaction:1.24'`; mode and version may be left out. */
function poolerSetting(settings: Rule.RuleContext['settings']): PoolerSetting | undefined {
  const { pooler } = (settings['poolguard'] ?? {}) as { pooler?: Partial<PoolerSetting> | string };
  if (typeof pooler === 'string') {
    const [kind = '', mode = 'transaction', version] = pooler.split(':');
    return kind === '' ? undefined : { kind, mode, version };
  }
  return typeof pooler?.kind === 'string' ? { kind: pooler.kind, mode: pooler.mode ?? 'transaction', version: pooler.version === undefined ? undefined : String(pooler.version) } : undefined;
}

/** Other files are parsed by the parser that ESLint was configured with for this one. */
function modulesFor({ languageOptions, sourceCode, cwd }: Rule.RuleContext): Modules {
  const parser = scriptParserOf(languageOptions);
  const key = parser ?? modulesByParser;
  const modules = modulesByParser.get(key) ?? createModules(createFileParser(parser, sourceCode.visitorKeys, cwd));
  modulesByParser.set(key, modules);
  return modules;
}
