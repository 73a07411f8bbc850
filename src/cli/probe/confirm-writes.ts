import { toPlainText } from '../../activity/plain-text.ts';
import type { ProbeRequest } from '../../probe/request.ts';
import type { CliIo } from '../cli-io.ts';
import { CouldNotRun } from '../exit-code.ts';
import type { WorkloadFlags } from './options/workload-options.ts';

type Io = Pick<CliIo, 'onKey' | 'signal' | 'stderr'>;

/**
 * Whether `--allow-writes` is confirmed, before anything runs: a probe times its statements even for its plan. True when nothing may be
 * written, when the command names the database, or when somebody types it; `--yes` does not answer this. Throws `CouldNotRun` when it names another
 * database, or none where nobody can type one. What it names is never repeated: it may be a connection string that slipped in.
 */
export async function confirmWrites(
  { allowWrites }: WorkloadFlags,
  { target, dryRun }: Pick<ProbeRequest, 'target' | 'dryRun'>,
  { onKey, signal, stderr }: Io,
): Promise<boolean> {
  if (allowWrites === undefined || allowWrites === target.database || dryRun) return true;
  const how = `Write --allow-writes=${toPlainText(target.database)}`;
  if (allowWrites !== true)
    throw new CouldNotRun(
      `--allow-writes does not name the database of this connection. ${how} if that is the one.`,
    );
  if (onKey === undefined)
    throw new CouldNotRun(
      `This terminal is not interactive, so the name of the database cannot be confirmed. ${how}.`,
    );
  stderr.write(
    'Statements of this probe may write, and are rolled back. Type the name of the database to allow it: ',
  );
  return (await readLine({ onKey, signal, stderr })) === target.database;
}

/** What is typed until Enter, shown as it is typed; null when it was given up. */
function readLine({
  onKey,
  signal,
  stderr,
}: Io & { readonly onKey: NonNullable<Io['onKey']> }): Promise<string | null> {
  return new Promise((resolve) => {
    let line = '';
    const end = (answer: string | null) => {
      ignore();
      signal.removeEventListener('abort', giveUp);
      stderr.write('\n');
      resolve(answer);
    };
    const giveUp = () => end(null);
    const ignore = onKey((key) => {
      if (/^[\r\n]$/.test(key)) return end(line);
      if (key === '\u0003' || key === '\u0004' || key === '\u001B') return giveUp();
      if (key === '\u007F' || key === '\b') {
        if (line !== '') stderr.write('\b \b');
        line = [...line].slice(0, -1).join('');
      } else if (!/[\p{Cc}]/u.test(key)) {
        line += key;
        stderr.write(toPlainText(key));
      }
    });
    signal.addEventListener('abort', giveUp, { once: true });
  });
}
