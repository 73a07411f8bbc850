import type { Automaton, State } from './automaton.ts';
import { isLetterOfName, isSlash, type Takes } from './character-class.ts';
import type { Often, Token } from './glob-tokens.ts';

/** A group whose end is still to come. */
interface Group {
  readonly often: Often;
  readonly before: number;
  /** Leads to the first state of each alternative. */
  readonly entry: number;
  readonly ends: number[];
  readonly isNameStart: boolean;
  /** Whether a name begins behind each of the alternatives so far. */
  isNameStartBehind: boolean;
}

/** Makes states of tokens, from left to right. */
export function buildAutomaton(tokens: readonly Token[]): Automaton {
  return new Builder(tokens).build();
}

const anything: Takes = () => true;

class Builder {
  readonly #tokens: readonly Token[];
  readonly #states: State[] = [{ skips: [] }];
  readonly #groups: Group[] = [];
  #at = 0;
  #current = 0;
  /** Whether a name begins here. */
  #isNameStart = true;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  build(): Automaton {
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at] as Token;
      this.#at += 1;
      this.#append(token);
    }
    return { states: this.#states, start: 0, goal: this.#current };
  }

  #append(token: Token): void {
    if (token.kind === 'letter') this.#appendLetter(token.letter);
    else if (token.kind === 'any') this.#takeOne(isLetterOfName);
    else if (token.kind === 'class') this.#takeOne(token.takes);
    else if (token.kind === 'star') this.#appendStars();
    else if (token.kind === 'open') this.#open(token.often);
    else if (token.kind === 'or') this.#endAlternative();
    else if (token.kind === 'close') this.#close();
  }

  #appendLetter(letter: string): void {
    const code = letter.charCodeAt(0);
    this.#takeOne((each) => each === code, this.#isNameStart);
    this.#isNameStart = letter === '/';
  }

  #takeOne(takes: Takes, takesHidden = false): void {
    const to = this.#add();
    this.#step(this.#current, takes, to, takesHidden);
    this.#current = to;
    this.#isNameStart = false;
  }

  /** Stays here for any number of letters. */
  #takeMany(takes: Takes): void {
    this.#step(this.#current, takes, this.#current);
    this.#current = this.#addAfter(this.#current);
    this.#isNameStart = false;
  }

  /** `**` that is all of a name stands for any number of names, other stars for letters of one name. */
  #appendStars(): void {
    const start = this.#at - 1;
    while (this.#tokens[this.#at]?.kind === 'star') this.#at += 1;
    const isDeep = this.#isNameStart && this.#at - start > 1;
    if (isDeep && this.#isSlash(this.#at)) this.#appendFolders();
    else if (isDeep && this.#endsPath(this.#at)) this.#takeMany(anything);
    else this.#takeMany(isLetterOfName);
  }

  /** `**` and its slash: any number of folders, each with a name. */
  #appendFolders(): void {
    const head = this.#current;
    const name = this.#addAfter(head);
    this.#current = this.#addAfter(head);
    const inName = this.#add();
    const slash = this.#addAfter(inName);
    this.#step(name, isLetterOfName, inName);
    this.#step(inName, isLetterOfName, inName);
    this.#step(slash, isSlash, head);
    this.#at += 1;
  }

  #open(often: Often): void {
    const before = this.#current;
    const entry = often === '!' ? this.#add() : this.#addAfter(before);
    this.#groups.push({
      often,
      before,
      entry,
      ends: [],
      isNameStart: this.#isNameStart,
      isNameStartBehind: this.#isNameStart || often === '@' || often === '+',
    });
    this.#current = this.#addAfter(entry);
  }

  #endAlternative(): Group | undefined {
    const group = this.#groups.at(-1);
    if (group === undefined) return undefined;
    group.ends.push(this.#current);
    group.isNameStartBehind &&= this.#isNameStart;
    this.#current = this.#addAfter(group.entry);
    this.#isNameStart = group.isNameStart;
    return group;
  }

  #close(): void {
    const group = this.#endAlternative();
    this.#groups.pop();
    if (group === undefined) return;
    const { often, before, entry, ends, isNameStartBehind } = group;
    const join = this.#add();
    for (const end of ends) this.#skip(end, join);
    if (often === '?' || often === '*') this.#skip(entry, join);
    if (often === '+' || often === '*') this.#skip(join, entry);
    this.#current = often === '!' ? this.#add() : join;
    this.#isNameStart = often !== '!' && isNameStartBehind;
    if (often === '!')
      this.#stateAt(before).except = { body: { start: entry, goal: join }, to: this.#current };
  }

  /** Whether the pattern, or a branch of it, ends there. */
  #endsPath(at: number): boolean {
    const kind = this.#tokens[at]?.kind;
    return kind === undefined || kind === 'or' || kind === 'close';
  }

  #isSlash(at: number): boolean {
    const token = this.#tokens[at];
    return token?.kind === 'letter' && token.letter === '/';
  }

  #add(): number {
    return this.#states.push({ skips: [] }) - 1;
  }

  #addAfter(state: number): number {
    const added = this.#add();
    this.#skip(state, added);
    return added;
  }

  #skip(from: number, to: number): void {
    this.#stateAt(from).skips.push(to);
  }

  #step(from: number, takes: Takes, to: number, takesHidden = false): void {
    this.#stateAt(from).step = { takes, to, takesHidden };
  }

  #stateAt(index: number): State {
    return this.#states[index] as State;
  }
}
