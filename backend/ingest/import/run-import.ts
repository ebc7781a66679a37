import type { FileReport, ImportRequest } from '../../domain/import-report.ts'
import { RememberedCatalogue } from '../../venues/venue-a/catalogue.ts'
import { csvHeader } from './csv-header.ts'
import { describedBy, detect, type Detected } from './detect.ts'
import { formatOf, UnreadableFile } from './file-format.ts'
import type { ImportHost } from './import-host.ts'
import { lineOfOpenQuote } from './open-quote.ts'
import { readContext, readRecording } from './read-recording.ts'
import { openReaderDatabase, rejectedLines, type Table } from './reader-database.ts'
import type { Reading, Session } from './reading.ts'
import { createStager } from './stager.ts'
import { eventRows, TEMPERATURE_EVENTS } from './temperature-titles.ts'
import { createTitleBook } from './title-book.ts'
import { createTally, type Tally } from './tally.ts'

export interface ImportSettings {
  /** Folder inside the data folder that the history may read staged files from. */
  readonly stageDir: string
  readonly tempDir: string
  readonly memoryLimitMb: number
}

interface File {
  readonly path: string
  readonly tally: Tally
  detected: Detected | null
}

/**
 * Reads files into the history: descriptions first, then outcomes, then prices. A file that cannot
 * be read is reported and the others go on. What is stored already is left out, so that an import
 * that broke off is finished by starting it again.
 * @param onReport hears of every change of a file's report, by its place in `request.paths`
 * @returns the reports in the order of `request.paths`; those of a cancelled import as they stood
 */
export async function runImport(
  request: ImportRequest,
  host: ImportHost,
  settings: ImportSettings,
  signal: AbortSignal,
  onReport: (index: number, report: FileReport) => void = () => {},
): Promise<FileReport[]> {
  const database = await openReaderDatabase(settings)
  const interrupt = (): void => {
    database.connection.interrupt()
    database.staging.interrupt()
  }
  signal.addEventListener('abort', interrupt)
  const files = request.paths.map((path, index): File => {
    const tally = createTally(path, (report) => onReport(index, report))
    return { path, tally, detected: null }
  })
  const catalogue = new RememberedCatalogue()
  const tables = new Map<string, Table[]>()
  const session: Session = {
    ...{ db: database.connection, host, dryRun: request.dryRun, signal, tables },
    venue: request.venue,
    stager: createStager(host, settings.stageDir),
    described: new Map(),
    named: new Map(),
    assets: new Map(),
    assetsToAsk: new Set(),
    staging: database.staging,
    titles: createTitleBook(host, request.dryRun),
  }
  try {
    for (const file of files) {
      await attempt(file, signal, () =>
        recognise(file, request, settings, session, catalogue, tables),
      )
    }
    const ranked = files.toSorted((a, b) => rankIn(a) - rankIn(b))
    for (const file of ranked) {
      await attempt(file, signal, async () => {
        const reading = { ...session, tally: file.tally }
        const readInto = (into: Reading) => read(file, into, settings, catalogue)
        if (request.strict === true && !request.dryRun) await readWhole(reading, readInto)
        else await readInto(reading)
      })
    }
  } finally {
    await session.stager.drain()
    signal.removeEventListener('abort', interrupt)
    database.close()
  }
  return files.map(({ tally }) => tally.report())
}

const rankIn = ({ detected }: File): number =>
  (detected === null ? null : describedBy(detected))?.rank ?? 0

/** A file's own failure stays with it; a cancelled import does nothing further. */
async function attempt(file: File, signal: AbortSignal, step: () => Promise<void>): Promise<void> {
  if (isAborted(signal) || file.tally.report().error !== null) return
  try {
    await step()
  } catch (error) {
    // What is thrown once the import is cancelled is the cancelling itself.
    if (isAborted(signal)) return
    file.tally.fail(error instanceof Error ? error.message : String(error))
  }
}

