import type { Diagnostic, DiagnosticRelatedInformation } from 'vscode-languageserver';
import { toPlainText } from '../../activity/plain-text.ts';
import type { Problem } from '../../lint/problem.ts';
import { evidenceSource } from '../section.ts';
import type { EvidenceData } from './evidence-data.ts';
import { codes, lastSentence, ownSentence, summed, type Seen } from './evidence-words.ts';
import type { Home, PlaceNow } from './find-home.ts';

type OwnDiagnostic = Diagnostic & EvidenceData['alone'][number];

const [warning, information] = [2, 3] as const;
const mostRelated = 8;
const longMs = 60_000;

/** Findings with what was seen of them at run time as their last sentence. `toDiagnostic` gives each as it is without. */
export function withEvidence(
  problems: readonly Problem[],
  homes: readonly Home[],
  toDiagnostic: (problem: Problem) => readonly Diagnostic[],
): readonly Diagnostic[] {
  return problems.flatMap((problem) => {
    const here = homes.filter((home) => home.problem === problem);
    const diagnostics = toDiagnostic(problem);
    return here.length === 0
      ? diagnostics
      : diagnostics.map((diagnostic) => withSentence(diagnostic, problem, here));
  });
}

/** What was seen of lines on which no finding is shown: one diagnostic for each line, kind and application. */
export function ownDiagnostics(homes: readonly Home[]): readonly Diagnostic[] {
  const lines = new Map<number, readonly Home[]>();
  for (const home of homes) {
    const { line } = home.place.start;
    lines.set(line, [...(lines.get(line) ?? []), home]);
  }
  return [...lines.values()].flatMap((here) => aloneOf(here));
}

function withSentence(diagnostic: Diagnostic, problem: Problem, here: readonly Home[]): Diagnostic {
  const data: EvidenceData = {
    evidence: keysOf(here),
    alone: aloneOf(here).map(({ code, message, severity }) => ({ code, message, severity })),
  };
  return {
    ...diagnostic,
    message: `${toPlainText(problem.message)} ${lastSentence(summed(here.map(({ evidence }) => evidence)))}`,
    relatedInformation: [...(diagnostic.relatedInformation ?? []), ...relatedOf(here)],
    data,
  };
}

function aloneOf(here: readonly Home[]): readonly OwnDiagnostic[] {
  return summed(here.map(({ evidence }) => evidence)).flatMap((seen) => {
    const these = here.filter(
      ({ evidence: { kind, app, pool, hasEnded } }) =>
        kind === seen.kind && app === seen.app && pool === seen.pool && hasEnded === seen.hasEnded,
    );
    const [first] = these;
    const data: EvidenceData = { evidence: keysOf(these), alone: [] };
    return first === undefined
      ? []
      : [
          {
            source: evidenceSource,
            code: codes[seen.kind],
            severity: severityOf(seen),
            range: first.file.positions.ofPlace(first.place),
            message: ownSentence(seen),
            relatedInformation: relatedOf(these),
            data,
          },
        ];
  });
}

/** One client that somebody holds for as long as the program runs may be meant, and harms nobody while there are others: what harms is a queue, or clients that pile up. */
function severityOf({
  kind,
  isWaitedFor,
  count,
  longestMs,
}: Seen): typeof warning | typeof information {
  if (kind !== 'held' && kind !== 'never-returned') return warning;
  return isWaitedFor || (count > 1 && longestMs >= longMs) ? warning : information;
}

function keysOf(homes: readonly Home[]): readonly string[] {
  return homes.map(({ evidence }) => evidence.key);
}

function relatedOf(homes: readonly Home[]): DiagnosticRelatedInformation[] {
  const all = homes.flatMap(({ inner, callers, related }) => [
    ...(inner === undefined
      ? []
      : [toRelated(inner, 'Seen at run time: the client is acquired here.')]),
    ...callers.map((caller) => toRelated(caller, 'Seen at run time: called from here.')),
    ...related.map(({ what, at }) =>
      toRelated(
        at,
        what === 'acquired'
          ? 'Seen at run time: the client was acquired here.'
          : 'Seen at run time: it was released here.',
      ),
    ),
  ]);
  const unique = new Map(all.map((each) => [JSON.stringify(each), each]));
  return [...unique.values()].slice(0, mostRelated);
}

function toRelated(
  { file: { uri, positions }, place }: PlaceNow,
  message: string,
): DiagnosticRelatedInformation {
  return { location: { uri, range: positions.ofPlace(place) }, message };
}
