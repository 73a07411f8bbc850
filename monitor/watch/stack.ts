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

/** What was read of a stack: V8 gives its frames once only. */
const read = new WeakMap<CapturedStack, readonly NodeJS.CallSite[]>();

/** The frames of a kept stack as V8 has them, in what runs. */
export function callSitesOf(stack: CapturedStack): readonly NodeJS.CallSite[] {
  const known = read.get(stack);
  if (known !== undefined) return known;
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
  read.set(stack, sites);
  return sites;
}
