// Shows what a long command is doing, to people and in logs.

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;
/** A log gets a line of progress this often. */
const lineMs = 5_000;

/** @type {typeof import('./steps.mjs').createSteps} */
export function createSteps(output, now) {
  const { colors } = output;
  return {
    async run(name, work) {
      const started = now();
      const elapsed = () => now() - started;
      const line = output.isTTY
        ? startMovingLine(output, name, elapsed)
        : startPlainLines(output, name, elapsed);
      try {
        const result = await work(line.doing);
        line.end(`${colors.green('✓')} ${name} ${colors.dim(seconds(elapsed()))}`);
        return result;
      } catch (error) {
        line.end(`${colors.red('✗')} ${name} ${colors.dim(seconds(elapsed()))}`);
        throw error;
      }
    },
    say: (text) => output.write(`${text.replaceAll(/^(?=.)/gm, '  ')}\n`),
  };
}

function startPlainLines(output, name, elapsed) {
  output.write(`… ${name}\n`);
  let next = lineMs;
  return {
    doing(text) {
      const ms = elapsed();
      if (ms < next) return;
      next = ms + lineMs;
      output.write(`  ${text}, ${seconds(ms)}\n`);
    },
    end: (text) => output.write(`${text}\n`),
  };
}

function startMovingLine(output, name, elapsed) {
  let detail = '';
  let frame = 0;
  const draw = () =>
    output.write(
      `\r\u001B[2K${output.colors.cyan(frames[frame++ % frames.length])} ${name} ${output.colors.dim(`${seconds(elapsed())} ${detail}`)}`,
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

function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}
