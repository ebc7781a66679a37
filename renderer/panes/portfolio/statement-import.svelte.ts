import type { Venue } from '../../../backend/domain/market.ts'
import {
  bookStatement,
  readStatement,
  type BookedStatement,
  type RowCounts,
  type StatementDesk,
} from '../../../backend/domain/portfolio/statement/book-statement.ts'
import {
  StatementFault,
  type Statement,
} from '../../../backend/domain/portfolio/statement/statement-formats.ts'
import { venueName } from '../../../backend/domain/venue.ts'
import type { Answer } from '../../api/client.ts'
import { pathOf } from '../../api/path.ts'
import type { Live } from '../../api/live.ts'
import { refusalLabel } from '../account/refusal-labels.ts'

/** Largest file that is read, bytes. */
const MAX_BYTES = 20_000_000
/** An import of many rows may take long. */
const TIMEOUT = 60_000
const MAX_RESULTS = 500
const ROUTES = {
  venue_a: '/api/portfolio/ledger/import/venue_a',
  venue_b: '/api/portfolio/ledger/import/venue_b',
} as const satisfies Record<Venue, string>

/** The body of an answer. @throws StatementFault with the error in words */
function bodyOf<T>(answer: Answer<T> | null): T {
  if (answer === null) throw new StatementFault('the request was cancelled')
  if (!answer.ok) throw new StatementFault(refusalLabel(answer.failure).replace(/\.$/, ''))
  return answer.body
}

const deskOf = (live: Pick<Live, 'read' | 'send'>): StatementDesk => ({
  book: async (venue, rows) => bodyOf(await live.send('POST', ROUTES[venue], rows, TIMEOUT)),
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

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const countsText = ({ fills, settlements }: RowCounts): string =>
  `${counted(fills, 'fill')} and ${counted(settlements, 'settlement')}`

/** What an import would do, or did. */
export function importText({ venue, dryRun, inserted, duplicates, refused }: BookedStatement) {
  const added = dryRun ? `${countsText(inserted)} to add` : `${countsText(inserted)} added`
  const parts = [
    `${venueName(venue)}: ${added}`,
    `${counted(rowCount(duplicates), 'row')} known`,
    ...(refused.length === 0 ? [] : [`${counted(refused.length, 'line')} not imported`]),
  ]
  return parts.join(', ')
}

function faultText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const description = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  const advice = error instanceof StatementFault ? error.advice : null
  return advice === null ? description : `${description}. ${advice}`
}

/** The import of an exchange's export: a dry run first, then the same rows on confirmation. */
export class StatementImport {
  readonly #live: Pick<Live, 'read' | 'send'>
  #statement: Statement | null = null
  isBusy = $state(false)
  /** Result of the dry run; null while no file is read. */
  preview = $state.raw<BookedStatement | null>(null)
  /** Why the file cannot be imported. */
  fault = $state<string | null>(null)

  constructor(live: Pick<Live, 'read' | 'send'>) {
    this.#live = live
  }

  /** Reads a file and shows what it would add. */
  async read(file: Blob): Promise<void> {
    if (this.isBusy) return
    this.cancel()
    const read = await this.#try(async () => {
      if (file.size > MAX_BYTES) throw new StatementFault('the file is larger than 20 MB')
      const statement = await readStatement(await file.text(), null, sha256)
      return { statement, preview: await bookStatement(deskOf(this.#live), statement, true) }
    })
    if (read === null) return
    this.#statement = read.statement
    this.preview = read.preview
  }

  /** Stores the rows of the dry run. @returns what was stored; null when it failed */
  async confirm(): Promise<BookedStatement | null> {
    const statement = this.#statement
    if (statement === null || this.isBusy) return null
    const booked = await this.#try(() => bookStatement(deskOf(this.#live), statement, false))
    if (booked !== null) this.cancel()
    return booked
  }

  cancel(): void {
    this.#statement = null
    this.preview = null
    this.fault = null
  }

  async #try<T>(act: () => Promise<T>): Promise<T | null> {
    this.isBusy = true
    this.fault = null
    try {
      return await act()
    } catch (error) {
      this.fault = faultText(error)
      return null
    } finally {
      this.isBusy = false
    }
  }
}
