import { toPlainText } from '../../activity/plain-text.ts';
import type { ProbeRequest } from '../../probe/request.ts';
import type { CliIo } from '../cli-io.ts';
import { CouldNotRun } from '../exit-code.ts';
import type { WorkloadFlags } from './options/workload-options.ts';

type Io = Pick<CliIo, 'onKey' | 'signal' | 'stderr'>;

/**
 * Before a probe begins: whether its `--allow-writes` is confirmed, or can be. Throws `CouldNotRun` when it names another database,
 * or none where nobody can type one. What it names is never repeated: it may be a connection string that slipped in.
 */
export function checkWrites({ allowWrites }: WorkloadFlags, { target, dryRun }: ProbeRequest, { onKey }: Pick<Io, 'onKey'>): void {
  if (allowWrites === undefined || dryRun) return;
  const how = `Write --allow-writes=${toPlainText(target.database)}`;
  if (allowWrites === true && onKey === undefined) throw new CouldNotRun(`Nobody sits at a terminal to type the name of the database that may be written to. ${how}.`);
  if (allowWrites !== true && allowWrites !== target.database) throw new CouldNotRun(`--allow-writes does not name the database of this connection. ${how} if that is the one.`);
}

/** After the plan: true when nothing may be written, the name stood in the command already, or somebody types it. `--yes` does not answer this. */
export function confirmWrites({ allowWrites }: WorkloadFlags, { target }: Pick<ProbeRequest, 'target'>, { onKey, signal, stderr }: Io): Promise<boolean> {
  if (allowWrites === undefined || allowWrites === target.database) return Promise.resolve(true);
  if (onKey === undefined) return Promise.resolve(false);
  stderr.write('Statements of this probe may write, and are rolled back. Type the name of the database to allow it: ');
  return readLine({ onKey, signal, stderr }).then((line) => line === target.database);
}

/** What is typed until Enter, shown as it is typed; null when it was given up. */
function readLine({ onKey, signal, stderr }: Io & { readonly onKey: NonNullable<Io['onKey']> }): Promise<string | null> {
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
