import type { Answer, ApiFailure } from '../../api/client.ts'

/** A page of rows, newest first. */
export interface RowPage<Row> {
  readonly data: readonly Row[]
  readonly pageInfo: { readonly nextCursor: string | null }
}

interface Requested<Row> {
  /** Identifies the list; older pages of another one are dropped. */
  readonly key: string
  /** The newest page, which is polled; null before it arrived. */
  readonly newest: RowPage<Row> | null
  /** Requests the page after a cursor; null when it was cancelled. */
  readonly after: (cursor: string) => Promise<Answer<RowPage<Row>> | null>
}

const without = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  others: readonly Row[],
): readonly Row[] => rows.filter(({ id }) => !others.some((other) => other.id === id))

/**
 * The rows of a polled list with the older pages that were loaded. New rows are
 * added at the top and do not shift the pages.
 */
export class OlderPages<Row extends { readonly id: string }> {
  readonly #requested: () => Requested<Row>
  readonly #onfailure: (failure: ApiFailure) => void
  #loaded = $state.raw<{
    readonly key: string
    readonly rows: readonly Row[]
    readonly next: string | null
  } | null>(null)
  isLoading = $state(false)

  readonly #shown = $derived.by(() => {
    const { key, newest } = this.#requested()
    const rows = newest?.data ?? []
    const newestOnly = { rows, next: newest?.pageInfo.nextCursor ?? null }
    const loaded = this.#loaded
    if (loaded === null || loaded.key !== key) return newestOnly
    // More rows arrived than fit in a page, so the rows in between are unknown.
    const older = without(loaded.rows, rows)
    if (rows.length > 0 && older.length === loaded.rows.length) return newestOnly
    return { rows: [...rows, ...older], next: loaded.next }
  })

  constructor(requested: () => Requested<Row>, onfailure: (failure: ApiFailure) => void) {
    this.#requested = requested
    this.#onfailure = onfailure
  }

  get rows(): readonly Row[] {
    return this.#shown.rows
  }

  get hasMore(): boolean {
    return this.#shown.next !== null
  }

  /** Shows only the newest page again. */
  reset(): void {
    this.#loaded = null
  }

  /** Loads the next older page. */
  readonly loadMore = async (): Promise<void> => {
    const { key, after } = this.#requested()
    const { rows, next } = this.#shown
    if (next === null || this.isLoading) return
    this.isLoading = true
    const answer = await after(next)
    this.isLoading = false
    if (answer === null || this.#requested().key !== key) return
    if (!answer.ok) return this.#onfailure(answer.failure)
    const { data, pageInfo } = answer.body
    this.#loaded = { key, rows: [...rows, ...without(data, rows)], next: pageInfo.nextCursor }
  }
}
