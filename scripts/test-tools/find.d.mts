export type Tool = 'pgbouncer' | 'chromium' | 'neovim';
/** The path of a program: the system's, unless POOLGUARD_TEST_TOOLS=own, else the repository's own; undefined when there is none. */
export function findTool(tool: Tool, env?: NodeJS.ProcessEnv): string | undefined;
/** As `findTool`, for who cannot go on without it. */
export function needTool(tool: Tool): string;
