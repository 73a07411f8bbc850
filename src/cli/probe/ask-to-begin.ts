import type { CliIo } from '../cli-io.ts';

/** Asks below the plan whether to begin. Enter and y agree; n, q, Escape and Ctrl-C do not; a signal takes the question back. */
export function askToBegin(
  {
    onKey,
    stderr,
  }: { readonly onKey: NonNullable<CliIo['onKey']>; readonly stderr: CliIo['stderr'] },
  signal: AbortSignal,
): Promise<boolean> {
  stderr.write('Begin? [Y/n] ');
  return new Promise((resolve) => {
    let isAnswered = false;
    const answer = (agreed: boolean) => {
      // What is pasted arrives as several keys at once.
      if (isAnswered) return;
      isAnswered = true;
      stop();
      signal.removeEventListener('abort', refuse);
      stderr.write(agreed ? 'yes\n' : 'no\n');
      resolve(agreed);
    };
    const refuse = () => answer(false);
    const stop = onKey((key) => {
      if (/^[yY\r\n]$/.test(key)) answer(true);
      if (/^[nNqQ\u001B\u0003]$/.test(key)) answer(false);
    });
    signal.addEventListener('abort', refuse, { once: true });
  });
}
