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
