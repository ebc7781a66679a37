/**
 * Items of a changing list that are kept while they are listed. An item that stays listed is not
 * released in between: releasing a source, for example, aborts its request.
 */
export class RetainedItems<Item> {
  readonly #retain: (item: Item) => () => void
  readonly #releases = new Map<Item, () => void>()

  /** @param retain keeps an item until the returned function is called */
  constructor(retain: (item: Item) => () => void) {
    this.#retain = retain
  }

  /** Keeps the items that are new in the list, then releases those that left it. */
  follow(listed: readonly Item[]): void {
    const items = new Set(listed)
    for (const item of items) {
      if (!this.#releases.has(item)) this.#releases.set(item, this.#retain(item))
    }
    for (const [item, release] of this.#releases) {
      if (items.has(item)) continue
      this.#releases.delete(item)
      release()
    }
  }
}
