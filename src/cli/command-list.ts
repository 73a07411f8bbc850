import type { Command } from 'commander';

/** Every command, as the overview lists it: what it takes, and what it does. */
export const commandList = {
  lint: {
    takes: '[paths...]',
    does: 'find connection-pool bugs in JavaScript and TypeScript; needs no configuration',
  },
  activity: {
    takes: '[url]',
    does: "show who uses the server's connections: headroom, limits, pools, the blocking tree, sessions",
  },
  pooler: {
    takes: '[url]',
    does: 'show who waits in the PgBouncer between application and server: pools, waits, statistics',
  },
  probe: {
    takes: '[url]',
    does: 'measure which pool size (max) a statement needs on a development database',
  },
  sweep: {
    takes: '',
    does: 'load your own application, started with one pool size after the other',
  },
  report: {
    takes: '<result.json>',
    does: 'write a saved result again, of a probe, a sweep or an exported k6 script: terminal, Markdown, JSON, CSV, HTML',
  },
  lsp: {
    takes: '',
    does: 'run the language server on standard input and output, for editors other than VS Code',
  },
} as const satisfies Readonly<Record<string, { readonly takes: string; readonly does: string }>>;

export type CommandName = keyof typeof commandList;

/** Adds a command of the list; its options, and what it does, are for the caller to add. */
export function declare(program: Command, name: CommandName): Command {
  return program.command(name).description(commandList[name].does);
}

/** The command that is meant, also by `help lint`; undefined for none, and for a name that is not in the list. */
export function commandIn(args: readonly string[]): CommandName | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'));
  const name = first === 'help' ? second : first;
  return name !== undefined && Object.hasOwn(commandList, name) ? (name as CommandName) : undefined;
}
