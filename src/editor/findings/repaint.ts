/** The part of a document that tells which text an answer was for. */
export interface Versioned {
  readonly version: number;
}

export interface RepaintOptions<Document extends Versioned, Answer> {
  /** Undefined when nobody can answer now, null when what is shown is to stay. */
  ask(document: Document): Promise<Answer | null | undefined>;
  show(document: Document, answer: Answer): void;
}

/** Keeps what an editor shows beside the text up to date: one question for each version, none while somebody types. */
export interface Repaint<Document> {
  /** After a rest, in which other changes may come. A version that was asked about is only shown again. */
  soon(document: Document, restMs: number): void;
  /** Something else than the text has changed. */
  again(document: Document): void;
  forget(document: Document): void;
  dispose(): void;
}

export function createRepaint<Document extends Versioned, Answer>(
  options: RepaintOptions<Document, Answer>,
): Repaint<Document> {
  const known = new Map<
    Document,
    { readonly version: number; readonly answer: Promise<Answer | null | undefined> }
  >();
  const resting = new Map<Document, NodeJS.Timeout>();
  const paint = async (document: Document): Promise<void> => {
    const { version } = document;
    const before = known.get(document);
    const asked = before?.version === version ? before : { version, answer: options.ask(document) };
    known.set(document, asked);
    // A question that failed is one that nobody could answer.
    const found = await asked.answer.catch(() => undefined);
    if (known.get(document) !== asked || document.version !== version) return;
    if (found === undefined) known.delete(document);
    else if (found !== null) options.show(document, found);
  };
  const rest = (document: Document): void => {
    clearTimeout(resting.get(document));
    resting.delete(document);
  };
  const soon = (document: Document, restMs: number): void => {
    rest(document);
    resting.set(
      document,
      setTimeout(() => {
        resting.delete(document);
        void paint(document);
      }, restMs),
    );
  };
  const forget = (document: Document): void => {
    rest(document);
    known.delete(document);
  };
  return {
    soon,
    forget,
    again(document) {
      forget(document);
      soon(document, 0);
    },
    dispose: () => {
      [...resting.keys()].forEach(rest);
    },
  };
}
