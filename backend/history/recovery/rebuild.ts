import { DAY, type Millis } from '../../domain/units.ts'
import { COVERAGE_FEEDS, COVERAGE_STATES, type CoverageFeed } from '../coverage.ts'
import { openEngine, quoted } from '../duckdb/engine.ts'
import { Session } from '../duckdb/connections.ts'
import { migrate } from '../duckdb/migrations/migrations.ts'
import { TICK_COLUMNS } from '../duckdb/sorted.ts'
import { summarise } from '../duckdb/summaries.ts'
import { COPIED_KINDS, venueIn, venuesOf, type CopiedKind } from './copied-kinds.ts'
import type { LostSpan } from '../../domain/damage.ts'
import { DayFiles, type DayFile } from './day-files.ts'
import { attachDamaged, DAMAGED, hadTable, salvageTable } from './salvage.ts'

export interface RebuildOrder {
  readonly dataDir: string
  /** The new history; it must not exist. */
  readonly into: string
  /** The damaged history; null when it must not be touched, because the engine dies of it. */
  readonly damaged: string | null
  /** Parquet file of markets with the numbers they had; absent: they are numbered by name. */
  readonly catalogue?: string
  /** When the damaged history began; rows that no copy holds are lost from then on. */
  readonly bornAt: number
  readonly now: Millis
}

export interface RebuildReport {
  readonly fromCopies: number
  readonly salvaged: number
  readonly lost: readonly LostSpan[]
}

/**
 * Makes a history of what is left: days whose copy is whole come from the copy, all other rows from
 * the damaged file as far as they can be read. What is lost is stated as a gap, so that no answer
 * takes the hole for silence. Runs in a process of its own.
 */
export async function rebuild(order: RebuildOrder): Promise<RebuildReport> {
  const engine = await openEngine({ path: order.into, dataDir: order.dataDir })
  try {
    await migrate(engine.writer)
    const work = new Rebuild(new Session(engine.writer), order)
    return await work.run()
  } finally {
    engine.close()
  }
}

class Rebuild {
  readonly #session: Session
  readonly #order: RebuildOrder
  readonly #files: DayFiles
  /** `kind venue day` of days that a copy gave back whole. */
  readonly #restored = new Set<string>()
  readonly #lost: LostSpan[] = []
  #fromCopies = 0
  #salvaged = 0

  constructor(session: Session, order: RebuildOrder) {
    this.#session = session
    this.#order = order
    this.#files = new DayFiles(order.dataDir)
  }

  async run(): Promise<RebuildReport> {
    const { damaged } = this.#order
    const isReadable = damaged !== null && (await attachDamaged(this.#session.connection, damaged))
    const sound = await this.#soundFiles()
    await this.#registerMarkets(isReadable, sound)
    for (const kind of COPIED_KINDS) {
      for (const file of sound.filter((one) => one.kind === kind.kind))
        await this.#restore(kind, file)
      await this.#noteRestored(kind)
      if (isReadable) await this.#salvage(kind)
      else this.#loseAllBut(kind, sound)
    }
    await this.#stateGaps()
    await this.#session.connection.run('checkpoint')
    return { fromCopies: this.#fromCopies, salvaged: this.#salvaged, lost: this.#lost }
  }

  /** Files that hold what was written. A day that changed later counts too when nothing better is left. */
  async #soundFiles(): Promise<DayFile[]> {
    const sound: DayFile[] = []
    for (const file of this.#files.all()) {
      if (await this.#files.isSound(file)) sound.push(file)
    }
    return sound.sort((a, b) => a.day - b.day)
  }

  /** Markets keep their numbers where the old catalogue can be read; the copies know them by name. */
  async #registerMarkets(isReadable: boolean, sound: readonly DayFile[]): Promise<void> {
    const { connection } = this.#session
    await connection.run('create temp table restored (venue varchar, day bigint)')
    if (isReadable) {
      await connection.run(`insert into market select * from ${DAMAGED}.market order by id`)
    } else if (this.#order.catalogue !== undefined) {
      const catalogue = quoted(this.#order.catalogue)
      await connection.run(
        `insert into market select id, venue, ticker from read_parquet(${catalogue}) order by id`,
      )
    }
    const named = COPIED_KINDS.filter(({ owner }) => owner !== 'world').map(({ kind }) => kind)
    for (const file of sound.filter(({ kind }) => named.includes(kind))) {
      await connection.run(
        `insert into market
         select (select coalesce(max(id), -1) from market) + row_number() over (order by ticker),
                ${quoted(file.venue)}, ticker
           from (select distinct ticker from ${this.#relation(file)} where ticker is not null)
          where ticker not in (select ticker from market where venue = ${quoted(file.venue)})`,
      )
    }
  }

  async #restore(kind: CopiedKind, file: DayFile): Promise<void> {
    const isCoverage = kind.owner === 'venue'
    await this.#session.connection.run(
      kind.owner === 'world'
        ? `create or replace temp table staged as
       select r.* exclude (file_row_number) from ${this.#relation(file)} as r
        order by r.file_row_number`
        : `create or replace temp table staged as
       select ${isCoverage ? `${quoted(file.venue)} as venue, ` : ''}m.id as market, r.* exclude (ticker, file_row_number)
         from ${this.#relation(file)} as r ${isCoverage ? 'left' : ''} join market as m
           on m.ticker = r.ticker and m.venue = ${quoted(file.venue)}
        order by m.id, r.file_row_number`,
    )
    this.#fromCopies += await this.#takeStaged(kind, 'true')
    this.#restored.add(`${file.kind} ${file.venue} ${file.day}`)
    if (file.dirty) this.#lose(kind, file.venue, file.day * DAY, (file.day + 1) * DAY)
  }

  #relation(file: DayFile): string {
    const path = quoted(this.#files.pathOf(file))
    return `read_parquet(${path}, file_row_number = true, hive_partitioning = false)`
  }

  /** Days of a kind that are whole now, for the salvage to leave out. */
  async #noteRestored(kind: CopiedKind): Promise<void> {
    const { connection } = this.#session
    await connection.run('delete from restored')
    for (const key of this.#restored) {
      const [name, venue = '', day] = key.split(' ')
      if (name !== kind.kind) continue
      await connection.run(`insert into restored values (${quoted(venue)}, ${Number(day)})`)
    }
  }

