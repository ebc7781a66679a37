import { stat } from 'node:fs/promises'
import { GONE, type FileReport, type ImportRequest } from '../../domain/import-report.ts'
import { venueName } from '../../domain/venue.ts'
import { RememberedCatalogue } from '../../venues/venue-a/catalogue.ts'
import { csvHeader } from './csv-header.ts'
import { describeDetected, detect, type Detection } from './detect.ts'
import { formatOf, UnreadableFile } from './file-format.ts'
import type { ImportHost } from './import-host.ts'
import { lineOfOpenQuote } from './open-quote.ts'
import { readContext, readRecording } from './read-recording.ts'
import { openReaderDatabase, rejectedLines, type Table } from './reader-database.ts'
import type { Reading, Session } from './reading.ts'
import { createResumedHost, type ImportAttempt, type ResumedHost } from './resumed-host.ts'
import { createStagedMarkets } from './staging/staged-markets.ts'
import { createStager } from './staging/stager.ts'
import { eventRows, TEMPERATURE_EVENTS } from './layouts/nyc-temperature/temperature-titles.ts'
import { createTitleBook } from './layouts/title-book.ts'
import { createTally, type Tally } from './tally.ts'

export interface ImportSettings {
  /** Folder inside the data folder that the history may read staged files from. */
  readonly stageDir: string
  readonly tempDir: string
  readonly memoryLimitMb: number
}

interface File {
  readonly path: string
  /** Index in the request. */
  readonly index: number
  readonly tally: Tally
  detected: Detection | null
}

/**
 * Imports files into the history: descriptions first, then outcomes, then prices. A file that
 * cannot be read is reported and the others continue. Rows already stored are skipped, so an
 * interrupted import is completed by starting it again.
 * @param attempt which import this is an attempt of, where it may be resumed after an interruption
 * @param onReport receives every change of a file's report, with its index in `request.paths`
 * @returns the reports in the order of `request.paths`; after a cancellation, their state at that
 * time
 */
export async function runImport(
  request: ImportRequest,
  host: ImportHost,
  settings: ImportSettings,
  signal: AbortSignal,
  onReport: (index: number, report: FileReport) => void = () => {},
  attempt: ImportAttempt | null = null,
): Promise<FileReport[]> {
  const resumedHost = createResumedHost(host, request.dryRun ? null : attempt)
  const database = await openReaderDatabase(settings)
  const interrupt = (): void => {
    database.connection.interrupt()
    database.staging.interrupt()
  }
  signal.addEventListener('abort', interrupt)
  const files = request.paths.map((path, index): File => {
    const tally = createTally(path, (report) => onReport(index, report), index)
    return { path, index, tally, detected: null }
  })
  const catalogue = new RememberedCatalogue()
  const tables = new Map<string, Table[]>()
  const session: Session = {
    db: database.connection,
    host,
    dryRun: request.dryRun,
    signal,
    tables,
    venue: request.venue,
    stager: createStager(resumedHost.hostOf(-1), settings.stageDir),
    described: new Map(),
    named: new Map(),
    assets: new Map(),
    assetsToResolve: new Set(),
    staging: database.staging,
    staged: createStagedMarkets(),
    titles: createTitleBook(host, request.dryRun),
  }
  try {
    if (attempt?.earlier) await refuseGoneFiles(files, resumedHost)
    for (const file of files) {
      await step(file, signal, () => recognise(file, request, settings, session, catalogue, tables))
    }
    const rankedFiles = files.toSorted((a, b) => rankIn(a) - rankIn(b))
    for (const file of rankedFiles) {
      await step(file, signal, async () => {
        const reading = { ...session, host: resumedHost.hostOf(file.index), tally: file.tally }
        const readInto = (target: Reading) => read(file, target, settings, catalogue)
        if (request.strict === true && !request.dryRun) await readWhole(reading, readInto)
        else await readInto(reading)
      })
    }
    await session.stager.drain()
    if (!signal.aborted) {
      const { named: describedNames, dryRun } = session
      await session.staged.describe(host, { described: describedNames, dryRun })
    }
    for (const file of files) if (!signal.aborted) refuseChangedFile(file, resumedHost)
  } finally {
    await session.stager.drain()
    signal.removeEventListener('abort', interrupt)
    database.close()
  }
  return files.map(({ tally }) => tally.report())
}

const rankIn = ({ detected }: File): number =>
  (detected === null ? null : describeDetected(detected))?.rank ?? 0

/** A file's own failure affects only that file; a cancelled import does nothing further. */
async function step(file: File, signal: AbortSignal, task: () => Promise<void>): Promise<void> {
  if (isAborted(signal) || file.tally.report().error !== null) return
  try {
    await task()
  } catch (error) {
    // An error after the cancellation is the cancellation itself.
    if (isAborted(signal)) return
    file.tally.fail(error instanceof Error ? error.message : String(error))
  }
}

