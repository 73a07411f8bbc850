import type { LitElement, ReactiveController } from 'lit';

/** A row that is in the page, and the number of the element that shows it. */
interface ShownRow {
  readonly index: number;
  readonly key: string;
  readonly isHeld: boolean;
  readonly element: number;
}

/**
 * The rows of a long list that are near what is seen of it. An element stays where it is and shows whichever row comes there:
 * only a row that is held, for its focus or because it is unfolded, takes its element with it and leaves it to nobody.
 */
export class RowWindow implements ReactiveController {
  readonly #host: LitElement;
  readonly #sizes = new ResizeObserver((entries) => this.#measure(entries));
  /** Of what is unfolded, by the row's key. */
  readonly #folds = new Map<string, number>();
  #scroller: HTMLElement | undefined;
  #rowHeight = 25;
  #seenTop = 0;
  #seenHeight = 900;
  #shown: readonly ShownRow[] = [];
  #lastElement = 0;
  places = new RowPlaces(0, 0);

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    if (this.#scroller !== undefined) this.#sizes.observe(this.#scroller);
  }

  hostDisconnected(): void {
    if (this.#scroller !== undefined) this.#sizes.unobserve(this.#scroller);
  }

  /** For the list's own element, its header, which is as high as a row, and each `data-fold`. */
  readonly observe = (element: Element | undefined): void => {
    if (!(element instanceof HTMLElement)) return;
    if (element.classList.contains('scroller')) this.#scroller = element;
    this.#sizes.observe(element);
  };

  readonly onScroll = (): void => {
    this.#seenTop = this.#scroller?.scrollTop ?? 0;
    const [first, last] = this.#range();
    const isShown = (row: number): boolean => this.#shown.some(({ index }) => index === row);
    if (!isShown(first) || !isShown(last)) this.#host.requestUpdate();
  };

  /**
   * What to render of the list.
   * @param held Where the rows are that take their element with them.
   * @param focused Stays in the page when it is scrolled out of sight.
   */
  show(
    count: number,
    keyAt: (index: number) => string,
    held: ReadonlyMap<string, number>,
    focused: string,
  ): readonly ShownRow[] {
    const folds = [...held]
      .map(([key, index]) => ({ index, height: this.#folds.get(key) ?? 0 }))
      .sort((a, b) => a.index - b.index);
    for (const key of this.#folds.keys()) if (!held.has(key)) this.#folds.delete(key);
    this.places = new RowPlaces(count, this.#rowHeight, folds);
    const [first, last] = this.#range();
    const rows = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const beyond = held.get(focused) ?? first;
    if (beyond < first) rows.unshift(beyond);
    if (beyond > last) rows.push(beyond);
    this.#shown = this.#withElements(rows, keyAt, held);
    return this.#shown;
  }

  /** Scrolls as far as it takes to see the row. */
  reveal(index: number): void {
    const top = this.places.startOf(index);
    // The header stands in the way of the first row that is seen.
    const bottom = this.places.startOf(index + 1) + this.#rowHeight;
    if (top < this.#seenTop) this.#scroller?.scrollTo({ top });
    else if (bottom > this.#seenTop + this.#seenHeight)
      this.#scroller?.scrollTo({ top: bottom - this.#seenHeight });
  }

  #range(): readonly [first: number, last: number] {
    return this.places.between(this.#seenTop, this.#seenTop + this.#seenHeight);
  }

  #withElements(
    rows: readonly number[],
    keyAt: (index: number) => string,
    held: ReadonlyMap<string, number>,
  ): readonly ShownRow[] {
    const own = new Map(this.#shown.map(({ key, element }) => [key, element]));
    const inPlace = new Map(
      this.#shown
        .filter(({ isHeld }) => !isHeld)
        .map(({ index, key, element }) => [index, { key, element }]),
    );
    return rows.map((index) => {
      const key = keyAt(index);
      const isHeld = held.has(key);
      const there = inPlace.get(index);
      const element = isHeld
        ? own.get(key)
        : there !== undefined && !held.has(there.key)
          ? there.element
          : undefined;
      return { index, key, isHeld, element: element ?? (this.#lastElement += 1) };
    });
  }

  #measure(entries: readonly ResizeObserverEntry[]): void {
    const before = [this.#rowHeight, this.#seenHeight, ...this.#folds.values()].join();
    for (const { target, borderBoxSize } of entries) {
      const height = Math.ceil(borderBoxSize[0]?.blockSize ?? 0);
      const { fold } = (target as HTMLElement).dataset;
      if (height === 0) continue;
      if (fold !== undefined) this.#folds.set(fold, height);
      else if (target === this.#scroller) this.#seenHeight = height;
      else this.#rowHeight = height;
    }
    if (before !== [this.#rowHeight, this.#seenHeight, ...this.#folds.values()].join())
      this.#host.requestUpdate();
  }
}

/** Up to here every row is rendered, so that a search in the page and a screen reader find them all. */
const mostWhole = 200;
const beyondSight = 12;

/** How much further a row reaches that is unfolded. */
interface Fold {
  readonly index: number;
  readonly height: number;
}

/** Where rows of one height stand, of which some are unfolded. In pixels. */
export class RowPlaces {
  readonly #count: number;
  readonly #height: number;
  readonly #folds: readonly Fold[];

  /** @param folds In the order of their rows. */
  constructor(count: number, height: number, folds: readonly Fold[] = []) {
    this.#count = count;
    this.#height = height;
    this.#folds = folds;
  }

  get total(): number {
    return this.startOf(this.#count);
  }

  startOf(row: number): number {
    return this.#folds.reduce(
      (start, { index, height }) => (index < row ? start + height : start),
      row * this.#height,
    );
  }

  /** The row that is there, or the nearest. */
  rowAt(offset: number): number {
    let above = 0;
    for (const { index, height } of this.#folds) {
      const end = (index + 1) * this.#height + above;
      if (offset < end) break;
      if (offset < end + height) return index;
      above += height;
    }
    return Math.min(this.#count - 1, Math.max(0, Math.floor((offset - above) / this.#height)));
  }

  /** The rows between two offsets, and some beyond; all of a short list. */
  between(top: number, bottom: number): readonly [first: number, last: number] {
    if (this.#count <= mostWhole) return [0, this.#count - 1];
    return [
      Math.max(0, this.rowAt(top) - beyondSight),
      Math.min(this.#count - 1, this.rowAt(bottom) + beyondSight),
    ];
  }
}
