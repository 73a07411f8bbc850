import {
  applyEdits as applyJsonEdits,
  modify,
  parse,
  parseTree,
  type Edit,
  type ParseError,
} from 'jsonc-parser';
import { toJson } from '../../text/to-json.ts';
import { pluginName } from './our-entries.ts';
import type { SetupAnswer } from './setup-answer.ts';

export interface OxlintFacts {
  readonly text: string;
  /** By `poolguard/<rule>`: what the preset has. */
  readonly severities: Readonly<Record<string, string>>;
}

/** What to write into `.oxlintrc.json` so that oxlint runs our plugin; comments and order of the file are kept. */
export function setUpOxlint({ text, severities }: OxlintFacts): SetupAnswer {
  const snippet = `${toJson({ jsPlugins: [pluginName], rules: severities }, 2)}\n`;
  if (text.trim() === '') return { kind: 'create', text: snippet };
  const errors: ParseError[] = [];
  const config = parse(text, errors, { allowTrailingComma: true }) as unknown;
  if (errors.length > 0 || !isRecord(config))
    return {
      kind: 'by hand',
      sentence: '.oxlintrc.json does not parse, so nothing is written into it.',
      snippet,
    };
  const { jsPlugins = [], rules = {} } = config;
  if (!Array.isArray(jsPlugins) || !isRecord(rules))
    return {
      kind: 'by hand',
      sentence:
        'In .oxlintrc.json "jsPlugins" is no list, or "rules" is no object, so nothing is written into it.',
      snippet,
    };
  if (hasTwice(text, ['jsPlugins', 'rules']))
    return {
      kind: 'by hand',
      sentence:
        'In .oxlintrc.json "jsPlugins" or "rules" stands twice, so nothing is written into it.',
      snippet,
    };
  const missing = Object.entries(severities).filter(([rule]) => rules[rule] === undefined);
  const names = jsPlugins.some(
    (each: unknown) => each === pluginName || (isRecord(each) && each['specifier'] === pluginName),
  );
  if (names) return { kind: 'already' };
  return {
    kind: 'edit',
    edits: [replaceWhole(text, edited(text, jsPlugins.length, 'jsPlugins' in config, missing))],
  };
}

function edited(
  text: string,
  plugins: number,
  hasPlugins: boolean,
  rules: readonly (readonly [string, string])[],
): string {
  const options = { formattingOptions: styleOf(text) };
  const steps: ((now: string) => Edit[])[] = [
    (now) =>
      hasPlugins
        ? modify(now, ['jsPlugins', plugins], pluginName, { ...options, isArrayInsertion: true })
        : modify(now, ['jsPlugins'], [pluginName], options),
    ...rules.map(
      ([rule, severity]) =>
        (now: string) =>
          modify(now, ['rules', rule], severity, options),
    ),
  ];
  return steps.reduce((now, step) => applyJsonEdits(now, step(now)), text);
}

function styleOf(text: string): {
  readonly insertSpaces: boolean;
  readonly tabSize: number;
  readonly eol: string;
} {
  const indent = /\n(?<indent>[\t ]+)"/u.exec(text)?.groups?.['indent'] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** One edit over the part that is another one, so that what was not touched stays out of the change. */
function replaceWhole(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let tail = 0;
  while (
    tail < before.length - start &&
    tail < after.length - start &&
    before.at(-1 - tail) === after.at(-1 - tail)
  )
    tail += 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** Whether one of these stands twice at the top: readers take the last, and an edit would change the first. */
function hasTwice(text: string, names: readonly string[]): boolean {
  const top = (parseTree(text, [], { allowTrailingComma: true })?.children ?? []).map(
    ({ children: [name] = [] }) => String(name?.value),
  );
  return names.some((name) => top.indexOf(name) !== top.lastIndexOf(name));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
