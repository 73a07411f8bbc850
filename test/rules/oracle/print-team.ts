import type { Piece } from './pieces.ts';
import { block, freshName, tryBlock, type Lines, type Printing } from './printing.ts';
import { behindTest, createHolder, holderFor, noteEnd, type Holder, type Scope } from './scope.ts';
import { queryOfPool } from './second-checkout.ts';
import type { Step, Team, TeamCall, TeamForm } from './teams.ts';

type Work = Piece & { readonly kind: 'team' };

/** How the members of a team speak of what they work on. */
interface Voice {
  readonly client: string;
  /** What remembers that the client was released; null where nothing does. */
  readonly done: string | null;
  readonly call: (member: number, told: string, depth: string) => string;
}

/** What the members are called with, and how those outside call them. */
interface Form {
  /** The functions, as they stand beside the function in question. */
  readonly text: (team: Team, site: number) => Lines;
  /** What is written before the first call. */
  readonly opening: (client: string, name: string, site: number) => Lines;
  readonly call: (call: TeamCall, given: Given) => string;
}

interface Given {
  readonly client: string;
  readonly name: string;
  readonly site: number;
}

const memberNames = ['first', 'second', 'third'];
/** Another number at each call, so that nothing is known of it but that it ends. */
const depth = 'options.depth';

/** A team works on a client in scope, or on one that it has checked out itself. */
export function printTeamPiece(piece: Work, scope: Scope, printing: Printing): Lines {
  if (piece.how === 'opened factory') {
    const holder = createHolder(++printing.sites);
    return printTeam(piece, holder, scope, printing);
  }
  const releases = stepsReached(printing.team, callsOf(piece)).some(
    ({ kind }) => kind === 'release',
  );
  const holder = holderFor(scope, piece.client, ({ mayRelease }) => mayRelease || !releases);
  return holder === undefined ? [] : printTeam(piece, holder, scope, printing);
}

function callsOf({ calls, last }: Work): readonly TeamCall[] {
  return last === null ? calls : [...calls, last];
}

/** A few calls of the members, the last of them in a `finally`. */
function printTeam(piece: Work, holder: Holder, scope: Scope, printing: Printing): Lines {
  const form = forms[piece.how];
  const { site } = holder;
  printing.helpers.set(`${piece.how}${site}`, form.text(printing.team, site).join('\n'));
  note(piece, holder, scope, printing);
  const given: Given = { client: holder.name, name: freshName('tx', printing), site };
  const calls = (each: readonly TeamCall[]): Lines => each.map((one) => form.call(one, given));
  const lines = [
    ...form.opening(holder.name, given.name, site),
    ...(piece.last === null
      ? calls(piece.calls)
      : tryBlock(calls(piece.calls), null, calls([piece.last]))),
  ];
  return holder.empty === 'never' ? lines : block(`if (${holder.name})`, lines);
}

/** What the steps that these calls come to do with the client. */
function note(piece: Work, holder: Holder, scope: Scope, printing: Printing): void {
  const { how } = piece;
  const { site } = holder;
  if (how !== 'opened factory') printing.lent.add(site);
  if (how.includes('factory')) printing.captured.add(site);
  else if (!how.includes('parameter')) printing.carried.add(site);
  const steps = stepsReached(printing.team, callsOf(piece));
  if (steps.some(({ kind }) => kind === 'release')) {
    printing.released.add(site);
    printing.doubtful.add(site);
    printing.trusted.add(site);
  }
  if (steps.some(({ kind }) => kind === 'second checkout')) printing.nested.add(site);
  if (steps.some((step) => step.kind === 'transaction' && step.text !== 'BEGIN'))
    noteEnd(holder, behindTest(scope), printing);
}

/** All steps that calls of these members come to. */
function stepsReached({ members }: Team, calls: readonly TeamCall[]): readonly Step[] {
  // The set grows while it is read: it is the worklist.
  const reached = new Set(calls.map(({ member }) => member));
  const steps: Step[] = [];
  for (const member of reached) {
    const inside = (members[member] ?? []).flatMap(withInner);
    steps.push(...inside);
    for (const step of inside) if (step.kind === 'call') reached.add(step.member);
  }
  return steps;
}

function withInner(step: Step): readonly Step[] {
  return step.kind === 'try'
    ? [step, ...[step.body, step.handler ?? [], step.finalizer ?? []].flat().flatMap(withInner)]
    : [step];
}

function printSteps(steps: readonly Step[], voice: Voice, own: number, site: number): Lines {
  return steps.flatMap((step) => printStep(step, voice, own, site));
}

function printStep(step: Step, voice: Voice, own: number, site: number): Lines {
  switch (step.kind) {
    case 'query':
      return [`await ${voice.client}.query('SELECT 4');`];
    case 'transaction':
      return [`await ${voice.client}.query('${step.text}');`];
    case 'release':
      return printRelease(step.how, voice);
    case 'second checkout':
      return [queryOfPool(site)];
    case 'leave':
      return [`if (check()) ${step.how === 'return' ? 'return' : "throw new Error('thrown')"};`];
    case 'call':
      // Whoever calls a member that stands before it counts down.
      return step.member > own
        ? [`${voice.call(step.member, 'told', 'depth')};`]
        : [`if (depth > 0) ${voice.call(step.member, 'told', 'depth - 1')};`];
    case 'try': {
      const inner = (each: readonly Step[]): Lines => printSteps(each, voice, own, site);
      const { body, handler, finalizer } = step;
      return tryBlock(
        inner(body),
        handler && { head: 'catch (error)', body: inner(handler) },
        finalizer && inner(finalizer),
      );
    }
  }
}

