/** The value of a variable; undefined when it is not set. */
export type Lookup = (name: string) => string | undefined;

/** No address is that long: longer texts stay as they are, so that files cannot be made to grow. */
const longest = 8_192;
const deepest = 8;
const mostReferences = 64;

/** Asks for the value of each variable that it comes to, and returns the text with all of them filled in. */
export type Expansion = Generator<string, string, string | undefined>;

/**
 * Replaces `$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME-default}`, `${NAME:+other}` and `${NAME+other}`, as shells, dotenv-expand
 * and Compose do; `\$` stands for a dollar sign. A variable that is not set, and `$(…)`, stay as they are written: nothing is run.
 */
export function* expansionOf(text: string, depth = 0): Expansion {
  if (text.length > longest || depth > deepest) return text;
  let out = '';
  let at = 0;
  for (let references = 0; references < mostReferences && out.length <= longest; references += 1) {
    const dollar = text.indexOf('$', at);
    if (dollar === -1) break;
    const { written, value, before } = yield* readDollar(text, dollar, depth);
    out += text.slice(at, before) + value;
    at = dollar + written.length;
  }
  return out.length > longest ? text : out + text.slice(at);
}

/** The same with values that are there already. */
export function expandVariables(text: string, lookup: Lookup): string {
  const expansion = expansionOf(text);
  let step = expansion.next();
  while (step.done !== true) step = expansion.next(lookup(step.value));
  return step.value;
}

/** What stands at a dollar sign: what is written, what it becomes, and where the text before it ends. */
function* readDollar(
  text: string,
  dollar: number,
  depth: number,
): Generator<
  string,
  { readonly written: string; readonly value: string; readonly before: number },
  string | undefined
> {
  if (text.charAt(dollar - 1) === '\\') return { written: '$', value: '$', before: dollar - 1 };
  const reference = readReference(text, dollar);
  if (reference === undefined) return { written: '$', value: '$', before: dollar };
  const { written } = reference;
  return { written, value: (yield* resolve(reference, depth)) ?? written, before: dollar };
}

interface Reference {
  readonly written: string;
  readonly name: string;
  /** `:-`, `-`, `:+`, `+`, or empty. */
  readonly operator: string;
  readonly word: string;
}

function readReference(text: string, dollar: number): Reference | undefined {
  const bare = /\$([A-Za-z_]\w*)/y;
  bare.lastIndex = dollar;
  const name = bare.exec(text)?.[1];
  if (name !== undefined) return { written: `$${name}`, name, operator: '', word: '' };
  if (text.charAt(dollar + 1) !== '{') return undefined;
  const close = closingBrace(text, dollar + 2);
  if (close === -1) return undefined;
  const parts = /^([A-Za-z_]\w*)(?:(:?[-+?])([\s\S]*))?$/.exec(text.slice(dollar + 2, close));
  if (parts?.[1] === undefined) return undefined;
  return {
    written: text.slice(dollar, close + 1),
    name: parts[1],
    operator: parts[2] ?? '',
    word: parts[3] ?? '',
  };
}

/** -1 when there is none; counts braces of nested references only. */
function closingBrace(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) open += 1;
    else if (text.charAt(at) === '}') open -= 1;
    if (open === 0) return at;
  }
  return -1;
}

function* resolve(
  { name, operator, word }: Reference,
  depth: number,
): Generator<string, string | undefined, string | undefined> {
  const value = yield name;
  const isSet = operator.startsWith(':')
    ? value !== undefined && value !== ''
    : value !== undefined;
  if (operator.endsWith('-')) return isSet ? value : yield* expansionOf(word, depth + 1);
  if (operator.endsWith('+')) return isSet ? yield* expansionOf(word, depth + 1) : '';
  return value;
}
