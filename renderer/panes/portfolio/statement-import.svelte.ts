import type { Venue } from '../../../backend/domain/market.ts'
import {
  bookStatement,
  readStatement,
  type BookedStatement,
  type RowCounts,
  type StatementClient,
} from '../../../backend/domain/portfolio/statement/book-statement.ts'
import { StatementProblem } from '../../../backend/domain/portfolio/statement/statement-formats.ts'
import { venueName, type AccountHistoryVenue } from '../../../backend/domain/venue.ts'
import type { Answer } from '../../api/client.ts'
import { pathOf } from '../../api/path.ts'
import type { Live } from '../../api/live.ts'
import { refusalLabel } from '../account/refusal-labels.ts'

/** Largest file that is read, bytes. */
const MAX_BYTES = 20_000_000
/** An import of many rows may take long. */
const TIMEOUT = 60_000
/** The service reads an account for at most 100 seconds. */
const PULL_TIMEOUT = 110_000
const MAX_RESULTS = 500
/** The route that books the rows of a venue's statement. */
const importRoute = (venue: Venue): `/api/portfolio/ledger/import/${Venue}` =>
  `/api/portfolio/ledger/import/${venue}`

/** The body of an answer. @throws StatementProblem with the failure as text */
function bodyOf<T>(answer: Answer<T> | null): T {
  if (answer === null) throw new StatementProblem('the request was cancelled')
  if (!answer.ok) throw new StatementProblem(refusalLabel(answer.failure).replace(/\.$/, ''))
  return answer.body
}

/** Result of an import or its dry run; an account may have more rows than one reading books. */
export type BookedImport = BookedStatement & { readonly truncated?: boolean }
/** Books rows, or only checks them. */
type BookRows = (dryRun: boolean) => Promise<BookedImport>

/** Reads what the user traded at a venue; the service signs the requests. */
const accountPull =
  (live: Pick<Live, 'send'>, venue: AccountHistoryVenue): BookRows =>
  async (dryRun) => {
    const path = `/api/portfolio/ledger/import/${venue}/pull` as const
    const answer = await live.send('POST', path, { dryRun }, PULL_TIMEOUT)
    if (!answer.ok && answer.failure.message === 'no secrets found') {
      throw new StatementProblem(
        `no key of ${venueName(venue)} is stored`,
        'Store it in SECRET first',
      )
    }
    const { errors, ...booked } = bodyOf(answer)
    const refused = errors.map(({ kind, index, reason }) => ({
      line: index + 1,
      reason: `${kind}: ${reason}`,
    }))
    return { ...booked, venue, refused }
  }

const statementClient = (live: Pick<Live, 'read' | 'send'>): StatementClient => ({
  book: async (venue, rows) => bodyOf(await live.send('POST', importRoute(venue), rows, TIMEOUT)),
  async marketsFor(venue, status, q) {
    const path = pathOf('/api/public/markets', { venue, q, status, limit: MAX_RESULTS })
    return bodyOf(await live.read(path)).markets
  },
  async resultOf(ticker) {
    return bodyOf(await live.read(pathOf('/api/public/market/:ticker', { ticker }))).result
  },
})

async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const rowCount = ({ fills, settlements }: RowCounts): number => fills + settlements

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const countsText = ({ fills, settlements }: RowCounts): string =>
  `${plural(fills, 'fill')} and ${plural(settlements, 'settlement')}`

/** Result of an import or its dry run, as a sentence. */
export function importText({
  venue,
  dryRun,
  inserted,
  duplicates,
  refused,
  truncated,
}: BookedImport) {
  const addedText = dryRun ? `${countsText(inserted)} to add` : `${countsText(inserted)} added`
  const parts = [
    `${venueName(venue)}: ${addedText}`,
    `${plural(rowCount(duplicates), 'row')} known`,
    ...(refused.length === 0 ? [] : [`${plural(refused.length, 'line')} not imported`]),
    ...(truncated === true ? ['there is more: read the account again for the rest'] : []),
  ]
  return parts.join(', ')
}

function problemText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const description = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  const advice = error instanceof StatementProblem ? error.advice : null
  return advice === null ? description : `${description}. ${advice}`
}

/**
 * The import of an exchange's export or of the account itself: a dry run first, then the same on
 * confirmation.
 */
export class StatementImport {
  readonly #live: Pick<Live, 'read' | 'send'>
  #book: BookRows | null = null
  isBusy = $state(false)
  /** Source of the import. */
  origin = $state<'file' | 'account'>('file')
  /** Result of the dry run; null while nothing is read. */
  preview = $state.raw<BookedImport | null>(null)
  /** Why it cannot be imported. */
  problem = $state<string | null>(null)

  constructor(live: Pick<Live, 'read' | 'send'>) {
    this.#live = live
  }

  /** Reads a file and shows what it would add. */
  async read(file: Blob): Promise<void> {
    await this.#check('file', async () => {
      if (file.size > MAX_BYTES) throw new StatementProblem('the file is larger than 20 MB')
      const statement = await readStatement(await file.text(), null, sha256)
      return (dryRun) => bookStatement(statementClient(this.#live), statement, dryRun)
    })
  }

  /** Reads the account at a venue and shows what it would add. */
  async pull(venue: AccountHistoryVenue): Promise<void> {
    await this.#check('account', () => Promise.resolve(accountPull(this.#live, venue)))
  }

  async #check(origin: 'file' | 'account', read: () => Promise<BookRows>): Promise<void> {
    if (this.isBusy) return
    this.cancel()
    this.origin = origin
    const dryRunResult = await this.#attempt(async () => {
      const book = await read()
      return { book, preview: await book(true) }
    })
    if (dryRunResult === null) return
    this.#book = dryRunResult.book
    this.preview = dryRunResult.preview
  }

  /** Stores the rows of the dry run. @returns what was stored; null when it failed */
  async confirm(): Promise<BookedImport | null> {
    const book = this.#book
    if (book === null || this.isBusy) return null
    const bookedImport = await this.#attempt(() => book(false))
    if (bookedImport !== null) this.cancel()
    return bookedImport
  }

  cancel(): void {
    this.#book = null
    this.preview = null
    this.problem = null
  }

  async #attempt<T>(action: () => Promise<T>): Promise<T | null> {
    this.isBusy = true
    this.problem = null
    try {
      return await action()
    } catch (error) {
      this.problem = problemText(error)
      return null
    } finally {
      this.isBusy = false
    }
  }
}
