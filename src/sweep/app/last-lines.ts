/** The end of what a program prints, however much that is. */
export interface LastLines {
  add(chunk: string): void;
  read(): readonly string[];
}

const mostLines = 40;
const longestLine = 500;

export function createLastLines(): LastLines {
  let lines: string[] = [];
  let open = '';
  return {
    add: (chunk) => {
      const parts = `${open}${chunk}`.split(/\r?\n|\r/);
      open = (parts.pop() ?? '').slice(0, longestLine);
      lines = [
        ...lines,
        ...parts.filter((line) => line.trim() !== '').map((line) => line.slice(0, longestLine)),
      ].slice(-mostLines);
    },
    read: () => (open.trim() === '' ? lines : [...lines, open].slice(-mostLines)),
  };
}
