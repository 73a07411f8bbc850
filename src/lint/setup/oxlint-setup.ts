import {
  applyEdits as applyJsonEdits,
  modify,
  parse,
  parseTree,
  type Edit,
  type ParseError,
} from 'jsonc-parser';
import * as v from 'valibot';
import { record } from '../../schema/fields.ts';
import { whatIsWrong } from '../../schema/what-is-wrong.ts';
import { toJson } from '../../text/to-json.ts';
import { pluginName } from './our-entries.ts';
import type { SetupAnswer } from './setup-answer.ts';

export interface OxlintFacts {
  readonly text: string;
  /** By `poolguard/<rule>`: what the preset has. */
  readonly severities: Readonly<Record<string, string>>;
}

/** What is read of it. */
const OxlintConfig = v.pipe(
  record,
  v.object({
    jsPlugins: v.exactOptional(v.array(v.unknown())),
    rules: v.exactOptional(record),
  }),
);
const OurPlugin = v.union([v.literal(pluginName), v.object({ specifier: v.literal(pluginName) })]);

/** What to write into `.oxlintrc.json` so that oxlint runs our plugin; comments and order of the file are kept. */
export function setUpOxlint({ text, severities }: OxlintFacts): SetupAnswer {
  const snippet = `${toJson({ jsPlugins: [pluginName], rules: severities }, 2)}\n`;
  if (text.trim() === '') return { kind: 'create', text: snippet };
  const byHand = (why: string): SetupAnswer => ({
    kind: 'by hand',
    sentence: `Nothing was written to .oxlintrc.json: ${why}.`,
    snippet,
  });
  const errors: ParseError[] = [];
  const config = v.safeParse(OxlintConfig, parse(text, errors, { allowTrailingComma: true }));
  if (errors.length > 0) return byHand('it has a syntax error');
  if (!config.success) return byHand(whatIsWrong(config.issues));
  if (hasTwice(text, ['jsPlugins', 'rules'])) return byHand('it has "jsPlugins" or "rules" twice');
  const { jsPlugins, rules = {} } = config.output;
  if (jsPlugins?.some((each) => v.is(OurPlugin, each)) === true) return { kind: 'already' };
  const missing = Object.entries(severities).filter(([rule]) => rules[rule] === undefined);
  return { kind: 'edit', edits: [replaceWhole(text, edited(text, jsPlugins?.length, missing))] };
}

function edited(
  text: string,
  plugins: number | undefined,
  rules: readonly (readonly [string, string])[],
): string {
  const options = { formattingOptions: styleOf(text) };
  const steps: ((now: string) => Edit[])[] = [
    (now) =>
      plugins === undefined
        ? modify(now, ['jsPlugins'], [pluginName], options)
        : modify(now, ['jsPlugins', plugins], pluginName, { ...options, isArrayInsertion: true }),
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
