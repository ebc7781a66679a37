import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { COVERAGE_FEEDS } from '../../domain/coverage-feed.ts'
import { COVERAGE_STATES } from '../coverage.ts'
import type { CoverageFeed } from '../../domain/coverage-feed.ts'
import { openEngine, quoteText } from '../duckdb/engine/engine.ts'
import { Session } from '../duckdb/engine/connections.ts'
import { migrate } from '../duckdb/migrations/migrations.ts'
import { TICK_COLUMNS } from '../duckdb/ticks/sorted.ts'
import { summarise } from '../duckdb/ticks/summaries.ts'
import { BACKUP_TABLES, venueIn, venuesOf, type BackupTable } from './copied-kinds.ts'
import type { LostSpan } from '../../domain/history-damage.ts'
import { dayOf, DayFiles, hourOf, nameOfDay, spanOf, type DayFile } from './day-files.ts'
import { attachDamaged, DAMAGED_SCHEMA, hadTable, salvageTable } from './salvage.ts'

export interface RebuildTask {
  readonly dataDir: string
  /** The new history; it must not exist. */
  readonly into: string
  /** The damaged history; null when it must not be read because the engine dies of it. */
  readonly damaged: string | null
  /** Parquet file of markets with their previous ids; absent: they are numbered by name. */
  readonly catalogue?: string
  /** When the damaged history began; rows without a copy are lost from then on. */
  readonly historyStart: number
  readonly now: Millis
}

export interface RebuildReport {
  readonly fromCopies: number
  readonly salvaged: number
  readonly lost: readonly LostSpan[]
}

/**
 * Builds a history from the remaining data: days with a complete copy come from the copy, all other
 * rows from the damaged file as far as they are readable. Lost rows are recorded as a gap, so that
 * missing data is not mistaken for inactivity. Runs in a child process.
 */
export async function rebuild(task: RebuildTask): Promise<RebuildReport> {
  const engine = await openEngine({ path: task.into, dataDir: task.dataDir })
  try {
    await migrate(engine.writer)
    const work = new Rebuild(new Session(engine.writer), task)
    return await work.run()
  } finally {
    engine.close()
  }
}

class Rebuild {
  readonly #session: Session
  readonly #order: RebuildTask
  readonly #files: DayFiles
  /**
   * `kind venue hour` of hours that were restored completely from a copy, counted since the epoch.
   */
  readonly #restoredKinds = new Set<string>()
  readonly #lostSpans: LostSpan[] = []
  #copiedRows = 0
  #salvagedRows = 0

  constructor(session: Session, task: RebuildTask) {
    this.#session = session
    this.#order = task
    this.#files = new DayFiles(task.dataDir)
  }

