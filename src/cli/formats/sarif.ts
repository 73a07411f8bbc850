import { isAbsolute, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LintedFile, SuppressedProblem } from '../../lint/linter.ts';
import type { PathStep } from '../../../rules/index.ts';
import type { Problem } from '../../lint/problem.ts';
import { fileStart } from '../../lint/to-problem.ts';
import { toJson } from '../../text/to-json.ts';
import type { KnownRule } from '../../lint/known-rules.ts';
import { failedFiles, type LintResult } from './lint-result.ts';

const schema =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** SARIF 2.1.0 for code scanning; the path of a finding is a code flow. */
export function formatAsSarif(result: LintResult, version: string): string {
  return `${toJson({ $schema: schema, version: '2.1.0', runs: [toRun(result, version)] }, 2)}\n`;
}

function toRun({ cwd, files, rules }: LintResult, version: string) {
  const unchecked = [
    ...files.flatMap(({ path, problems }) =>
      problems
        .filter(({ rule }) => rule === null)
        .map((problem) => toNotification(path, problem, cwd)),
    ),
    ...failedFiles(files).map(({ path, mistake }) =>
      toNotification(
        path,
        { place: fileStart, message: `The file could not be analysed: ${mistake.message}.` },
        cwd,
      ),
    ),
  ];
  return {
    tool: {
      driver: { name: 'Poolguard', semanticVersion: version, rules: rules.map(toDescriptor) },
    },
    columnKind: 'utf16CodeUnits',
    invocations: [
      { executionSuccessful: unchecked.length === 0, toolExecutionNotifications: unchecked },
    ],
    results: files.flatMap((file) => toResults(file, rules, cwd)),
  };
}

function toDescriptor({ id, description, url }: KnownRule) {
  return {
    id,
    ...(description === undefined ? {} : { shortDescription: { text: description } }),
    ...(url === undefined ? {} : { helpUri: url }),
  };
}

function toResults(file: LintedFile, rules: readonly KnownRule[], cwd: string) {
  const active = file.problems
    .filter(({ rule }) => rule !== null)
    .map((problem) => toResult(file, problem, rules, cwd));
  return [...active, ...file.suppressed.map((problem) => toSuppressedResult(file, problem, cwd))];
}

function toResult(
  { path }: LintedFile,
  problem: Problem,
  rules: readonly KnownRule[],
  cwd: string,
) {
  const { rule, severity, message, steps } = problem;
  const flow = steps.map((step) => ({
    location: { ...toLocation(path, step, cwd), message: { text: step.text } },
  }));
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level: severity,
    message: { text: message },
    locations: [toLocation(path, problem, cwd)],
    ...(flow.length > 0 ? { codeFlows: [{ threadFlows: [{ locations: flow }] }] } : {}),
  };
}

function toSuppressedResult({ path }: LintedFile, problem: SuppressedProblem, cwd: string) {
  return {
    ruleId: problem.rule,
    level: problem.severity,
    message: { text: problem.message },
    locations: [toLocation(path, problem, cwd)],
    suppressions: problem.suppressions.map(({ justification }) => ({
      kind: 'inSource',
      justification,
    })),
  };
}

function toNotification(path: string, problem: Pick<Problem, 'place' | 'message'>, cwd: string) {
  return {
    level: 'error',
    message: { text: problem.message },
    locations: [toLocation(path, problem, cwd)],
  };
}

/** Of a problem of the file, or of a step of its path. */
function toLocation(
  path: string,
  { place: { start, end }, file = path }: Pick<PathStep, 'place' | 'file'>,
  cwd: string,
) {
  const region = {
    startLine: start.line,
    startColumn: start.column + 1,
    endLine: end.line,
    endColumn: end.column + 1,
  };
  return { physicalLocation: { artifactLocation: toArtifact(file, cwd), region } };
}

/** Relative to the root of the checkout, because an absolute path means nothing on another machine. */
function toArtifact(path: string, cwd: string) {
  const way = relative(cwd, path);
  if (way.startsWith('..') || isAbsolute(way)) return { uri: pathToFileURL(path).href };
  return { uri: way.split(sep).map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}