function printRelease(how: (Step & { kind: 'release' })['how'], { client, done }: Voice): Lines {
  const release = `${client}.release();`;
  switch (how) {
    case 'plain':
      return [release];
    case 'once':
      return done === null ? [release] : block(`if (!${done})`, [`${done} = true;`, release]);
    case 'told':
      return [`if (told) ${release}`];
    case 'sometimes':
      return [`if (check()) ${release}`];
  }
}

type Head = (name: string) => string;

function printMembers(team: Team, site: number, voice: Voice, head: Head, tail = '}'): Lines {
  return team.members.flatMap((steps, index) =>
    block(head(memberNames[index] ?? ''), printSteps(steps, voice, index, site), tail),
  );
}

function memberName(member: number): string {
  return memberNames[member] ?? '';
}

/** Members that are plain functions, with what they are given first. */
function functions(
  prefix: string,
  { parameter, client, done }: { parameter: string; client: string; done: string | null },
  argument: string,
  outside: (client: string, name: string, told: string) => string,
  opening: Form['opening'] = () => [],
): Form {
  const nameOf = (member: number, site: number): string => `${memberName(member)}${prefix}${site}`;
  const later = parameter.includes('told') ? '' : ', told';
  return {
    text: (team, site) =>
      printMembers(
        team,
        site,
        {
          client,
          done,
          call: (member, _told, levels) =>
            `await ${nameOf(member, site)}(${argument}${later}, ${levels})`,
        },
        (name) => `async function ${name}${prefix}${site}(${parameter}${later}, depth)`,
      ),
    opening,
    call: ({ member, told }, { client: own, name, site }) =>
      `await ${nameOf(member, site)}(${outside(own, name, told)}${later && `, ${told}`}, ${depth});`,
  };
}

const onObject: Form['call'] = ({ member, told }, { name }) =>
  `await ${name}.${memberName(member)}(${told}, ${depth});`;

function classText(team: Team, site: number): Lines {
  return block(`class Session${site}`, [
    'constructor(client) { this.client = client; this.done = false; }',
    ...printMembers(
      team,
      site,
      {
        client: 'this.client',
        done: 'this.done',
        call: (member, told, levels) => `await this.${memberName(member)}(${told}, ${levels})`,
      },
      (name) => `async ${name}(told, depth)`,
    ),
  ]);
}

function staticText(team: Team, site: number): Lines {
  return block(`class Sessions${site}`, [
    'constructor(client) { this.client = client; this.done = false; }',
    ...printMembers(
      team,
      site,
      {
        client: 'session.client',
        done: 'session.done',
        call: (member, told, levels) =>
          `await Sessions${site}.${memberName(member)}(session, ${told}, ${levels})`,
      },
      (name) => `static async ${name}(session, told, depth)`,
    ),
  ]);
}

function madeObject(team: Team, site: number): Lines {
  return [
    'let done = false;',
    ...block(
      'const made =',
      printMembers(
        team,
        site,
        {
          client: 'client',
          done: 'done',
          call: (member, told, levels) => `await made.${memberName(member)}(${told}, ${levels})`,
        },
        (name) => `async ${name}(told, depth)`,
        '},',
      ),
      '};',
    ),
    'return made;',
  ];
}

const forms: Readonly<Record<TeamForm, Form>> = {
  parameter: functions(
    'With',
    { parameter: 'client', client: 'client', done: null },
    'client',
    (client) => client,
  ),
  'object parameter': functions(
    'In',
    { parameter: '{ client, told }', client: 'client', done: null },
    '{ client, told }',
    (client, _name, told) => `{ client: ${client}, told: ${told} }`,
  ),
  'object written first': functions(
    'Of',
    { parameter: 'tx', client: 'tx.client', done: 'tx.done' },
    'tx',
    (_client, name) => name,
    (client, name) => [`const ${name} = { client: ${client}, done: false };`],
  ),
  class: {
    text: classText,
    opening: (client, name, site) => [`const ${name} = new Session${site}(${client});`],
    call: onObject,
  },
  static: {
    text: staticText,
    opening: (client, name, site) => [`const ${name} = new Sessions${site}(${client});`],
    call: ({ member, told }, { name, site }) =>
      `await Sessions${site}.${memberName(member)}(${name}, ${told}, ${depth});`,
  },
  factory: {
    text: (team, site) => block(`function createSession${site}(client)`, madeObject(team, site)),
    opening: (client, name, site) => [`const ${name} = createSession${site}(${client});`],
    call: onObject,
  },
  'opened factory': {
    text: (team, site) =>
      block(`async function openSession${site}()`, [
        `const client = await pool${site}.connect();`,
        ...madeObject(team, site),
      ]),
    opening: (_client, name, site) => [`const ${name} = await openSession${site}();`],
    call: onObject,
  },
};
