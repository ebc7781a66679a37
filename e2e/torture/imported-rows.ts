import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileReport } from '../../backend/domain/import-report.ts'
import type { RunningService } from './running-service.ts'

const POLL_MS = 25
/** A user's statement has little memory. */
const MARKETS_AT_ONCE = 20
const FIRST_TS = 1_763_640_000_000
const HEADER =
  'venue,ticker,ts_ms,known_at_ms,origin,trade_id,price_e4,size_e6,taker_side,is_block\n'

/** An accepted import of one file with trades of a market of its own. */
export interface StartedImport {
  readonly id: string
  readonly ticker: string
  readonly path: string
  /** Trades in the file; no other import contains any of them. */
  readonly rows: number
}

/** The service's response about an import. */
export interface ImportAnswer {
  readonly state: string
  readonly files: readonly FileReport[]
  readonly interruptions?: number
}

/** Stored rows of the imports that ended `done`. */
export interface ImportVerdict {
  /** Acknowledged rows that are not in the history. */
  readonly lost: number
  /** Rows that are in the history more than once. */
  readonly doubled: number
  /** Rows that differ from those of the file of their market. */
  readonly wrong: number
  /** Imports whose report counts other rows than the file has, or counts a row twice. */
  readonly misreported: number
}

/**
 * Imports of trades with unique ids, and their count by id. Every file has the same name, size and
 * time. Campaigns that stress the service in other ways may use it at the same time.
 */
export class ImportedRows {
  readonly #folder: string
  readonly #rows: number
  readonly #done: { readonly created: StartedImport; readonly report: FileReport }[] = []
  #made = 0

  /**
   * @param folder for the files, which must stay until their imports have ended
   * @param rows of each file, where an import does not say
   */
  constructor(folder: string, rows: number) {
    this.#folder = folder
    this.#rows = rows
  }

  /** Rows of imports that ended `done`. */
  get acknowledged(): number {
    return this.#done.reduce((sum, { created }) => sum + created.rows, 0)
  }

  /** Writes a file and starts its import. @throws when the service does not accept it */
  async start(service: Pick<RunningService, 'asOwner'>, rows = this.#rows): Promise<StartedImport> {
    const number = (this.#made += 1)
    const ticker = tickerOf(number)
    const folder = join(this.#folder, String(number))
    const path = join(folder, 'rows.csv')
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, HEADER + rowsOf(number, rows))
    utimesSync(path, FIRST_TS / 1_000, FIRST_TS / 1_000)
    const answer = await service.asOwner('/api/imports', {
      method: 'POST',
      body: { paths: [path] },
    })
    if (answer.status !== 202) {
      throw new Error(`an import was refused with ${answer.status}: ${await answer.text()}`)
    }
    const { id } = (await answer.json()) as { id: string }
    return { id, ticker, path, rows }
  }

  /** Waits until an import has ended and records its acknowledged rows. */
  async end(
    service: Pick<RunningService, 'asOwner'>,
    started: StartedImport,
  ): Promise<ImportAnswer> {
    for (;;) {
      const answer = await service.asOwner(`/api/imports/${started.id}`)
      if (answer.status !== 200) {
        throw new Error(`an import is unknown: ${answer.status} ${await answer.text()}`)
      }
      const run = (await answer.json()) as ImportAnswer
      if (run.state !== 'queued' && run.state !== 'running') {
        const [report] = run.files
        if (run.state === 'done' && report !== undefined)
          this.#done.push({ created: started, report })
        return run
      }
      await sleep(POLL_MS)
    }
  }

  /**
   * Counts the rows of imports that ended `done`, by id, in the history of a running service.
   * @param latest number of most recent imports; all by default
   */
  async verify(
    service: Pick<RunningService, 'asOwner'>,
    latest = Infinity,
  ): Promise<ImportVerdict> {
    const done = this.#done.slice(-Math.min(latest, this.#done.length))
    const stored = await storedRows(
      service,
      done.map(({ created }) => created.ticker),
    )
    const verdict = { lost: 0, doubled: 0, wrong: 0, misreported: 0 }
    for (const { created, report } of done) {
      const found = stored.get(created.ticker) ?? { rows: 0, ids: 0, own: 0, sum: 0 }
      verdict.lost += Math.max(0, created.rows - found.own)
      verdict.doubled += found.rows - found.ids
      const isSame = found.own === found.ids && found.sum === sumOf(created)
      if (!isSame && found.own === created.rows) verdict.wrong += 1
      verdict.wrong += found.ids - found.own
      // Its rows are unique: each is imported exactly once, before or after an interruption.
      const isRight =
        report.rowsTaken === created.rows && report.rowsKnown + report.rowsRefused === 0
      if (!isRight) verdict.misreported += 1
    }
    return verdict
  }
}

const tickerOf = (number: number): string => `IMP-${String(number).padStart(6, '0')}`
const numberOf = ({ ticker }: StartedImport): number => Number(ticker.slice('IMP-'.length))
const priceOf = (number: number, row: number): number => 1_000 + ((number * 31 + row) % 9_000)

function rowsOf(number: number, rows: number): string {
  const ticker = tickerOf(number)
  const lines = Array.from({ length: rows }, (_, row) => {
    const ts = FIRST_TS + row * 1_000
    const id = `${ticker}-${String(row).padStart(6, '0')}`
    return `venue_a,${ticker},${ts},${ts + 1_000},imported,${id},${priceOf(number, row)},1000000,yes,false\n`
  })
  return lines.join('')
}

/** Of the prices of an import, in units of 1e-4 dollars. */
function sumOf(created: StartedImport): number {
  let sum = 0
  for (let row = 0; row < created.rows; row++) sum += priceOf(numberOf(created), row)
  return sum
}

interface StoredRows {
  readonly rows: number
  readonly ids: number
  /** Distinct ids that belong to the market. */
  readonly own: number
  readonly sum: number
}

async function storedRows(
  service: Pick<RunningService, 'asOwner'>,
  tickers: readonly string[],
): Promise<Map<string, StoredRows>> {
  const stored = new Map<string, StoredRows>()
  for (let start = 0; start < tickers.length; start += MARKETS_AT_ONCE) {
    const some = tickers.slice(start, start + MARKETS_AT_ONCE)
    for (const [ticker, rows] of await countsOf(service, some)) stored.set(ticker, rows)
  }
  return stored
}

/** On a busy machine a statement may exceed its time: then it is requested for fewer imports. */
async function countsOf(
  service: Pick<RunningService, 'asOwner'>,
  tickers: readonly string[],
): Promise<[string, StoredRows][]> {
  const sql = `
    select ticker, count(*)::integer, count(distinct trade_id)::integer,
           (count(distinct trade_id) filter (starts_with(trade_id, ticker || '-')))::integer,
           sum(round(price * 100))::double
      from trades where ticker in (${tickers.map((ticker) => `'${ticker}'`).join(', ')})
     group by ticker`
  const answer = await service.asOwner('/api/sql', {
    method: 'POST',
    body: { sql, maxRows: 100_000 },
  })
  if (answer.status === 503 && tickers.length > 1) {
    const half = Math.ceil(tickers.length / 2)
    return [
      ...(await countsOf(service, tickers.slice(0, half))),
      ...(await countsOf(service, tickers.slice(half))),
    ]
  }
  if (answer.status !== 200) throw new Error(`no count: ${answer.status} ${await answer.text()}`)
  const { rows } = (await answer.json()) as { rows: [string, number, number, number, number][] }
  return rows.map(([ticker, count, ids, own, sum]) => [ticker, { rows: count, ids, own, sum }])
}
