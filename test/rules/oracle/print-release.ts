import type { LendForm, ReleaseForm } from './pieces.ts';
import { guardedRelease } from './print-acquire.ts';
import { freshName, helper, type Lines, type Printing } from './printing.ts';
import { noteEnd, type Holder, type Scope } from './scope.ts';

/** Releases of which not each round of a loop comes to one. */
const tested: ReadonlySet<ReleaseForm> = new Set(['flagged', 'ternary', 'closure']);

type Print = (holder: Holder, scope: Scope, printing: Printing) => Lines;

export function printRelease(
  holder: Holder,
  how: ReleaseForm,
  scope: Scope,
  printing: Printing,
): Lines {
  if (
    how === 'unless told' ||
    (scope.round !== 'none' &&
      (scope.round === 'tested' || tested.has(how) || holder.flag === 'given'))
  )
    printing.doubtful.add(holder.site);
  if (how.includes('helper')) noteEnd(holder, scope, printing);
  // What an event releases is handed over to the event.
  (how === 'event' ? printing.captured : printing.released).add(holder.site);
  if (holder.flag === 'given') return guardedRelease(holder, 'plain');
  const lines = releases[how](holder, scope, printing);
  return holder.empty === 'never' || safeForms.has(how)
    ? lines
    : [`if (${holder.name}) {`, ...lines, '}'];
}

/** Forms that ask for the client themselves. */
const safeForms: ReadonlySet<ReleaseForm> = new Set(['if', 'and', 'optional']);

const plain: Print = ({ name, done }) => [done === null ? `${name}.release();` : `${done}();`];

function call(print: (name: string, printing: Printing) => string): Print {
  return ({ name }, _scope, printing) => [print(name, printing)];
}

function awaited(print: Print): Print {
  return (holder, scope, printing) => (scope.mayAwait ? print : plain)(holder, scope, printing);
}

const releases: Readonly<Record<ReleaseForm, Print>> = {
  plain,
  optional: (holder) => guardedRelease(holder, 'optional'),
  if: (holder) => guardedRelease(holder, 'if'),
  and: (holder) => guardedRelease(holder, 'and'),
  flagged: (holder, scope, printing) =>
    holder.flag === null
      ? plain(holder, scope, printing)
      : [`if (!${holder.flag}) {`, `  ${holder.flag} = true;`, `  ${holder.name}.release();`, '}'],
  'flagged late': (holder, scope, printing) =>
    holder.flag === null
      ? plain(holder, scope, printing)
      : [`${holder.name}.release();`, `${holder.flag} = true;`],
  helper: call((name, printing) => `${helper('giveBack', printing)}(${name});`),
  closure: ({ name }, _scope, printing) => {
    const finish = freshName('finish', printing);
    return [`const ${finish} = () => ${name}.release();`, `${finish}();`];
  },
  'taken out': ({ name }, _scope, printing) => {
    const release = freshName('release', printing);
    return [`const { release: ${release} } = ${name};`, `${release}();`];
  },
  'with error': ({ name }, scope) => [`${name}.release(${scope.error ?? 'true'});`],
  ternary: call((name) => `check() ? ${name}.release() : ${name}.release(true);`),
  'awaited helper': awaited(
    call((name, printing) => `await ${helper('giveBackLater', printing)}(${name});`),
  ),
  'helper that may throw first': awaited(
    call((name, printing) => `await ${helper('giveBackAtLast', printing)}(${name});`),
  ),
  'unless told': call(
    (name, printing) => `${helper('giveBackUnless', printing)}(${name}, options.strict);`,
  ),
  event: (holder, scope, printing) =>
    holder.isAssignable
      ? plain(holder, scope, printing)
      : [`events.once('close', () => ${holder.name}.release());`],
};

export function printLend(holder: Holder, how: LendForm, scope: Scope, printing: Printing): Lines {
  printing.lent.add(holder.site);
  const line = lendings[scope.mayAwait ? how : 'synchronous helper'](holder.name, printing);
  return [holder.empty === 'never' ? line : `if (${holder.name}) ${line}`];
}

const lendings: Readonly<Record<LendForm, (name: string, printing: Printing) => string>> = {
  'awaited helper': (name, printing) => `await ${helper('use', printing)}(${name});`,
  'helper that may throw': (name, printing) => `await ${helper('useOrThrow', printing)}(${name});`,
  'synchronous helper': (name, printing) => `${helper('look', printing)}(${name});`,
  'awaited stranger': (name) => `await stranger(${name});`,
  'in an object': (name) => `await stranger({ client: ${name} });`,
};
