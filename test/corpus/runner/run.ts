import { sumOf, sweepOf, type Sweep } from './all-files.ts';
import { bugClasses, pairClassOf, type BugClass } from './classes.ts';
import { judgeFile, reportsOfPair, type JudgedSite } from './judge.ts';
import type { CodePlace, FixPair, Site } from './labels.ts';
import type { CommitTask, LintedCommit } from './lint-commits.ts';
import type { LintedSource, Report } from './linted-source.ts';
import { scoreOf, type Score } from './score.ts';

/** What a run measured; `--json` writes it as it is. */
export interface Run {
  readonly schemaVersion: 1;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly plugin: { readonly name: string; readonly version: string };
  /** Classes whose rules the plugin does not have. */
  readonly classesWithoutRule: readonly string[];
  /** `owner/name at commit: reason` of what was left out. */
  readonly leftOut: readonly string[];
  readonly sites: SiteResults;
  readonly pairs: PairResults | null;
  readonly sweep: Sweep | null;
  readonly repositories: readonly RepositoryResults[];
}

export interface SiteResults {
  readonly measured: number;
  /** Sites whose repository or file could not be had. */
  readonly missing: number;
  readonly scores: Readonly<Record<string, Score>>;
  readonly misses: readonly Verdict[];
  readonly falseAlarms: readonly Verdict[];
  /** Reports of the labelled classes that belong to no labelled site. */
  readonly outside: readonly OutsideReport[];
}

/** A site where the tool and the label disagree. */
export interface Verdict extends CodePlace {
  readonly bugClass: string;
  readonly label: string;
  readonly reason: string;
  readonly messages: readonly string[];
}

export interface OutsideReport extends CodePlace {
  readonly rule: string;
  readonly message: string;
}

export interface PairResults {
  readonly measured: number;
  readonly missing: number;
  /** Pairs whose rules the plugin does not have. */
  readonly skipped: number;
  readonly byRule: Readonly<Record<string, PairScore>>;
  /** Pairs where it is silent before the fix, or speaks after it. */
  readonly failed: readonly string[];
}

export interface PairScore {
  readonly pairs: number;
  readonly caught: number;
  readonly quietAfter: number;
  readonly both: number;
}

export interface RepositoryResults {
  readonly repo: string;
  readonly commit: string;
  readonly sites: number;
  readonly scores: Readonly<Record<string, Score>>;
  readonly sweep: Sweep | null;
}

export interface Request {
  readonly sites: readonly Site[];
  /** Null when they are not asked for. */
  readonly pairs: readonly FixPair[] | null;
  readonly wantsAll: boolean;
  /** The rules that the plugin has. */
  readonly rules: readonly string[];
}

/** The commits to lint, each once: those of the sites first. */
export function tasksOf({ sites, pairs, wantsAll }: Request): readonly CommitTask[] {
  const tasks = new Map<
    string,
    { repo: string; commit: string; files: Set<string>; wantsAll: boolean }
  >();
  const add = ({ repo, commit, path }: CodePlace, all: boolean): void => {
    const task = tasks.get(keyOf(repo, commit)) ?? {
      repo,
      commit,
      files: new Set<string>(),
      wantsAll: all,
    };
    task.files.add(path);
    tasks.set(keyOf(repo, commit), task);
  };
  for (const site of sites) add(site, wantsAll);
  for (const { before, after } of pairs ?? [])
    for (const place of [before, after]) add(place, false);
  return [...tasks.values()];
}

type Facts = Pick<Run, 'date' | 'plugin'>;

/** Puts what the workers said beside the labels. */
export function resultsOf(request: Request, linted: readonly LintedCommit[], facts: Facts): Run {
  const { sites, pairs, rules, wantsAll } = request;
  const lookUp = sourcesByPlace(linted);
  const classes = bugClasses.filter((bugClass) => hasRule(bugClass.rules, rules));
  const judged = judgeAll(request, linted, lookUp);
  const sweeps = linted.map((commit) => ({
    commit,
    sweep:
      wantsAll && sites.some((site) => isOf(site, commit)) && commit.folder !== null
        ? sweepOf(commit.sources)
        : null,
  }));
  return {
    schemaVersion: 1,
    ...facts,
    classesWithoutRule: bugClasses
      .filter((bugClass) => !classes.includes(bugClass))
      .map(({ id }) => id),
    leftOut: linted
      .filter(({ folder }) => folder === null)
      .map(({ repo, commit, because }) => `${repo} at ${commit.slice(0, 10)}: ${because}`),
    sites: {
      measured: judged.sites.length,
      missing: sites.length - judged.sites.length,
      ...siteResults(judged.sites, classes),
      outside: judged.outside,
    },
    pairs: pairs === null ? null : pairResults(pairs, rules, lookUp),
    sweep: wantsAll ? sumOf(sweeps.flatMap(({ sweep }) => sweep ?? [])) : null,
    repositories: sweeps.flatMap(({ commit, sweep }) => {
      const own = judged.sites.filter(({ site }) => isOf(site, commit));
      return own.length === 0 && sweep === null
        ? []
        : [
            {
              repo: commit.repo,
              commit: commit.commit,
              sites: own.length,
              scores: scoresOf(own, classes),
              sweep,
            },
          ];
    }),
  };
}

function keyOf(repo: string, commit: string): string {
  return `${repo}@${commit}`;
}

function isOf(place: CodePlace, { repo, commit }: LintedCommit): boolean {
  return place.repo === repo && place.commit === commit;
}