/** Reports files of a resumed import that no longer exist, with the rows stored from them. */
async function refuseGoneFiles(files: readonly File[], resumedHost: ResumedHost): Promise<void> {
  for (const { path, index, tally } of files) {
    const isMissing = await stat(path).then(
      () => false,
      (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
    )
    if (!isMissing) continue
    const storedCounts = resumedHost.storedOf(index)
    tally.settle(storedCounts)
    tally.fail(`${GONE}: ${storedCounts.taken} rows had been imported, the rest is missing`)
  }
}

/** Reports a file of which earlier attempts stored rows that it no longer has. */
function refuseChangedFile({ index, tally }: File, resumedHost: ResumedHost): void {
  const storedCounts = resumedHost.storedOf(index)
  if (tally.report().error !== null || storedCounts.taken + storedCounts.known === 0) return
  tally.settle({ ...storedCounts, known: 0 })
  tally.fail(
    `the file changed after the service was interrupted: ${storedCounts.taken} rows of the earlier content had been imported`,
  )
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
  const detection = await detect(file.path, session.db, settings.tempDir)
  const description = describeDetected(detection)
  if (description === null) return
  const { name, venue } = description
  file.tally.name(name)
  if (request.kind !== null && request.kind !== name) {
    throw new UnreadableFile(`the layout is ${name}, not ${request.kind}`)
  }
  if (request.venue !== null && venue !== null && request.venue !== venue) {
    throw new UnreadableFile(
      `the file holds data of ${venueName(venue)}, not ${venueName(request.venue)}`,
    )
  }
  if (detection.is === 'context') {
    detection.context.addTo(catalogue)
    session.titles.add(detection.context.titles)
  }
  if (detection.is === 'recording') {
    for (const asset of detection.recording.assets ?? []) session.assetsToResolve.add(asset)
  }
  if (detection.is === 'table') {
    tables.set(name, [...(tables.get(name) ?? []), detection.table])
    if (name === TEMPERATURE_EVENTS) {
      const rows = await eventRows(detection.table, session.db)
      const events = rows.map(({ title }) => title).filter((title) => title !== null)
      session.titles.add({ events, series: [] })
      // Lines rejected by this first look are reported when the file is read.
      await rejectedLines(session.db)
    }
  }
  // A payload may be large and is read again when it is imported; a table holds nothing in memory.
  file.detected = detection.is === 'recording' ? unread(detection) : detection
}

/** The same recording without its rows, so that a thousand payloads are not held at once. */
const unread = (detection: Extract<Detection, { is: 'recording' }>): Detection => ({
  ...detection,
  recording: { ...detection.recording, rows: [] },
})

/**
 * Reads a file that is imported whole or not at all: it is counted in a dry run first, then
 * stored.
 */
async function readWhole(
  reading: Reading,
  readInto: (reading: Reading) => Promise<void>,
): Promise<void> {
  const trial = createTally(reading.tally.source, () => {})
  // Markets that the dry run describes are not in the history, so they must not enter the session's
  // caches.
  const isolatedSession = {
    described: new Map(reading.described),
    named: new Map(reading.named),
    assets: new Map(reading.assets),
    assetsToResolve: new Set(reading.assetsToResolve),
    staged: createStagedMarkets(),
  }
  const titles = createTitleBook(reading.host, true, reading.titles.venueTitles)
  await readInto({ ...reading, ...isolatedSession, titles, tally: trial, dryRun: true })
  const { rowsRefused, reasons } = trial.report()
  if (rowsRefused === 0) return readInto(reading)
  for (const { reason, count, firstRow } of reasons) reading.tally.refuse(reason, count, firstRow)
  throw new UnreadableFile('nothing was imported: some rows were refused, and the import is strict')
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
    const rejectedRows = await rejectedLines(reading.db)
    for (const { reason, count, firstRow } of rejectedRows)
      reading.tally.refuse(reason, count, firstRow)
    if (rejectedRows.length === 0) await refuseOpenQuote(detected.table, reading)
    return
  }
  const secondDetection = await detect(file.path, reading.db, settings.tempDir)
  if (secondDetection.is !== 'recording')
    throw new UnreadableFile('the file changed during the import')
  await readRecording(secondDetection.recording, secondDetection.receivedAt, catalogue, reading)
}

/** Reports a text whose end the engine parsed as the inside of an open quote. */
async function refuseOpenQuote({ path }: Table, { tally }: Reading): Promise<void> {
  if ((await formatOf(path)) !== 'csv') return
  const line = await lineOfOpenQuote(path, (await csvHeader(path)).separator)
  if (line === null) return
  tally.refuse('an opened quote is never closed: no row after it can be read', 1, line - 1)
}
