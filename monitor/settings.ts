import {
  reporterNames,
  socketVariables,
  type MonitorOptions,
  type ReporterName,
} from './options.ts';

/** Options with nothing left open. */
export type Settings = Required<Omit<MonitorOptions, 'name'>>;

type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadSettings {
  readonly settings: Settings;
  /** A sentence for each variable that could not be understood; its default holds. */
  readonly problems: readonly string[];
}

interface NumberRow {
  readonly option: 'heldMs' | 'sampleMs' | 'printMs' | 'alertWaiting' | 'alertIdle';
  readonly variable: string;
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

const day = 86_400_000;

const numbers: readonly NumberRow[] = [
  { option: 'heldMs', variable: 'POOLGUARD_HELD_MS', usual: 5_000, least: 1, most: day },
  { option: 'sampleMs', variable: 'POOLGUARD_SAMPLE_MS', usual: 50, least: 5, most: day },
  { option: 'printMs', variable: 'POOLGUARD_PRINT_MS', usual: 5_000, least: 0, most: day },
  { option: 'alertWaiting', variable: 'POOLGUARD_ALERT_WAITING', usual: 20, least: 0, most: 1e9 },
  { option: 'alertIdle', variable: 'POOLGUARD_ALERT_IDLE', usual: 0.1, least: 0, most: 1 },
];

const onAndOff: Readonly<Record<string, boolean>> = {
  on: true,
  off: false,
  1: true,
  0: false,
  true: true,
  false: false,
};

/** What the caller of `watchPool` says comes first, then the environment, then the defaults. */
export function readSettings(options: MonitorOptions, environment: Environment): ReadSettings {
  const problems: string[] = [];
  const number = (row: NumberRow) =>
    readNumber(row, options[row.option], environment[row.variable], problems);
  const [heldMs, sampleMs, printMs, alertWaiting, alertIdle] = numbers.map(number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const stacks = options.stacks ?? readStacks(environment['POOLGUARD_STACKS'], problems);
  const report = options.report ?? readReporters(environment, problems);
  return {
    settings: { heldMs, sampleMs, printMs, alertWaiting, alertIdle, stacks, report },
    problems,
  };
}

function readNumber(
  { option, variable, usual, least, most }: NumberRow,
  given: number | undefined,
  text: string | undefined,
  problems: string[],
): number {
  const isFine = (value: number) => value >= least && value <= most;
  if (given !== undefined && !isFine(given))
    problems.push(
      `The option ${option} must be a number from ${least} to ${most}, but is ${given}: ${usual} is used.`,
    );
  else if (given !== undefined) return given;
  else if (text !== undefined && text.trim() !== '' && isFine(Number(text))) return Number(text);
  else if (text !== undefined && text.trim() !== '')
    problems.push(
      `${variable} must be a number from ${least} to ${most}, but is ${quote(text)}: ${usual} is used.`,
    );
  return usual;
}

function readStacks(text: string | undefined, problems: string[]): boolean {
  if (text === undefined || text === '') return true;
  const isOn = onAndOff[text.toLowerCase()];
  if (isOn === undefined)
    problems.push(
      `POOLGUARD_STACKS must be "on" or "off", but is ${quote(text)}: stacks are kept.`,
    );
  return isOn ?? true;
}

function readReporters(environment: Environment, problems: string[]): readonly ReporterName[] {
  const usual: readonly ReporterName[] =
    (environment[socketVariables.path] ?? '') === '' ? ['console'] : ['socket'];
  const words = (environment['POOLGUARD_REPORT'] ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = words.filter((word) => !isReporter(word));
  if (unknown.length > 0)
    problems.push(
      `POOLGUARD_REPORT accepts ${reporterNames.join(', ')}, but not ${unknown.map(quote).join(', ')}.`,
    );
  const known = words.filter(isReporter);
  return known.length === 0 ? usual : [...new Set(known)];
}

function isReporter(word: string): word is ReporterName {
  return (reporterNames as readonly string[]).includes(word);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
