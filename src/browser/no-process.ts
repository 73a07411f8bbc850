/** Stands for Node's `process` in a browser, for libraries that ask it in passing. */
export const process = { argv: [], cwd: () => '/', env: {}, execArgv: [], platform: 'browser' };
