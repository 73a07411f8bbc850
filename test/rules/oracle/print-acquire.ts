import type { AcquireForm, Care, Guard, Piece } from './pieces.ts';
import { printPieces } from './print-pieces.ts';
import { block, tryBlock, type Lines, type Printing } from './printing.ts';
import {
  createHolder,
  insideFunction,
  protecting,
  withHolder,
  type Holder,
  type Scope,
} from './scope.ts';

type Acquire = Piece & { readonly kind: 'acquire' };

/** An acquire and what follows it in its block. */
export function printAcquire(piece: Acquire, scope: Scope, printing: Printing): Lines {
  const site = ++printing.sites;
  const holder = createHolder(site);
  if (piece.care === 'late')
    return printLate(piece, { ...holder, empty: 'undefined', isAssignable: true }, scope, printing);
  const around = enclosing[piece.how];
  if (around !== undefined)
    return around(site, (inner) => printWithCare(piece, holder, inner, printing), scope, printing);
  const [lines, declared] = declarations[piece.how](holder, printing);
  return [...lines, ...printWithCare(piece, declared, scope, printing)];
}

type Declaration = (holder: Holder, printing: Printing) => readonly [Lines, Holder];

function plain(expression: (site: number, printing: Printing) => string): Declaration {
  return (holder, printing) => [
    [`const ${holder.name} = ${expression(holder.site, printing)};`],
    holder,
  ];
}

function getter(text: (site: number) => string): Declaration {
  return plain((site, printing) => {
    printing.helpers.set(`getClientOf${site}`, text(site));
    return `await getClientOf${site}()`;
  });
}

const declarations: Readonly<Record<AcquireForm, Declaration>> = {
  const: plain((site) => `await pool${site}.connect()`),
  let: (holder) => [
    [`let ${holder.name} = await pool${holder.site}.connect();`],
    { ...holder, isAssignable: true },
  ],
  declared: (holder) => [
    [`let ${holder.name} = null;`],
    { ...holder, empty: 'null', isAssignable: true },
  ],
  getter: getter(
    (site) =>
      `async function getClientOf${site}() { const client = await pool${site}.connect(); return client; }`,
  ),
  'direct getter': getter((site) => `const getClientOf${site} = () => pool${site}.connect();`),
  'getter with safe set-up': getter(
    (site) =>
      `async function getClientOf${site}() { const client = await pool${site}.connect(); try { await client.query('SELECT 3'); return client; } catch (error) { client.release('set-up failed'); throw error; } }`,
  ),
  'getter with unsafe set-up': getter(
    (site) =>
      `async function getClientOf${site}() { const client = await pool${site}.connect(); await client.query('SELECT 3'); return client; }`,
  ),
  method: plain((site, printing) => {
    printing.helpers.set(
      `Database${site}`,
      `class Database${site} { connect() { return pool${site}.connect(); } }\nconst database${site} = new Database${site}();`,
    );
    return `await database${site}.connect()`;
  }),
  ternary: (holder) => [
    [`const ${holder.name} = p ? await pool${holder.site}.connect() : null;`],
    { ...holder, empty: 'null' },
  ],
  and: (holder) => [
    [`const ${holder.name} = p && (await pool${holder.site}.connect());`],
    { ...holder, empty: 'false' },
  ],
  given: (holder) => [
    [`const ${holder.name} = given ?? (await pool${holder.site}.connect());`],
    { ...holder, flag: 'given' },
  ],
  chain: plain((site) => `await pool${site}.connect().then((raw) => raw)`),
  'chain with set-up': plain(
    (site) =>
      `await pool${site}.connect().then(async (raw) => { try { await raw.query('SELECT 3'); } catch (error) { raw.release('set-up failed'); throw error; } return raw; })`,
  ),
  'then-catch': (holder) => [
    [`const ${holder.name} = await pool${holder.site}.connect().catch(() => null);`],
    { ...holder, empty: 'null' },
  ],
  'promise first': (holder) => [
    [
      `const pending${holder.site} = pool${holder.site}.connect();`,
      `const ${holder.name} = await pending${holder.site};`,
    ],
    holder,
  ],
  wrapper: plain((site) => `await pool${site}.connect()`),
  'leaky wrapper': plain((site) => `await pool${site}.connect()`),
};

type Enclosing = (
  site: number,
  print: (scope: Scope) => Lines,
  scope: Scope,
  printing: Printing,
) => Lines;

/** The client comes as the parameter of a function that gets it lent. */
function wrapper(text: (site: number) => string): Enclosing {
  return (site, print, scope, printing) => {
    printing.helpers.set(`withClient${site}`, text(site));
    printing.lent.add(site);
    const parameter = createHolder(site, { mayRelease: false });
    for (const holder of scope.holders) printing.captured.add(holder.site);
    return block(
      `await withClient${site}(async (client${site}) =>`,
      print(withHolder(insideFunction(scope, true), parameter)),
      '});',
    );
  };
}

