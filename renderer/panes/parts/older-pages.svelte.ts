import type { Answer, ApiFailure } from '../../api/client.ts'

/** A page of rows, newest first. */
export interface RowPage<Row> {
  readonly data: readonly Row[]
  readonly pageInfo: { readonly nextCursor: string | null }
}

interface PagedList<Row> {
  /** Identifies the list; older pages of another one are dropped. */
  readonly key: string
  /** The newest page, which is polled; null before it arrived. */
  readonly newest: RowPage<Row> | null
  /** Requests the page after a cursor; null when it was cancelled. */
  readonly pageAfter: (cursor: string) => Promise<Answer<RowPage<Row>> | null>
}

const withoutRows = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  others: readonly Row[],
): readonly Row[] => rows.filter(({ id }) => !others.some((other) => other.id === id))

/**
 * The rows of a polled list with the older pages that were loaded. New rows are
 * added at the top and do not shift the pages.
 */
export class OlderPages<Row extends { readonly id: string }> {
  readonly #list: () => PagedList<Row>
  readonly #onfailure: (failure: ApiFailure) => void
  #loadedRows = $state.raw<{
    readonly key: string
    readonly rows: readonly Row[]
    readonly next: string | null
  } | null>(null)
  isLoading = $state(false)

  readonly #visible = $derived.by(() => {
    const { key, newest } = this.#list()
    const rows = newest?.data ?? []
    const newestOnly = { rows, next: newest?.pageInfo.nextCursor ?? null }
    const loadedRows = this.#loadedRows
    if (loadedRows === null || loadedRows.key !== key) return newestOnly
    // More rows arrived than fit in a page, so the rows in between are unknown.
    const older = withoutRows(loadedRows.rows, rows)
    if (rows.length > 0 && older.length === loadedRows.rows.length) return newestOnly
    return { rows: [...rows, ...older], next: loadedRows.next }
  })

  constructor(list: () => PagedList<Row>, onfailure: (failure: ApiFailure) => void) {
    this.#list = list
    this.#onfailure = onfailure
  }

  get rows(): readonly Row[] {
    return this.#visible.rows
  }

  get hasMore(): boolean {
    return this.#visible.next !== null
  }

  /** Shows only the newest page again. */
  reset(): void {
    this.#loadedRows = null
  }

  /** Loads the next older page. */
  readonly loadMore = async (): Promise<void> => {
    const { key, pageAfter } = this.#list()
    const { rows, next } = this.#visible
    if (next === null || this.isLoading) return
    this.isLoading = true
    const answer = await pageAfter(next)
    this.isLoading = false
    if (answer === null || this.#list().key !== key) return
    if (!answer.ok) return this.#onfailure(answer.failure)
    const { data, pageInfo } = answer.body
    this.#loadedRows = {
      key,
      rows: [...rows, ...withoutRows(data, rows)],
      next: pageInfo.nextCursor,
    }
  }
}
