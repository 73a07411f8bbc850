// Keeps the command line of an ESLint, which is loaded once for one order after the other.
import { createRequire } from 'node:module';

const { execute } = createRequire(import.meta.url)(process.argv[2]);

process.on('message', async ({ args, cwd }) => {
  process.chdir(cwd);
  let stdout = '';
  Object.assign(console, {
    log: (text) => void (stdout += `${text}\n`),
    error: () => undefined,
  });
  const code = await execute(['node', 'eslint', ...args], null, true).catch(String);
  process.send({ code, stdout });
});
