import { ConfigCommentParser } from '@eslint/plugin-kit';
import type { TSESTree } from '@typescript-eslint/types';
import { plainPlace } from '../../rules/syntax/excerpt.ts';
import type { Place } from '../../rules/syntax/place.ts';
import type { Problem } from './problem.ts';

/** Why a problem is not reported. */
export interface Suppression {
  /** A comment in the file, or the file of suppressed errors. */
  readonly kind: 'directive' | 'file';
  /** What the comment says behind `--`. */
  readonly justification: string;
}

/** What the comments of a file tell ESLint of rules. */
export interface Directives {
  /** `/* eslint poolguard/rule: off *\/`: what is written for each rule, in the order of the file. */
  readonly configured: ReadonlyMap<string, readonly Written[]>;
  /** Rules that comments switch off or on, each with where it is named. */
  readonly named: readonly { readonly rule: string; readonly place: Place }[];
  /** The comments that suppress a problem; empty where it is reported. */
  suppressing(problem: Pick<Problem, 'rule' | 'place'>): readonly Suppression[];
}

/** A severity, or a list of one and options, as the comment has it. */
export interface Written {
  readonly value: unknown;
  readonly place: Place;
}

/** Where a rule is switched off or on; all rules where none is named. */
interface Switch {
  readonly isOn: boolean;
  readonly rule: string | null;
  readonly line: number;
  /** -1 stands before all that is in the line. */
  readonly column: number;
  readonly justification: string;
}

const parser = new ConfigCommentParser();

/** Reads comments as ESLint 9 and 10 do: what is not well-formed is nothing, and only rules that there are can be switched off. */
export function readDirectives(
  comments: readonly TSESTree.Comment[],
  known: ReadonlySet<string>,
): Directives {
  const configured = new Map<string, Written[]>();
  const named: { rule: string; place: Place }[] = [];
  const [blocks, lines]: [Switch[], Switch[]] = [[], []];
  for (const comment of comments) {
    const directive = directiveIn(comment);
    if (directive === undefined) continue;
    const { label, value, justification } = directive;
    const place = plainPlace(comment.loc);
    if (label === 'eslint') {
      for (const [rule, written] of configurationIn(value))
        configured.set(rule, [...(configured.get(rule) ?? []), { value: written, place }]);
      continue;
    }
    const rules = Object.keys(parser.parseListConfig(value));
    named.push(...rules.map((rule) => ({ rule, place })));
    const meant = rules.length === 0 ? [null] : rules.filter((rule) => known.has(rule));
    for (const rule of meant)
      (isOfLine(label) ? lines : blocks).push(...switches(label, place, { rule, justification }));
  }
  const sorted = [blocks.sort(byPlace), lines.sort(byPlace)];
  return {
    configured,
    named,
    suppressing: (problem) => sorted.flatMap((each) => suppressedBy(each, problem)),
  };
}

/** Only `eslint-disable-line` and `eslint-disable-next-line` may be comments of a line. */
function directiveIn({ type, value, loc }: TSESTree.Comment) {
  const directive = parser.parseDirective(value);
  if (directive === undefined) return undefined;
  const { label } = directive;
  const isKnown = isOfLine(label)
    ? label !== 'eslint-disable-line' || loc.start.line === loc.end.line
    : (type as string) !== 'Line' && /^eslint(?:-disable|-enable)?$/u.test(label);
  return isKnown ? directive : undefined;
}

function isOfLine(label: string): boolean {
  return /^eslint-disable-(?:next-)?line$/u.test(label);
}

function configurationIn(text: string): readonly (readonly [string, unknown])[] {
  const read = parser.parseJSONLikeConfig(text);
  return read.ok ? Object.entries(read.config as object) : [];
}

function switches(
  label: string,
  { start, end }: Place,
  what: Pick<Switch, 'rule' | 'justification'>,
): readonly Switch[] {
  if (!isOfLine(label)) return [{ ...what, isOn: label === 'eslint-enable', ...start }];
  const at = label === 'eslint-disable-line' ? start.line : end.line + 1;
  return [
    { ...what, isOn: false, line: at, column: 0 },
    { ...what, isOn: true, line: at + 1, column: -1 },
  ];
}

function byPlace(one: Place['start'], other: Place['start']): number {
  return one.line - other.line || one.column - other.column;
}

/** Those that are off since the last one before the problem that is on. */
function suppressedBy(
  switches: readonly Switch[],
  { rule, place: { start } }: Pick<Problem, 'rule' | 'place'>,
): readonly Suppression[] {
  let off: Suppression[] = [];
  for (const each of switches) {
    if (byPlace(each, start) > 0) break;
    if (each.rule !== null && each.rule !== rule) continue;
    off = each.isOn ? [] : [...off, { kind: 'directive', justification: each.justification }];
  }
  return off;
}