const enclosing: Partial<Record<AcquireForm, Enclosing>> = {
  wrapper: wrapper(
    (site) =>
      `async function withClient${site}(run) { const client = await pool${site}.connect(); try { return await run(client); } finally { client.release(); } }`,
  ),
  'leaky wrapper': wrapper(
    (site) =>
      `async function withClient${site}(run) { const client = await pool${site}.connect(); await client.query('SELECT 3'); try { return await run(client); } finally { client.release(); } }`,
  ),
};

/** The rest of the block with the release that its author has thought of. */
function printWithCare(
  { care, how, guard, rest }: Acquire,
  holder: Holder,
  scope: Scope,
  printing: Printing,
): Lines {
  const body = (inner: Scope): Lines => printPieces(rest, inner, printing);
  const isLent = how === 'wrapper' || how === 'leaky wrapper';
  if (isLent || care === 'late') return body(scope);
  if (care !== 'none') printing.released.add(holder.site);
  return careful[care]({ holder, scope, body, guard, printing });
}

interface CareArguments {
  readonly holder: Holder;
  readonly scope: Scope;
  readonly body: (scope: Scope) => Lines;
  readonly guard: Guard;
  readonly printing: Printing;
}

const careful: Readonly<Record<Exclude<Care, 'late'>, (given: CareArguments) => Lines>> = {
  none: ({ holder, scope, body }) => body(withHolder(scope, holder)),
  straight: ({ holder, scope, body, guard }) => [
    ...body(kept(holder, scope)),
    ...guardedRelease(holder, guard),
  ],
  finally: ({ holder, scope, body, guard }) =>
    tryBlock(body(kept(holder, scope)), null, guardedRelease(holder, guard)),
  balanced: ({ holder, scope, body, guard }) => [
    ...tryBlock(
      body(kept(holder, scope)),
      { head: 'catch (error)', body: [...guardedRelease(holder, guard), 'throw error;'] },
      null,
    ),
    ...guardedRelease(holder, guard),
  ],
  flag({ holder, scope, body, guard }) {
    const flag = `released${holder.site}`;
    const release = guardedRelease(holder, guard);
    return [
      `let ${flag} = false;`,
      ...tryBlock(
        body(withHolder(scope, { ...holder, flag })),
        null,
        block(`if (!${flag})`, release),
      ),
    ];
  },
  transaction({ holder, scope, body, guard, printing }) {
    printing.ended.add(holder.site);
    const query = (text: string): string =>
      holder.empty === 'never'
        ? `await ${holder.name}.query('${text}');`
        : `if (${holder.name}) await ${holder.name}.query('${text}');`;
    return tryBlock(
      [query('BEGIN'), ...body(kept(holder, scope)), query('COMMIT')],
      { head: 'catch (error)', body: [query('ROLLBACK'), 'throw error;'] },
      guardedRelease(holder, guard),
    );
  },
};

/** Nothing inside releases the client, because what stands around does. */
function kept(holder: Holder, scope: Scope): Scope {
  return protecting(withHolder(scope, { ...holder, mayRelease: false }), holder.site);
}

/** `let client; try { client = await …; … } finally { if (client) client.release(); }` */
function printLate(
  { rest, guard }: Acquire,
  holder: Holder,
  scope: Scope,
  printing: Printing,
): Lines {
  printing.released.add(holder.site);
  const inner = kept({ ...holder, isAssignable: false }, scope);
  const body = [
    `${holder.name} = await pool${holder.site}.connect();`,
    ...printPieces(rest, inner, printing),
  ];
  return [
    `let ${holder.name};`,
    ...tryBlock(body, null, guardedRelease(holder, guard === 'plain' ? 'if' : guard)),
  ];
}

/** A release that is safe where the name holds no client. */
export function guardedRelease({ name, empty, flag }: Holder, guard: Guard): Lines {
  if (flag === 'given') return [`if (!given) ${name}.release();`];
  if (empty === 'never' && guard === 'plain') return [`${name}.release();`];
  switch (guard) {
    case 'optional':
      return empty === 'false' ? [`if (${name}) ${name}.release();`] : [`${name}?.release();`];
    case 'and':
      return [`${name} && ${name}.release();`];
    case 'compared':
      return [`if (${presence(name, empty)}) ${name}.release();`];
    default:
      return [`if (${name}) ${name}.release();`];
  }
}

/** A comparison that holds where the name holds a client. */
export function presence(name: string, empty: Holder['empty']): string {
  return {
    never: `${name} != null`,
    null: `${name} !== null`,
    undefined: `${name} !== undefined`,
    false: `${name} !== false`,
  }[empty];
}
