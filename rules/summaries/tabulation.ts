/** How the questions of a table are answered, and in which order their answers stand. */
export interface Solver<Question, Answer> {
  /** The answer before anything has been found out; more can only be added to it. */
  readonly least: Answer;
  /** The answer to what takes too much work. */
  readonly unknown: Answer;
  /** May ask the table meanwhile, itself included. */
  readonly solve: (question: Question) => { readonly answer: Answer; readonly work: number };
  /** Whether an answer holds everything that another one holds. */
  readonly includes: (more: Answer, fewer: Answer) => boolean;
}

/** Answers questions by number; what is answered from outside of `solve` is final. */
export type Table<Question, Answer> = (key: number, question: Question) => Answer;

interface Entry<Question, Answer> {
  readonly question: Question;
  answer: Answer;
  isFinal: boolean;
  runs: number;
  /** Who was given an answer that was not final. */
  readonly readers: Set<Entry<Question, Answer>>;
  /** What it was given that was not final, when it was solved last. */
  readonly reads: Set<Entry<Question, Answer>>;
}

/** How deep questions are solved inside of one another before they wait for their turn. No answer depends on it, only the use of the stack. */
const deepestNesting = 12;
/** The work that may be done again for questions that depend on themselves, until they are unknown. */
const mostRepeatedWork = 200_000;
/** A question that waited for its turn is solved a second time by those that asked it; what is solved more often depends on itself. */
const runsWithoutCycle = 2;

/**
 * Tabulation: an entry remembers who read it, and when its answer changes they are solved again. An answer from which something
 * is gone resets all that was concluded from it, so that nothing in a cycle stands on itself alone. Answers are final once
 * nothing that they depend on is left to be solved, so they do not depend on who asked first.
 */
export function createTable<Question, Answer>(
  solver: Solver<Question, Answer>,
): Table<Question, Answer> {
  const rows = new Map<number, Entry<Question, Answer>>();
  const work: Work<Question, Answer> = {
    solver,
    open: new Set(),
    queue: new Set(),
    running: [],
    repeated: 0,
  };
  return (key, question) => {
    const row = rows.get(key) ?? createRow(question, solver.least);
    if (!rows.has(key)) {
      rows.set(key, row);
      open(row, work);
    }
    const reader = work.running.at(-1);
    if (reader !== undefined && !row.isFinal) {
      row.readers.add(reader);
      reader.reads.add(row);
    }
    return row.answer;
  };
}

interface Work<Question, Answer> {
  readonly solver: Solver<Question, Answer>;
  /** Asked, and not final yet. */
  readonly open: Set<Entry<Question, Answer>>;
  /** To be solved, or solved again. */
  readonly queue: Set<Entry<Question, Answer>>;
  /** Being solved, each for the one before it. */
  readonly running: Entry<Question, Answer>[];
  repeated: number;
}

function createRow<Question, Answer>(question: Question, least: Answer): Entry<Question, Answer> {
  return {
    question,
    answer: least,
    isFinal: false,
    runs: 0,
    readers: new Set(),
    reads: new Set(),
  };
}

function open<Question, Answer>(row: Entry<Question, Answer>, work: Work<Question, Answer>): void {
  work.open.add(row);
  if (work.running.length < deepestNesting) solve(row, work);
  else work.queue.add(row);
  if (work.running.length === 0) settle(work);
}

function settle<Question, Answer>(work: Work<Question, Answer>): void {
  // The queue grows while it is read.
  for (const row of work.queue) {
    solve(row, work);
    if (work.repeated > mostRepeatedWork) giveUp(work);
  }
  for (const row of work.open) close(row, work);
  work.repeated = 0;
}

/** What was solved again and again stays unknown. */
function giveUp<Question, Answer>(work: Work<Question, Answer>): void {
  work.repeated = 0;
  for (const row of [...work.open].filter(({ runs }) => runs > runsWithoutCycle))
    answerWith(row, work.solver.unknown, work);
}

function solve<Question, Answer>(row: Entry<Question, Answer>, work: Work<Question, Answer>): void {
  work.queue.delete(row);
  unlink(row);
  work.running.push(row);
  let answer = work.solver.unknown;
  try {
    const solved = work.solver.solve(row.question);
    if (++row.runs > runsWithoutCycle) work.repeated += solved.work;
    answer = solved.answer;
  } finally {
    // After a mistake of the solver the table is as good as before: this one is unknown.
    work.running.pop();
    answerWith(row, answer, work);
  }
  if (row.reads.size === 0 && !work.queue.has(row)) close(row, work);
}

function answerWith<Question, Answer>(
  row: Entry<Question, Answer>,
  answer: Answer,
  work: Work<Question, Answer>,
): void {
  const { least, unknown, includes } = work.solver;
  const isUnknown = answer === unknown;
  const isMore = !isUnknown && includes(answer, row.answer);
  if (isMore && includes(row.answer, answer)) return;
  row.answer = answer;
  if (isUnknown) close(row, work);
  for (const reader of isMore ? row.readers : readersBehind(row)) {
    if (!isMore) reader.answer = least;
    work.queue.add(reader);
  }
}

function close<Question, Answer>(row: Entry<Question, Answer>, work: Work<Question, Answer>): void {
  row.isFinal = true;
  work.open.delete(row);
  work.queue.delete(row);
  unlink(row);
  for (const reader of row.readers) reader.reads.delete(row);
}

function unlink<Question, Answer>(row: Entry<Question, Answer>): void {
  for (const read of row.reads) read.readers.delete(row);
  row.reads.clear();
}

/** All that was concluded from an answer, in however many steps. */
function readersBehind<Question, Answer>(
  row: Entry<Question, Answer>,
): ReadonlySet<Entry<Question, Answer>> {
  const behind = new Set(row.readers);
  // The set grows while it is read.
  for (const { readers } of behind) for (const reader of readers) behind.add(reader);
  return behind;
}
