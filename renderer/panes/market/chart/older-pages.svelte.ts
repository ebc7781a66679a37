import type { Answer } from '../../../api/client.ts'
import type { Iso } from '../../../../backend/contract/schemas.ts'

export interface OlderPage<Row> {
  readonly rows: readonly Row[]
  /** End of the page before it; null when it is the oldest. */
  readonly nextBefore: Iso | null
}

/** Pages before the newest one, loaded one at a time as the user scrolls back. */
export class OlderPages<Row> {
  /** In the order in which pages were loaded: the newest page first. */
  pages = $state.raw<readonly (readonly Row[])[]>([])
  #next: Iso | null | undefined = undefined
  #isLoading = false
  readonly #load: (before: Iso) => Promise<Answer<OlderPage<Row>> | null>
  readonly #max: number

  /**
   * @param load requests the page that ends before an instant; null when the request was aborted
   * @param max the most pages
   */
  constructor(load: (before: Iso) => Promise<Answer<OlderPage<Row>> | null>, max: number) {
    this.#load = load
    this.#max = max
  }

  /** @param first end of the first older page, from the newest page */
  async loadNext(first: Iso | null): Promise<void> {
    const before = this.#next === undefined ? first : this.#next
    if (this.#isLoading || before === null || this.pages.length >= this.#max) return
    this.#isLoading = true
    const answer = await this.#load(before)
    this.#isLoading = false
    if (answer === null || !answer.ok) return
    this.pages = [...this.pages, answer.body.rows]
    this.#next = answer.body.nextBefore
  }
}
