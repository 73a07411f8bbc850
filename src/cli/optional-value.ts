import { Option, type Command } from 'commander';

/** An option whose value may be left out, such as `--watch [seconds]`. */
export class OptionalValue extends Option {
  /** Whether a word after the option can be its value; any other word is an argument of the command. */
  readonly isValue: (word: string) => boolean;

  constructor(flags: string, description: string, isValue: (word: string) => boolean) {
    super(flags, description);
    this.isValue = isValue;
  }
}

/** Commander takes the word after such an option for its value, whatever it is: `--watch postgres://localhost/shop`. */
export function leaveArguments(command: Command): void {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (args) => parse(argumentsFirst(args, command.options));
}

/** Moves in front of each option the word after it that cannot be its value. */
function argumentsFirst(args: readonly string[], options: readonly Option[]): string[] {
  const end = args.indexOf('--');
  const words = end < 0 ? [...args] : args.slice(0, end);
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    const option = options.find(({ long }) => long === word);
    if (!(option instanceof OptionalValue) || next === undefined) continue;
    if (next.startsWith('-') || option.isValue(next)) continue;
    [words[at], words[at + 1]] = [next, word];
  }
  return [...words, ...args.slice(words.length)];
}
