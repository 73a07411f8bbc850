/** A stack that was kept and not yet put into words, which is the dear part of it. */
export type CapturedStack = Error;

/** Enough for an application's own frame below a framework and an ORM. */
const depth = 24;

/** Keeps the stack of the caller. Without constructor option: leaving frames out by it walks the stack twice. */
export function captureStack(): CapturedStack | null {
  const limit = Error.stackTraceLimit;
  try {
    Error.stackTraceLimit = depth;
  } catch {
    // Frozen intrinsics: whatever the limit is, it stays.
    return new Error();
  }
  const stack = new Error();
  Error.stackTraceLimit = limit;
  return stack;
}

const outer = new WeakMap<
  CapturedStack,
  { readonly stack: CapturedStack; readonly depth: number }
>();
/** So many calls that lie in each other are kept, the innermost first. */
const mostOuter = 4;

/** Keeps with a stack the one of the call in which it was made: libraries lose their callers on the way. */
export function putInside(stack: CapturedStack, around: CapturedStack): void {
  const depth = (outer.get(around)?.depth ?? 0) + 1;
  if (depth < mostOuter) outer.set(stack, { stack: around, depth });
}

export function outerOf(stack: CapturedStack): CapturedStack | null {
  return outer.get(stack)?.stack ?? null;
}

/** A stack that a library has kept, as its text; read only when it is wanted. */
export function stackOfText(text: () => string): CapturedStack {
  const stack = new TextStack();
  texts.set(stack, text);
  return stack;
}

/** No `Error`, which would walk the stack of now. */
class TextStack {
  readonly name = 'stack';
  readonly message = '';
}

const texts = new WeakMap<CapturedStack, () => string>();

/** What is asked of a frame. */
export type Frame = Pick<
  NodeJS.CallSite,
  'getFileName' | 'getLineNumber' | 'getColumnNumber' | 'getFunctionName' | 'isNative' | 'isEval'
>;

/** What was read of a stack: V8 gives its frames once only. */
const read = new WeakMap<CapturedStack, readonly Frame[]>();

/** The frames of a kept stack, in what runs. */
export function framesOf(stack: CapturedStack): readonly Frame[] {
  const known = read.get(stack);
  if (known !== undefined) return known;
  const text = texts.get(stack);
  const frames = text === undefined ? callSitesOf(stack) : framesOfText(text());
  read.set(stack, frames);
  return frames;
}

/** As V8 writes them: `    at name (file:1:2)`, `    at async file:1:2`. */
function framesOfText(text: string): readonly Frame[] {
  return text
    .slice(0, longestText)
    .split('\n')
    .flatMap((line) => {
      const found =
        /^ {4}at (?:async )?(?:(?<name>[^(]{1,200}) \()?(?<file>[^()]{1,4096}):(?<line>\d{1,9}):(?<column>\d{1,9})\)?$/u.exec(
          line,
        )?.groups;
      if (found === undefined) return [];
      return {
        getFileName: () => found['file'] ?? null,
        getLineNumber: () => Number(found['line']),
        getColumnNumber: () => Number(found['column']),
        getFunctionName: () => found['name'] ?? null,
        isNative: () => false,
        isEval: () => false,
      };
    });
}

const longestText = 10_000;

/** As V8 has them. */
function callSitesOf(stack: CapturedStack): readonly NodeJS.CallSite[] {
  let sites: readonly NodeJS.CallSite[] = [];
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  Error.prepareStackTrace = (_error, frames) => {
    sites = frames;
    return '';
  };
  try {
    // Reading is what prepares it.
    void stack.stack;
  } finally {
    if (before === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Object.defineProperty(Error, 'prepareStackTrace', before);
  }
  return sites;
}
