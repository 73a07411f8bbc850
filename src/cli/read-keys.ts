import type { ReadStream } from 'node:tty';

/** Hears each key as it is pressed, without a line's end and without an echo, until the returned function is called. */
export function readKeys(terminal: ReadStream, listener: (key: string) => void): () => void {
  const hear = (bytes: Buffer) => {
    const text = bytes.toString('utf8');
    // Arrows and the like arrive as an escape sequence, whose letters are no keys.
    for (const key of text.startsWith('\u001B') ? [text] : text) listener(key);
  };
  terminal.setRawMode(true);
  terminal.on('data', hear);
  terminal.resume();
  return () => {
    terminal.off('data', hear);
    terminal.setRawMode(false);
    terminal.pause();
  };
}
