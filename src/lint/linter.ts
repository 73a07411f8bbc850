import type { FileAnalysis } from '../../rules/analyse.ts';
import type { Finding } from '../../rules/checks/finding.ts';
import { withoutMark } from '../../rules/project/file-source.ts';
import type { Parsed } from '../../rules/project/trees.ts';
import type { SourceFile } from '../../rules/syntax/source-file.ts';
import { prefix, type Analyser } from './analyser.ts';
import { readDirectives, type Directives, type Suppression } from './directives.ts';
import { toMistake, type Mistake } from './mistake.ts';
import type { Problem } from './problem.ts';
import { createProgram, type Program } from './program.ts';
import {
  asCommentsSay,
  mistakenComments,
  type RuleChoice,
  rulesInForce,
  type RuleInForce,
} from './rules-in-force.ts';
import { failed, toProblem, toSyntaxProblem } from './to-problem.ts';
import { writtenIn, type Written } from './written.ts';

export interface SourceText {
  /** Absolute; its extension decides how the text is parsed. The file need not exist. */
  readonly path: string;
  readonly text: string;
}

export interface LintSettings extends RuleChoice {
  /** Names of variables whose address leads past the pooler. */
  readonly direct?: readonly string[];
  /** Where these are written, where that is no configuration of ESLint: messages speak of it. */
  readonly writtenIn?: 'command line' | 'editor';
  /** `settings.poolguard` of an ESLint configuration, in place of the pooler and of these. */
  readonly written?: unknown;
}

/** One file after linting. */
export interface LintedFile extends SourceText {
  /** From the start of the file to its end. */
  readonly problems: readonly Problem[];
  /** What comments, or a file of suppressed errors, say not to report. */
  readonly suppressed: readonly SuppressedProblem[];
  /** Why nothing, or less, is said of the file than there may be. */
  readonly mistake?: Mistake | undefined;
  /** What was fixed: the text is the one after. */
  readonly fixed?: Fixed;
}

export interface SuppressedProblem extends Problem {
  readonly suppressions: readonly Suppression[];
}

export interface Fixed {
  /** The text before. */
  readonly from: string;
  /** What was applied, as the rules call it. */
  readonly applied: readonly string[];
}

export type Lint = (source: SourceText) => LintedFile;

/** What the analysis knows besides findings. */
type Knowledge = Omit<FileAnalysis, 'findings' | 'mistake'>;

/** A linted file that can be asked for what the analysis knows besides; it keeps the parsed file for that as long as it lives itself. */
export interface InspectedFile extends LintedFile, Knowledge {
  /** Undefined for a text that could not be parsed. */
  written(): Written | undefined;
}

export type Inspect = (source: SourceText) => InspectedFile;

/** A function that lints one text after the other with a preset. It never throws: what goes wrong becomes a problem with rule null. */
export function createLinter(
  analyser: Analyser,
  settings: LintSettings,
  program: Program = createProgram(),
): Lint {
  const run = createRun(analyser, settings, program);
  return (source) => run(source).linted;
}

/** Like `createLinter`, for texts that somebody looks at; `onMistake` learns of mistakes that come to light when a file is asked. */
export function createInspector(
  analyser: Analyser,
  settings: LintSettings,
  program: Program = createProgram(),
  onMistake: (mistake: Mistake) => void = () => undefined,
): Inspect {
  const run = createRun(analyser, settings, program);
  return (source) => {
    const { linted, analysis, tree } = run(source);
    const ask = <Found>(find: (known: FileAnalysis) => Found, nothing: Found): Found => {
      if (analysis === undefined) return nothing;
      const found = find(analysis);
      const mistake = analysis.mistake();
      if (mistake !== undefined) onMistake(toMistake(mistake));
      return found;
    };
    return {
      ...linted,
      spans: () => ask((known) => known.spans(), []),
      pools: () => ask((known) => known.pools(), []),
      statements: () => ask((known) => known.statements(), []),
      queries: () => ask((known) => known.queries(), []),
      routes: () => ask((known) => known.routes(), []),
      verdicts: () => ask((known) => known.verdicts(), []),
      poolEdits: (pool, values) => ask((known) => known.poolEdits(pool, values), undefined),
      written: () => tree && writtenIn(tree, source.text),
    };
  };
}

