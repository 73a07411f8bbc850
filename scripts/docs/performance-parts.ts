/** A part of the bench as the page tells it. */
export interface PartOnPage {
  /** As `--only` names it. */
  readonly name: string;
  readonly title: string;
  /** How it is measured, where the rows do not say so themselves. */
  readonly method: string;
  readonly command: string;
}

const inTurn =
  'The parser alone, ESLint’s Linter without rules and the same Linter with all rules work on each file in turn, in one process; what the rules cost is the difference of the last two, the files that they read and parse themselves included. Each round begins with nothing remembered.';

/** In the order of the page. */
export const partsOnPage: readonly PartOnPage[] = [
  part('run', 'A run', ''),
  part('install', 'An installation', ''),
  part(
    'share',
    'Rules, beside parsing',
    `${inTurn} The figure is their cost as a share of what the TypeScript parser takes. The projects are this repository’s own sources and examples, in which many files speak of pools, unless others are named.`,
  ),
  part(
    'quiet',
    'Rules, on files without a pool',
    'Most files of a service never speak of a pool. The same three ways of work on generated files without one.',
  ),
  part(
    'growth',
    'Growth with the size of a file',
    'One generated service file with transactions, helpers and callbacks, in three sizes; the power is the slope of the line through the logarithms of size and cost.',
  ),
  part(
    'nests',
    'Code that is made to hurt',
    'One function around a checkout with very much of one thing, as deep or long as the parser and the linter take it.',
  ),
  part(
    'memory',
    'Memory that linting keeps',
    'The heap after a full collection, before and after a project was linted, while the parser and what is remembered with it are still there.',
  ),
  part(
    'repositories',
    'Whole repositories',
    'ESLint lints public repositories of 100 to 2,500 files that use a PostgreSQL pool, each time in a process of its own, in turn: with the parser alone, with all of our rules, and, where it can be installed, with those of the nearest other plugin. A repository counts with the median of its rounds; the figure is the median of the repositories.',
  ),
  part(
    'start',
    'Start-up of the command line',
    'From the start of a process to its end, in turn with `node -e 0`; 20 starts each.',
  ),
  part('neighbour', 'Beside the nearest other plugin', ''),
  part('editor', 'The language server', ''),
  part('vscode', 'In a real VS Code', ''),
  part('panel', 'The sidebar and the panel', ''),
  part('observer', 'What sampling costs the server', ''),
  part('monitor', 'What the monitor costs an application', ''),
  part('probe', 'How often a probe is right', ''),
];

function part(name: string, title: string, method: string): PartOnPage {
  return { name, title, method, command: `npm run bench -- --only ${name} --write-docs` };
}
