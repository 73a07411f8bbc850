import type { Command } from 'commander';

interface Listed {
  readonly takes: string;
  /** A line of the overview. */
  readonly summary: string;
  /** What its own help begins with. */
  readonly description: string;
}

/** Every command: its arguments, and what it does. */
export const commandList = {
  lint: {
    takes: '[paths...]',
    summary: 'find connection-pool bugs in JavaScript and TypeScript',
    description: 'find connection-pool bugs in JavaScript and TypeScript; needs no configuration',
  },
  activity: {
    takes: '[url]',
    summary: 'show who uses the connections of a server',
    description:
      "show who uses the server's connections: headroom, limits, pools, the blocking tree, sessions",
  },
  pooler: {
    takes: '[url]',
    summary: 'show who waits in PgBouncer',
    description:
      'show who waits in the PgBouncer between application and server: pools, waits, statistics',
  },
  probe: {
    takes: '[url]',
    summary: 'measure which pool size a statement needs',
    description: 'measure which pool size (max) a statement needs on a development database',
  },
  sweep: {
    takes: '',
    summary: 'load your own application with one pool size after the other',
    description: 'load your own application, started with one pool size after the other',
  },
  report: {
    takes: '<result.json>',
    summary: 'write a saved result again, in any format',
    description:
      'write a saved result again, of a probe, a sweep or an exported k6 script: terminal, Markdown, JSON, CSV, HTML',
  },
  lsp: {
    takes: '',
    summary: 'run the language server, for editors other than VS Code',
    description:
      'run the language server on standard input and output, for editors other than VS Code',
  },
} as const satisfies Readonly<Record<string, Listed>>;

export type CommandName = keyof typeof commandList;

/** Adds a command of the list; its options are for the caller to add. */
export function declare(program: Command, name: CommandName): Command {
  const { summary, description } = commandList[name];
  return program.command(name).summary(summary).description(description);
}

/** The command that is meant, also by `help lint`; undefined for none, and for a name that is not in the list. */
export function commandIn(args: readonly string[]): CommandName | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'));
  const name = first === 'help' ? second : first;
  return name !== undefined && Object.hasOwn(commandList, name) ? (name as CommandName) : undefined;
}