interface Run {
  readonly linted: LintedFile;
  /** Undefined when the text could not be parsed. */
  readonly analysis?: FileAnalysis;
  readonly tree?: Parsed;
}

function createRun(
  analyser: Analyser,
  settings: LintSettings,
  program: Program,
): (source: SourceText) => Run {
  const rules = rulesInForce(analyser.rules, settings);
  const written = settings.written ?? writtenSettings(settings);
  return (source) => {
    const text = withoutMark(source.text);
    let tree: Parsed;
    try {
      tree = program.parse(text, source.path);
    } catch (failure) {
      return { linted: saying(source, toSyntaxProblem(failure as Error)) };
    }
    try {
      const { ast, visitorKeys } = tree;
      const file = {
        path: source.path,
        text,
        ast,
        visitorKeys,
        get scopes() {
          return tree.scopeManager;
        },
      };
      const analysis = analyser.analyse(file, program.modules(), written);
      return { linted: { ...source, ...judged(analysis, rules, file) }, analysis, tree };
    } catch (thrown) {
      const mistake = toMistake(thrown);
      const problem = failed(`The file could not be checked: ${mistake.message}.`);
      return { linted: { ...saying(source, problem), mistake } };
    }
  };
}

/** What is said of a file of which nothing is known. */
function saying(source: SourceText, problem: Problem): LintedFile {
  return { ...source, problems: [problem], suppressed: [] };
}

function judged(
  analysis: FileAnalysis,
  rules: readonly RuleInForce[],
  { ast, text }: SourceFile,
): Pick<LintedFile, 'problems' | 'suppressed' | 'mistake'> {
  const known = new Set(rules.map(({ rule }) => `${prefix}${rule.id}`));
  const directives = readDirectives(ast.comments ?? [], known);
  const problems = [
    ...problemsOf(analysis.findings(), asCommentsSay(rules, directives), text),
    ...mistakenComments(
      directives,
      rules.map(({ rule }) => rule),
    ),
  ].sort(byPlace);
  const thrown = analysis.mistake();
  return {
    ...apart(problems, directives),
    mistake: thrown === undefined ? undefined : toMistake(thrown),
  };
}

function byPlace({ place: { start: one } }: Problem, { place: { start: other } }: Problem): number {
  return one.line - other.line || one.column - other.column;
}

function writtenSettings({ pooler, direct, writtenIn }: LintSettings): object {
  return {
    ...(pooler === undefined ? {} : { pooler }),
    ...(direct === undefined ? {} : { direct }),
    ...(writtenIn === undefined ? {} : { writtenIn }),
  };
}

function problemsOf(
  findings: readonly Finding[],
  rules: readonly RuleInForce[],
  text: string,
): readonly Problem[] {
  return rules.flatMap(({ rule, severity, options }) => {
    if (severity === 'off') return [];
    const shown = severity === 'warn' ? 'warning' : 'error';
    return findings
      .filter((finding) => finding.rule === rule.id && rule.accepts(finding, options[0]))
      .map((finding) => toProblem(finding, rule, shown, text));
  });
}

/** What comments suppress apart from what is reported. */
function apart(
  all: readonly Problem[],
  directives: Directives,
): Pick<LintedFile, 'problems' | 'suppressed'> {
  const problems: Problem[] = [];
  const suppressed: SuppressedProblem[] = [];
  for (const problem of all) {
    const suppressions = directives.suppressing(problem);
    if (suppressions.length === 0) problems.push(problem);
    else suppressed.push({ ...problem, suppressions });
  }
  return { problems, suppressed };
}