const isAborted = (signal: AbortSignal): boolean => signal.aborted

async function recognise(
  file: File,
  request: ImportRequest,
  settings: ImportSettings,
  session: Session,
  catalogue: RememberedCatalogue,
  tables: Map<string, Table[]>,
): Promise<void> {
  const detected = await detect(file.path, session.db, settings.tempDir)
  const described = describedBy(detected)
  if (described === null) return
  const { name, venue } = described
  file.tally.name(name)
  if (request.kind !== null && request.kind !== name) {
    throw new UnreadableFile(`the layout is ${name}, not ${request.kind}`)
  }
  if (request.venue !== null && venue !== null && request.venue !== venue) {
    throw new UnreadableFile(`the file is of ${venue}, not ${request.venue}`)
  }
  if (detected.is === 'context') {
    detected.context.learn(catalogue)
    session.titles.add(detected.context.titles)
  }
  if (detected.is === 'recording') {
    for (const asset of detected.recording.assets ?? []) session.assetsToAsk.add(asset)
  }
  if (detected.is === 'table') {
    tables.set(name, [...(tables.get(name) ?? []), detected.table])
    if (name === TEMPERATURE_EVENTS) {
      const rows = await eventRows(detected.table, session.db)
      const events = rows.map(({ title }) => title).filter((title) => title !== null)
      session.titles.add({ events, series: [] })
      // What a first look refuses is told when the file is read.
      await rejectedLines(session.db)
    }
  }
  // A payload may be large and is read again in its turn; of a table nothing is held.
  file.detected = detected.is === 'recording' ? unread(detected) : detected
}

/** The same recording without its rows, so that a thousand payloads are not held at once. */
const unread = (detected: Extract<Detected, { is: 'recording' }>): Detected => ({
  ...detected,
  recording: { ...detected.recording, rows: [] },
})

/** Reads a file that is taken whole or not at all: it is counted first, and stored after that. */
async function readWhole(
  reading: Reading,
  readInto: (reading: Reading) => Promise<void>,
): Promise<void> {
  const trial = createTally(reading.tally.source, () => {})
  // What a trial describes is not in the history yet, so it stays out of what the import remembers.
  const apart = { described: new Map(reading.described), named: new Map(reading.named) }
  const titles = createTitleBook(reading.host, true, reading.titles.told)
  await readInto({ ...reading, ...apart, titles, tally: trial, dryRun: true })
  const { rowsRefused, reasons } = trial.report()
  if (rowsRefused === 0) return readInto(reading)
  for (const { reason, count, firstRow } of reasons) reading.tally.refuse(reason, count, firstRow)
  throw new UnreadableFile('nothing was taken: rows are refused, and the import is strict')
}

async function read(
  file: File,
  reading: Reading,
  settings: ImportSettings,
  catalogue: RememberedCatalogue,
): Promise<void> {
  const { detected } = file
  if (detected === null || detected.is === 'nothing') return
  if (detected.is === 'context') return readContext(detected.context, reading)
  if (detected.is === 'table') {
    await detected.layout.read(detected.table, reading)
    const rejected = await rejectedLines(reading.db)
    for (const { reason, count, firstRow } of rejected)
      reading.tally.refuse(reason, count, firstRow)
    if (rejected.length === 0) await refuseOpenQuote(detected.table, reading)
    return
  }
  const again = await detect(file.path, reading.db, settings.tempDir)
  if (again.is !== 'recording') throw new UnreadableFile('the file changed while it was imported')
  await readRecording(again.recording, again.receivedAt, catalogue, reading)
}

/** Tells of a text whose end the engine took for the inside of a quote. */
async function refuseOpenQuote({ path }: Table, { tally }: Reading): Promise<void> {
  if ((await formatOf(path)) !== 'csv') return
  const line = await lineOfOpenQuote(path, (await csvHeader(path)).separator)
  if (line === null) return
  tally.refuse('a quote is opened and never closed: no row is read from there on', 1, line - 1)
}
