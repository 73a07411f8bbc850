/** What a worker says of one file. */
export interface LintedSource {
  /** Relative to the checkout, with forward slashes. */
  readonly path: string;
  readonly reports: readonly Report[];
  /** Where the functions of the file begin and end, outer ones first; null when the file does not parse. */
  readonly functions: readonly Lines[] | null;
  readonly trouble: Trouble | null;
  readonly milliseconds: number;
}

export interface Report {
  /** Without the plugin's prefix. */
  readonly rule: string;
  readonly line: number;
  readonly message: string;
}

/** 1-based, both ends inclusive. */
export interface Lines {
  readonly start: number;
  readonly end: number;
}

/**
 * - parser: the TypeScript parser does not read the file, with or without us.
 * - ours: it does, but not the way we called it.
 * - crash: a rule threw, or the worker ended or fell silent.
 */
export interface Trouble {
  readonly kind: 'parser' | 'ours' | 'crash' | 'absent';
  readonly text: string;
}

/** What a worker is asked. */
export interface LintJob {
  /** Absolute path of the checkout, which is also ESLint's base. */
  readonly folder: string;
  /** Relative to the folder. */
  readonly files: readonly string[];
  /** The plugin's rules to run, without its prefix. */
  readonly rules: readonly string[];
  /** `settings` of ESLint's configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Absolute path of the plugin's bundle. */
  readonly plugin: string;
}

/** The smallest function around a line. */
export function functionAround(functions: readonly Lines[], line: number): Lines | undefined {
  const around = functions.filter(({ start, end }) => start <= line && line <= end);
  return around.reduce<Lines | undefined>(
    (best, each) =>
      best === undefined || each.end - each.start < best.end - best.start ? each : best,
    undefined,
  );
}
