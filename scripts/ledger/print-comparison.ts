import { toPlainText } from '../../src/activity/plain-text.ts';
import type { Comparison, Difference } from './compare-ledgers.ts';

/** Differences for people: by rule and kind, then by the code that they are about, the most frequent first, each with one sample. */
export function printComparison({
  differences,
  shared,
  onlyBefore,
  onlyAfter,
}: Comparison): string {
  const groups = grouped(differences, ({ rule, kind }) => `${rule}: ${kind}`);
  return [
    ...groups.flatMap(([title, group]) => [
      `${title}, ${group.length}`,
      ...grouped(group, causeOf).flatMap(([cause, alike]) => printCause(cause, alike)),
      '',
    ]),
    `${shared} samples, ${differences.length} differences; ${onlyBefore.length} samples only in the first ledger, ${onlyAfter.length} only in the second.`,
    '',
  ].join('\n');
}

/** The same for programs. */
export function comparisonAsJson({ differences, ...counts }: Comparison): string {
  const flat = differences.map(({ sample: { sample }, ...each }) => ({
    sample,
    cause: causeOf(each),
    ...each,
  }));
  return `${JSON.stringify({ ...counts, differences: flat }, null, 1)}\n`;
}

function grouped(
  differences: readonly Difference[],
  keyOf: (difference: Difference) => string,
): readonly (readonly [string, readonly Difference[]])[] {
  const groups = new Map<string, Difference[]>();
  for (const each of differences)
    groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return [...groups].sort(([, one], [, other]) => other.length - one.length);
}

/** The line of code without what numbers tell apart. */
function causeOf({ code }: Pick<Difference, 'code'>): string {
  return code.replaceAll(/\d+/gu, '#');
}

function printCause(cause: string, alike: readonly Difference[]): readonly string[] {
  const lengthOf = ({ sample, file }: Difference) => sample.files?.[file]?.length ?? Infinity;
  const shortest = alike.reduce((best, each) => (lengthOf(each) < lengthOf(best) ? each : best));
  return [
    `  ${alike.length} × ${toPlainText(cause)}`,
    ...alike.flatMap(({ sample, file, place, before, after }) => [
      `    ${sample.sample} ${file}:${place}`,
      ...marked('-', before),
      ...marked('+', after),
    ]),
    ...codeAround(shortest),
  ];
}

function marked(mark: string, text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => `      ${mark} ${toPlainText(line)}`);
}

const longestWhole = 70;

/** The whole of a short file, else what stands around the place. */
function codeAround({ sample, file, place }: Difference): readonly string[] {
  const lines = sample.files?.[file]?.trimEnd().split('\n') ?? [];
  const line = Number.parseInt(place, 10);
  const [from, to] = lines.length <= longestWhole ? [0, lines.length] : [line - 15, line + 15];
  return lines
    .map((text, index) => {
      const indent = /^ */u.exec(text)?.[0] ?? '';
      const mark = index + 1 === line ? '>' : ' ';
      return `    ${mark}${index + 1}| ${indent}${toPlainText(text.trim())}`;
    })
    .slice(Math.max(0, from), to);
}
