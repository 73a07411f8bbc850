import { sumOf, sweepOf, type Sweep } from './all-files.ts';
import type { BugClass } from './classes.ts';
import { pairResults, type LookUp, type PairResults } from './fix-pairs.ts';
import { judgeFile, type JudgedSite } from './judge.ts';
import type { LabelSet } from './label-sets.ts';
import type { CodePlace, FixPair, Site } from './labels.ts';
import type { CommitTask, LintedCommit } from './lint-commits.ts';
import { lineScoreOf, outcomeOf, scoreOf, type LineScore, type Score } from './score.ts';

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
  /** By the labels as they were before any ruling; null where there is none. */
  readonly firstScores: Readonly<Record<string, Score>> | null;
  /** By class, where labels name lines. */
  readonly byLine: Readonly<Record<string, LineScore>>;
  readonly byLibrary: readonly LibraryResults[];
  readonly misses: readonly Verdict[];
  readonly falseAlarms: readonly Verdict[];
  /** Reports of the labelled classes that belong to no labelled site. */
  readonly outside: readonly OutsideReport[];
}

export interface LibraryResults {
  readonly library: string;
  readonly sites: number;
  readonly scores: Readonly<Record<string, Score>>;
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

export interface RepositoryResults {
  readonly repo: string;
  readonly commit: string;
  readonly sites: number;
  readonly scores: Readonly<Record<string, Score>>;
  readonly sweep: Sweep | null;
}

export interface Request {
  readonly set: LabelSet;
  readonly sites: readonly Site[];
  /** Null when they are not asked for. */
  readonly pairs: readonly FixPair[] | null;
  readonly wantsAll: boolean;
  /** The rules that the plugin has. */
  readonly rules: readonly string[];
}

/** The commits to lint, each once: those of the sites first. */
export function tasksOf({
  sites,
  pairs,
  wantsAll,
}: Pick<Request, 'sites' | 'pairs' | 'wantsAll'>): readonly CommitTask[] {
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
  const { set, sites, pairs, rules, wantsAll } = request;
  const lookUp = sourcesByPlace(linted);
  const classes = set.classes.filter((bugClass) => hasRule(bugClass.rules, rules));
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
    classesWithoutRule: set.classes
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
    pairs: pairs === null ? null : pairResults(pairs, (wanted) => hasRule(wanted, rules), lookUp),
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
  { set, sites, wantsAll }: Request,
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
      const { sites: judged, outside } = judgeFile(inFile, source, set.classes);
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
): Omit<SiteResults, 'measured' | 'missing' | 'outside'> {
  const verdicts = (outcome: 'missed' | 'false alarm') =>
    classes.flatMap((bugClass) =>
      sites
        .filter((judged) => outcomeOf(judged, bugClass) === outcome)
        .map((judged) => toVerdict(judged, bugClass)),
    );
  return {
    scores: scoresOf(sites, classes),
    firstScores: sites.some(({ site }) => site.labels !== site.firstLabels)
      ? scoresOf(sites.map(asFirstLabelled), classes)
      : null,
    byLine: byLine(sites, classes),
    byLibrary: byLibrary(sites, classes),
    misses: verdicts('missed'),
    falseAlarms: verdicts('false alarm'),
  };
}

function asFirstLabelled({ site, reports }: JudgedSite): JudgedSite {
  return { site: { ...site, labels: site.firstLabels }, reports };
}

function byLine(
  sites: readonly JudgedSite[],
  classes: readonly BugClass[],
): Readonly<Record<string, LineScore>> {
  const scores = classes.map((bugClass) => [bugClass.id, lineScoreOf(sites, bugClass)] as const);
  return Object.fromEntries(scores.filter(([, { lines }]) => lines > 0));
}

function byLibrary(
  sites: readonly JudgedSite[],
  classes: readonly BugClass[],
): readonly LibraryResults[] {
  const libraries = new Set(sites.map(({ site }) => site.library).filter((name) => name !== ''));
  return [...libraries].sort().map((library) => {
    const own = sites.filter(({ site }) => site.library === library);
    return { library, sites: own.length, scores: scoresOf(own, classes) };
  });
}

function toVerdict({ site, reports }: JudgedSite, { id }: BugClass): Verdict {
  const { repo, commit, path, line, labels, reason } = site;
  return {
    bugClass: id,
    repo,
    commit,
    path,
    line,
    label: labels[id]?.text ?? '',
    reason,
    messages: (reports[id] ?? []).map((report) => `line ${report.line}: ${report.message}`),
  };
}