  async #salvage(kind: CopiedKind): Promise<void> {
    const tables = kind.tick === null ? [kind.table] : [kind.table, `${kind.table}_recent`]
    const fresh = `not exists (select 1 from restored where restored.venue = ${venueIn(kind, 'staged')}
      and restored.day = staged.${kind.time} // ${DAY})`
    for (const table of tables) {
      if (!(await hadTable(this.#session.connection, table))) continue
      const lost = await salvageTable(this.#session.connection, table, kind, async () => {
        const into = { ...kind, table: table.endsWith('_recent') ? table : kind.table }
        this.#salvaged += await this.#takeStaged(into, fresh)
      }).catch((): LostSpan[] => [
        { kind: kind.kind, venue: null, from: this.#order.bornAt, to: this.#order.now },
      ])
      for (const span of lost) this.#loseUnlessRestored(kind, span)
    }
  }

  /** Moves the staged rows into their table, with what goes beside them, in one transaction. */
  async #takeStaged(kind: CopiedKind, where: string): Promise<number> {
    const { connection } = this.#session
    await connection.run('begin transaction')
    try {
      if (kind.tick !== null && !kind.table.endsWith('_recent')) {
        const arrivals = { from: 'staged', where, position: 'rowid', values: {} }
        await summarise(this.#session, kind.tick, arrivals)
      }
      const columns = kind.tick === null ? '*' : TICK_COLUMNS[kind.tick].join(', ')
      const taken = await connection.run(
        `insert into ${kind.table} by name select ${columns} from staged where ${where} order by staged.rowid`,
      )
      await connection.run('commit')
      return taken.rowsChanged
    } catch (error) {
      await connection.run('rollback').catch(() => {})
      throw error
    }
  }

  /** The damaged file gives nothing back: every day without a whole copy is lost. */
  #loseAllBut(kind: CopiedKind, sound: readonly DayFile[]): void {
    for (const venue of venuesOf(kind)) {
      const days = new Set(
        sound.filter((one) => one.kind === kind.kind && one.venue === venue).map((one) => one.day),
      )
      const firstDay = Math.min(Math.floor(this.#order.bornAt / DAY), ...days)
      for (let day = firstDay; day * DAY < this.#order.now; day++) {
        if (!days.has(day) && this.#hadRows(kind, venue, day))
          this.#lose(kind, venue, day * DAY, (day + 1) * DAY)
      }
    }
  }

  /** Whether the copies leave open that a day without a whole file had rows. */
  #hadRows(kind: CopiedKind, venue: string, day: number): boolean {
    const noted = this.#files.get({ kind: kind.kind, venue, day })
    return noted !== null || day > this.#files.through
  }

  #loseUnlessRestored(kind: CopiedKind, span: LostSpan): void {
    const from = Number.isFinite(span.from) ? span.from : this.#order.bornAt
    const to = Math.min(span.to, this.#order.now)
    for (const venue of venuesOf(kind)) {
      for (let at = from; at < to; at = (Math.floor(at / DAY) + 1) * DAY) {
        const day = Math.floor(at / DAY)
        if (this.#restored.has(`${kind.kind} ${venue} ${day}`)) continue
        this.#lose(kind, venue, at, Math.min(to, (day + 1) * DAY))
      }
    }
  }

  #lose(kind: CopiedKind, venue: string, from: number, to: number): void {
    const last = this.#lost.at(-1)
    const end = Math.min(to, this.#order.now)
    if (last?.kind === kind.kind && last.venue === venue && last.to === from) {
      this.#lost[this.#lost.length - 1] = { ...last, to: end }
    } else this.#lost.push({ kind: kind.kind, venue, from, to: end })
  }

  async #stateGaps(): Promise<void> {
    const gaps = new Map<string, string>()
    for (const { kind, venue, from, to } of this.#lost) {
      const feed = FEED_OF[kind]
      if (feed === undefined || venue === null) continue
      const values = [
        quoted(venue),
        'null',
        COVERAGE_FEEDS.indexOf(feed),
        COVERAGE_STATES.indexOf('gap'),
        Math.floor(from),
        Math.ceil(to),
        this.#order.now,
        quoted('lost with a damaged history file'),
      ].join(', ')
      gaps.set(values, `insert into coverage values (${values})`)
    }
    for (const statement of gaps.values()) await this.#session.connection.run(statement)
  }
}

/** The feed whose continuity breaks when rows of a kind are lost. */
const FEED_OF: Readonly<Record<string, CoverageFeed>> = {
  trades: 'trades',
  candles: 'trades',
  quotes: 'quotes',
  books: 'quotes',
  activity: 'quotes',
}