function hasRule(wanted: readonly string[], rules: readonly string[]): boolean {
  return wanted.some((rule) => rules.includes(rule));
}

type LookUp = (place: CodePlace) => LintedSource | undefined;

function sourcesByPlace(linted: readonly LintedCommit[]): LookUp {
  const sources = new Map(
    linted.flatMap(({ repo, commit, sources: own }) =>
      own.map((source) => [`${keyOf(repo, commit)}:${source.path}`, source] as const),
    ),
  );
  return ({ repo, commit, path }) => {
    const source = sources.get(`${keyOf(repo, commit)}:${path}`);
    return source?.trouble?.kind === 'absent' ? undefined : source;
  };
}

interface Judged {
  readonly sites: readonly JudgedSite[];
  readonly outside: readonly OutsideReport[];
}

function judgeAll(
  { sites, wantsAll }: Request,
  linted: readonly LintedCommit[],
  lookUp: LookUp,
): Judged {
  const files = linted.flatMap((commit) => {
    const own = sites.filter((site) => isOf(site, commit));
    return commit.sources.flatMap(({ path }) => {
      const { repo, commit: hash } = commit;
      const source = lookUp({ repo, commit: hash, path, line: 0 });
      const inFile = own.filter((site) => site.path === path);
      // A file that only a fix pair names is judged with the pairs.
      if (source === undefined || (inFile.length === 0 && !(wantsAll && own.length > 0))) return [];
      const { sites: judged, outside } = judgeFile(inFile, source);
      return [
        {
          sites: judged,
          outside: outside.map(({ rule, line, message }) => ({
            repo,
            commit: hash,
            path,
            line,
            rule,
            message,
          })),
        },
      ];
    });
  });
  return {
    sites: files.flatMap((file) => file.sites),
    outside: files.flatMap((file) => file.outside),
  };
}

function scoresOf(
  sites: readonly JudgedSite[],
  classes: readonly BugClass[],
): Record<string, Score> {
  return Object.fromEntries(classes.map((bugClass) => [bugClass.id, scoreOf(sites, bugClass)]));
}

function siteResults(
  sites: readonly JudgedSite[],
  classes: readonly BugClass[],
): Pick<SiteResults, 'scores' | 'misses' | 'falseAlarms'> {
  const verdicts = classes.flatMap((bugClass) =>
    sites.flatMap(({ site, reports }) => {
      const own = reports[bugClass.id];
      if (site.label === 'unclear' || bugClass.isBug(site) === (own !== undefined)) return [];
      return [{ isBug: bugClass.isBug(site), verdict: toVerdict(site, bugClass, own ?? []) }];
    }),
  );
  return {
    scores: scoresOf(sites, classes),
    misses: verdicts.filter(({ isBug }) => isBug).map(({ verdict }) => verdict),
    falseAlarms: verdicts.filter(({ isBug }) => !isBug).map(({ verdict }) => verdict),
  };
}

function toVerdict(
  { repo, commit, path, line, label, reason }: Site,
  { id }: BugClass,
  reports: readonly Report[],
): Verdict {
  return {
    bugClass: id,
    repo,
    commit,
    path,
    line,
    label,
    reason,
    messages: reports.map((report) => `line ${report.line}: ${report.message}`),
  };
}

function pairResults(
  pairs: readonly FixPair[],
  rules: readonly string[],
  lookUp: LookUp,
): PairResults {
  const known = pairs.filter((pair) => hasRule(pairClassOf(pair).rules, rules));
  const judged = known.flatMap((pair) => judgePair(pair, lookUp) ?? []);
  const names = [...new Set(judged.map(({ pair }) => pairClassOf(pair).id))];
  return {
    measured: judged.length,
    missing: known.length - judged.length,
    skipped: pairs.length - known.length,
    byRule: Object.fromEntries(
      names.map((name) => [
        name,
        pairScore(judged.filter(({ pair }) => pairClassOf(pair).id === name)),
      ]),
    ),
    failed: judged.filter(({ isCaught, isQuiet }) => !isCaught || !isQuiet).map(describePair),
  };
}

interface JudgedPair {
  readonly pair: FixPair;
  readonly isCaught: boolean;
  readonly isQuiet: boolean;
}

function judgePair(pair: FixPair, lookUp: LookUp): JudgedPair | undefined {
  const [before, after] = [lookUp(pair.before), lookUp(pair.after)];
  if (before === undefined || after === undefined) return undefined;
  const isQuiet = pair.isDirtyAfter || reportsOfPair(pair, pair.after.line, after).length === 0;
  return { pair, isCaught: reportsOfPair(pair, pair.before.line, before).length > 0, isQuiet };
}

function pairScore(judged: readonly JudgedPair[]): PairScore {
  const count = (isWanted: (pair: JudgedPair) => boolean) => judged.filter(isWanted).length;
  return {
    pairs: judged.length,
    caught: count(({ isCaught }) => isCaught),
    quietAfter: count(({ isQuiet }) => isQuiet),
    both: count(({ isCaught, isQuiet }) => isCaught && isQuiet),
  };
}

function describePair({ pair, isCaught }: JudgedPair): string {
  const { before, after, reason } = pair;
  const { repo, commit, path, line } = isCaught ? after : before;
  return `${pairClassOf(pair).id}: ${isCaught ? 'speaks after the fix' : 'silent before the fix'}, ${repo}@${commit.slice(0, 10)} ${path}:${line}. ${reason}`;
}
