import type pc from 'picocolors';

/** Where progress goes: lines for everybody, a moving line for a person at a terminal. */
export interface Output {
  readonly write: (text: string) => void;
  readonly isTTY: boolean;
  readonly colors: ReturnType<typeof pc.createColors>;
}

export interface Steps {
  /** Runs one step, with its name before and its time after. `doing` shows what the step is at; a moving line on a terminal only. */
  readonly run: <T>(
    name: string,
    work: (doing: (text: string) => void) => Promise<T>,
  ) => Promise<T>;
  /** A line of result below the step that just ended. */
  readonly say: (text: string) => void;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;

export function createSteps(output: Output, now: () => number): Steps {
  const { colors } = output;
  return {
    async run(name, work) {
      const started = now();
      const line = output.isTTY
        ? startMovingLine(output, name, () => now() - started)
        : startPlainLine(output, name);
      try {
        const result = await work(line.doing);
        line.end(`${colors.green('✓')} ${name} ${colors.dim(seconds(now() - started))}`);
        return result;
      } catch (error) {
        line.end(`${colors.red('✗')} ${name} ${colors.dim(seconds(now() - started))}`);
        throw error;
      }
    },
    say: (text) => output.write(`${text.replaceAll(/^(?=.)/gm, '  ')}\n`),
  };
}

interface Line {
  readonly doing: (text: string) => void;
  readonly end: (text: string) => void;
}

function startPlainLine(output: Output, name: string): Line {
  output.write(`… ${name}\n`);
  return { doing: () => undefined, end: (text) => output.write(`${text}\n`) };
}

function startMovingLine(output: Output, name: string, elapsed: () => number): Line {
  let detail = '';
  let frame = 0;
  const draw = () =>
    output.write(
      `\r\u001B[2K${output.colors.cyan(frames[frame++ % frames.length] ?? '')} ${name} ${output.colors.dim(`${seconds(elapsed())} ${detail}`)}`,
    );
  draw();
  const timer = setInterval(draw, frameMs);
  return {
    doing: (text) => void (detail = text),
    end(text) {
      clearInterval(timer);
      output.write(`\r\u001B[2K${text}\n`);
    },
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
