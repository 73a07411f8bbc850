import * as v from 'valibot';
import { prefix } from '../../lint/analyser.ts';
import { section } from '../../server/section.ts';

/** The parts of an editor's diagnostic that tell who found what where. */
export interface Reported {
  readonly source?: string | undefined;
  readonly code?: unknown;
  readonly range: { readonly start: { readonly line: number } };
}

/** How ESLint and oxlint spell one of our rules. */
const spellings: ReadonlyMap<unknown, RegExp> = new Map([
  ['eslint', /^(?<rule>poolguard\/[\w-]+)$/u],
  ['oxc', /^poolguard\((?<name>[\w-]+)\)$/u],
]);

/** `poolguard/<rule> <line>` of each finding that the workspace's own ESLint or oxlint reports with our plugin. */
export function findingsOfOthers(diagnostics: readonly Reported[]): ReadonlySet<string> {
  return new Set(diagnostics.flatMap((each) => keyOf(foreignRuleOf(each), each)));
}

/** Ours without those that somebody else reports too: the same finding twice helps nobody. */
export function withoutDuplicates<T extends Reported>(
  ours: readonly T[],
  others: ReadonlySet<string>,
): T[] {
  return ours.filter((each) => !keyOf(textOf(each.code), each).some((key) => others.has(key)));
}

/** A rule of ours, without its prefix, whoever reports it; undefined for any other diagnostic. */
export function ruleOf(each: Pick<Reported, 'source' | 'code'>): string | undefined {
  const rule = foreignRuleOf(each) ?? (each.source === section ? textOf(each.code) : undefined);
  return rule?.startsWith(prefix) === true ? rule.slice(prefix.length) : undefined;
}

function keyOf(rule: string | undefined, { range }: Reported): string[] {
  return rule === undefined ? [] : [`${rule} ${range.start.line}`];
}

function foreignRuleOf({ source, code }: Pick<Reported, 'source' | 'code'>): string | undefined {
  const { rule, name } = spellings.get(source)?.exec(textOf(code))?.groups ?? {};
  return rule ?? (name === undefined ? undefined : `poolguard/${name}`);
}

/** Other extensions give the diagnostics, and may give anything; a code is a text, or a text with a link. */
const Code = v.fallback(
  v.union([
    v.string(),
    v.pipe(
      v.object({ value: v.string() }),
      v.transform(({ value }) => value),
    ),
  ]),
  '',
);

function textOf(code: unknown): string {
  return v.parse(Code, code);
}