  async run(): Promise<RebuildReport> {
    const { damaged } = this.#order
    const isReadable = damaged !== null && (await attachDamaged(this.#session.connection, damaged))
    const sound = await this.#intactFiles()
    await this.#registerMarkets(isReadable, sound)
    for (const kind of BACKUP_TABLES) {
      for (const file of sound.filter((dayFile) => dayFile.kind === kind.kind))
        await this.#restore(kind, file)
      await this.#recordRestored(kind)
      if (isReadable) await this.#salvage(kind)
      else this.#recordLossExcept(kind, sound)
    }
    await this.#stateGaps()
    await this.#session.connection.run('checkpoint')
    return { fromCopies: this.#copiedRows, salvaged: this.#salvagedRows, lost: this.#lostSpans }
  }

  /** Intact files. A file whose day changed later counts too when nothing better exists. */
  async #intactFiles(): Promise<DayFile[]> {
    const sound: DayFile[] = []
    for (const file of this.#files.all()) {
      if (await this.#files.isSound(file)) sound.push(file)
    }
    // Hours of a day count when its own file is missing.
    const intactDays = new Set(sound.map((file) => nameOfDay(file)))
    for (const file of this.#files.hours()) {
      const { kind, venue, day } = file
      if (intactDays.has(nameOfDay({ kind, venue, day }))) continue
      if (await this.#files.isSound(file)) sound.push(file)
    }
    return sound.sort((a, b) => spanOf(a).from - spanOf(b).from)
  }

  /**
   * Markets keep their ids when the old catalogue is readable; the copies identify them by name.
   */
  async #registerMarkets(isReadable: boolean, sound: readonly DayFile[]): Promise<void> {
    const { connection } = this.#session
    await connection.run('create temp table restored (venue varchar, hour bigint)')
    if (isReadable) {
      await connection.run(`insert into market select * from ${DAMAGED_SCHEMA}.market order by id`)
    } else if (this.#order.catalogue !== undefined) {
      const catalogue = quoteText(this.#order.catalogue)
      await connection.run(
        `insert into market select id, venue, ticker from read_parquet(${catalogue}) order by id`,
      )
    }
    const restoredKinds = BACKUP_TABLES.filter(({ owner }) => owner !== 'world').map(
      ({ kind }) => kind,
    )
    for (const file of sound.filter(({ kind }) => restoredKinds.includes(kind))) {
      await connection.run(
        `insert into market
         select (select coalesce(max(id), -1) from market) + row_number() over (order by ticker),
                ${quoteText(file.venue)}, ticker
           from (select distinct ticker from ${this.#relation(file)} where ticker is not null)
          where ticker not in (select ticker from market where venue = ${quoteText(file.venue)})`,
      )
    }
  }

  async #restore(kind: BackupTable, file: DayFile): Promise<void> {
    const isCoverage = kind.owner === 'venue'
    await this.#session.connection.run(
      kind.owner === 'world'
        ? `create or replace temp table staged as
       select r.* exclude (file_row_number) from ${this.#relation(file)} as r
        order by r.file_row_number`
        : `create or replace temp table staged as
       select ${isCoverage ? `${quoteText(file.venue)} as venue, ` : ''}m.id as market, r.* exclude (ticker, file_row_number)
         from ${this.#relation(file)} as r ${isCoverage ? 'left' : ''} join market as m
           on m.ticker = r.ticker and m.venue = ${quoteText(file.venue)}
        order by m.id, r.file_row_number`,
    )
    this.#copiedRows += await this.#storeStaged(kind, 'true')
    const { from, to } = spanOf(file)
    for (let hour = from / HOUR; hour < to / HOUR; hour++) {
      this.#restoredKinds.add(`${file.kind} ${file.venue} ${hour}`)
    }
    if (file.dirty) this.#recordLoss(kind, file.venue, from, to)
  }

  #relation(file: DayFile): string {
    const path = quoteText(this.#files.pathOf(file))
    return `read_parquet(${path}, file_row_number = true, hive_partitioning = false)`
  }

  /** Hours of a kind that are complete now and that the salvage skips. */
  async #recordRestored(kind: BackupTable): Promise<void> {
    const { connection } = this.#session
    await connection.run('delete from restored')
    const values: string[] = []
    for (const key of this.#restoredKinds) {
      const [name, venue = '', hour] = key.split(' ')
      if (name === kind.kind) values.push(`(${quoteText(venue)}, ${Number(hour)})`)
    }
    if (values.length > 0) await connection.run(`insert into restored values ${values.join(', ')}`)
  }

  async #salvage(kind: BackupTable): Promise<void> {
    const tables = kind.tick === null ? [kind.table] : [kind.table, `${kind.table}_recent`]
    const notRestoredSql = `not exists (select 1 from restored where restored.venue = ${venueIn(kind, 'staged')}
      and restored.hour = staged.${kind.time} // ${HOUR})`
    for (const table of tables) {
      if (!(await hadTable(this.#session.connection, table))) continue
      const lostSpans = await salvageTable(this.#session.connection, table, kind, async () => {
        const rebuildTarget = { ...kind, table: table.endsWith('_recent') ? table : kind.table }
        this.#salvagedRows += await this.#storeStaged(rebuildTarget, notRestoredSql)
      }).catch((): LostSpan[] => [
        { kind: kind.kind, venue: null, from: this.#order.historyStart, to: this.#order.now },
      ])
      for (const span of lostSpans) this.#recordLossUnlessRestored(kind, span)
    }
  }

  /** Moves the staged rows into their table, with bounds and summaries, in one transaction. */
  async #storeStaged(kind: BackupTable, conditionSql: string): Promise<number> {
    const { connection } = this.#session
    await connection.run('begin transaction')
    try {
      if (kind.tick !== null && !kind.table.endsWith('_recent')) {
        const arrivals = { from: 'staged', where: conditionSql, position: 'rowid', values: {} }
        await summarise(this.#session, kind.tick, arrivals)
      }
      const columns = kind.tick === null ? '*' : TICK_COLUMNS[kind.tick].join(', ')
      const copyResult = await connection.run(
        `insert into ${kind.table} by name select ${columns} from staged where ${conditionSql} order by staged.rowid`,
      )
      await connection.run('commit')
      return copyResult.rowsChanged
    } catch (error) {
      await connection.run('rollback').catch(() => {})
      throw error
    }
  }

  /** The damaged file returns nothing: every hour without a complete copy is lost. */
  #recordLossExcept(kind: BackupTable, sound: readonly DayFile[]): void {
    for (const venue of venuesOf(kind)) {
      const days = sound.filter((dayFile) => dayFile.kind === kind.kind && dayFile.venue === venue)
      const firstDay = Math.min(dayOf(this.#order.historyStart), ...days.map(({ day }) => day))
      this.#recordLostSpan(kind, venue, firstDay * DAY, this.#order.now)
    }
  }

  #recordLossUnlessRestored(kind: BackupTable, span: LostSpan): void {
    const from = Number.isFinite(span.from) ? span.from : this.#order.historyStart
    const to = Math.min(span.to, this.#order.now)
    for (const venue of venuesOf(kind)) {
      for (let at = from; at < to; at = (Math.floor(at / HOUR) + 1) * HOUR) {
        const hour = Math.floor(at / HOUR)
        if (this.#restoredKinds.has(`${kind.kind} ${venue} ${hour}`)) continue
        this.#recordLoss(kind, venue, at, Math.min(to, (hour + 1) * HOUR))
      }
    }
  }

  /** Marks the hours of a period as lost if no copy restored them and they may have had rows. */
  #recordLostSpan(kind: BackupTable, venue: string, from: number, to: number): void {
    for (let at = from; at < to; at += HOUR) {
      if (this.#restoredKinds.has(`${kind.kind} ${venue} ${at / HOUR}`)) continue
      const key = { kind: kind.kind, venue, ...hourOf(at) }
      if (this.#files.mayContainRows(key)) this.#recordLoss(kind, venue, at, at + HOUR)
    }
  }

  #recordLoss(kind: BackupTable, venue: string, from: number, to: number): void {
    const last = this.#lostSpans.at(-1)
    const end = Math.min(to, this.#order.now)
    if (last?.kind === kind.kind && last.venue === venue && last.to === from) {
      this.#lostSpans[this.#lostSpans.length - 1] = { ...last, to: end }
    } else this.#lostSpans.push({ kind: kind.kind, venue, from, to: end })
  }

  async #stateGaps(): Promise<void> {
    const gaps = new Map<string, string>()
    for (const { kind, venue, from, to } of this.#lostSpans) {
      const feed = FEED_OF[kind]
      if (feed === undefined || venue === null) continue
      const values = [
        quoteText(venue),
        'null',
        COVERAGE_FEEDS.indexOf(feed),
        COVERAGE_STATES.indexOf('gap'),
        Math.floor(from),
        Math.ceil(to),
        this.#order.now,
        quoteText('lost with a damaged history file'),
      ].join(', ')
      gaps.set(values, `insert into coverage values (${values})`)
    }
    for (const statement of gaps.values()) await this.#session.connection.run(statement)
  }
}

/** The feed whose coverage breaks when rows of a kind are lost. */
const FEED_OF: Readonly<Record<string, CoverageFeed>> = {
  trades: 'trades',
  candles: 'trades',
  quotes: 'quotes',
  books: 'quotes',
  activity: 'quotes',
}
