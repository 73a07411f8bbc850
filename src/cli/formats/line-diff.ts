/** Lines that stay the same around a change, as in `diff -u`. */
const context = 3;
/** Above this many pairs of lines a change is shown as one block. */
const mostPairs = 4_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** What is different between two texts, line by line, as `diff -u` shows it; without its head. */
export function lineDiff(before: string, after: string): string {
  const lines = diff(linesOf(before), linesOf(after));
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  let [old, fresh] = [1, 1];
  let shown = '';
  for (const [index, { sign, text }] of lines.entries()) {
    if (isNear[index] === true) {
      if (isNear[index - 1] !== true) shown += `@@ -${old} +${fresh} @@\n`;
      shown += `${sign}${text}\n`;
    }
    if (sign !== '+') old++;
    if (sign !== '-') fresh++;
  }
  return shown;
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\r?\n$/u, '').split(/\r?\n/u);
}

function diff(before: readonly string[], after: readonly string[]): readonly Line[] {
  const start = before.findIndex((line, index) => line !== after[index]);
  if (start === -1 && before.length === after.length) return marked(' ', before);
  const head = start === -1 ? before.length : start;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    ...marked(' ', before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...marked(' ', before.slice(before.length - tail)),
  ];
}

function marked(sign: Line['sign'], lines: readonly string[]): readonly Line[] {
  return lines.map((text) => ({ sign, text }));
}

/** By the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): readonly Line[] {
  if (before.length * after.length > mostPairs)
    return [...marked('-', before), ...marked('+', after)];
  const commonFrom = commonLengths(before, after);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [old, fresh] = [before[i], after[j]];
    if (old === undefined) return [...lines, ...marked('+', after.slice(j))];
    if (fresh === undefined) return [...lines, ...marked('-', before.slice(i))];
    if (old === fresh) lines.push({ sign: ' ', text: old });
    else if (commonFrom(i + 1, j) >= commonFrom(i, j + 1)) lines.push({ sign: '-', text: old });
    else lines.push({ sign: '+', text: fresh });
    const { sign } = lines.at(-1) as Line;
    if (sign !== '+') i++;
    if (sign !== '-') j++;
  }
}

/** How many lines two texts have in common, in order, from line i of one and line j of the other on. */
function commonLengths(before: readonly string[], after: readonly string[]) {
  const rows = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      (rows[i] as number[])[j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}
