import type { CliIo, Terminal } from './cli-io.ts';

export interface LiveScreen {
  /** Replaces what is shown. Off a terminal, the text is printed below what came before. */
  show(text: string): void;
  /** Gives the terminal back as it was. Safe to call twice. */
  end(): void;
}

/** Second page, no cursor, and no line wrapping: a wide line is cut instead of pushing others off the page. */
const enter = '\u001B[?1049h\u001B[?25l\u001B[?7l';
const leave = '\u001B[?7h\u001B[?25h\u001B[?1049l';
const toTop = '\u001B[H';
const clearLine = '\u001B[K';
const clearBelow = '\u001B[J';

/** Draws on the terminal's second page, so that the first one comes back untouched. */
export function createLiveScreen(terminal: Terminal, onExit?: CliIo['onExit']): LiveScreen {
  let leaveNow: (() => void) | undefined;
  if (terminal.isTTY !== true)
    return { show: (text) => void terminal.write(`${text}\n\n`), end: () => undefined };
  return {
    show(text) {
      if (leaveNow === undefined) {
        terminal.write(enter);
        // Whatever ends the process while the second page is shown.
        const stop = onExit?.(() => terminal.write(leave));
        leaveNow = () => {
          stop?.();
          terminal.write(leave);
        };
      }
      const lines = fit(text.split('\n'), terminal.rows ?? 24);
      terminal.write(`${toTop}${lines.map((line) => line + clearLine).join('\n')}${clearBelow}`);
    },
    end() {
      leaveNow?.();
      leaveNow = undefined;
    },
  };
}

function fit(lines: readonly string[], rows: number): readonly string[] {
  return lines.length <= rows
    ? lines
    : [
        ...lines.slice(0, rows - 1),
        `… ${lines.length - rows + 1} more lines; a taller window shows them.`,
      ];
}
