import type { DeclaredPool, HeldSpan } from '../../../rules/index.ts';
import { counted, linesOf, startLines } from './span-facts.ts';
import type { Wording } from './wording.ts';

const mostNamed = 4;

/** What became of one client, in a handful of lines: where it is held, what for, where it goes, and what a loss costs. */
export function storyOf(span: HeldSpan, say: Wording): readonly string[] {
  return [
    headline(span, say),
    sent(span, say),
    waits(span, say),
    goesBack(span, say),
    given(span, say),
    ...lost(span, say),
  ].filter((line) => line !== undefined);
}

function headline(span: HeldSpan, say: Wording): string {
  const { first, last } = linesOf(span);
  const where =
    first === last ? `on ${say.line(first)}` : `from ${say.line(first)} to ${say.line(last)}`;
  const whose = span.isLent
    ? `Client passed on by ${say.code(span.pool)}`
    : `Client of ${say.code(span.pool)}`;
  return `${say.strong(whose)}, held ${where}`;
}

function sent({ statements, transactions }: HeldSpan, say: Wording): string | undefined {
  if (statements.length === 0) return undefined;
  const known = [...new Set(statements.flatMap(({ words }) => words ?? []))];
  const more = known.length > mostNamed ? ' …' : '';
  const named =
    known.length === 0
      ? ''
      : `: ${known
          .slice(0, mostNamed)
          .map((words) => say.code(words))
          .join(', ')}${more}`;
  return `${counted(statements.length, 'statement')}${transactions === 'opened' ? ', in a transaction' : ''}${named}`;
}

function waits({ slowAwaits }: HeldSpan, say: Wording): string | undefined {
  const [first] = slowAwaits;
  if (first === undefined) return undefined;
  const more =
    slowAwaits.length === 1 ? '' : `, and ${counted(slowAwaits.length - 1, 'more slow call')}`;
  return `Held during ${first.what}: ${say.code(first.call)} on ${say.line(first.place.start.line)}${more}`;
}

function goesBack(span: HeldSpan, say: Wording): string | undefined {
  if (span.isLent) return `Released by ${say.code(span.pool)} when the callback ends`;
  return span.releases.length === 0
    ? undefined
    : `Released on ${listed(startLines(span.releases), say)}`;
}

function given({ given: places }: HeldSpan, say: Wording): string | undefined {
  return places.length === 0
    ? undefined
    : `Passed on at ${listed(startLines(places), say)}, where it must be released`;
}

function lost({ leaves, declaredPool }: HeldSpan, say: Wording): readonly string[] {
  if (leaves.length === 0) return [];
  return [
    `${say.strong('Leaks')} if the function exits at ${listed(startLines(leaves), say)}`,
    consequence(declaredPool),
  ];
}

function listed(lines: readonly number[], say: Wording): string {
  const [shown, rest] = [lines.slice(0, mostNamed), lines.length - mostNamed];
  const words = shown.map((line) => say.line(line));
  if (rest > 0) return `${words.join(', ')} and ${rest} more`;
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** `max` and `connectionTimeoutMillis` as pg-pool 3.14 reads them (`index.js`): without a limit, callers wait indefinitely. */
function consequence(pool: DeclaredPool | undefined): string {
  const { max, connectionTimeoutMillis: wait } = pool?.options ?? {};
  if (max === undefined || max.kind === 'unknown')
    return 'Each leak takes a client from the pool permanently; when none is left, callers wait';
  const each = `Each leak takes one of ${counted(max.value, 'client')}${max.kind === 'default' ? ' (the default `max`)' : ''} permanently`;
  if (wait === undefined || wait.kind === 'unknown')
    return `${each}; when none is left, callers wait`;
  return wait.value === 0
    ? `${each}; when none is left, callers wait indefinitely`
    : `${each}; when none is left, callers time out after ${wait.value} ms`;
}
