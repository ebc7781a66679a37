import { readFile, stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Venue } from '../../domain/market.ts'
import { exportedColumns } from './layouts/exported-json.ts'
import { formatOf, UnreadableFile } from './file-format.ts'
import { isTooDeep } from './json-depth.ts'
import {
  LAYOUT_NAMES,
  linesOf,
  nearestLayout,
  rawOf,
  recordingOf,
  tableLayoutOf,
} from './layouts/layouts.ts'
import { openTable, type Table } from './reader-database.ts'
import type { TableLayout } from './reading.ts'
import { recordedAt, unwrap } from './recorded-at.ts'
import { unpack } from './unpack.ts'
import { NO_NOTES, type Context, type Recording } from './recording.ts'
import type { Millis } from '../../domain/units.ts'

/** A file whose layout is known. */
export type Detection =
  | { readonly is: 'table'; readonly layout: TableLayout; readonly table: Table }
  | { readonly is: 'recording'; readonly recording: Recording; readonly receivedAt: Millis }
  | { readonly is: 'context'; readonly context: Context }
  /** An empty list, whose type is unknown. */
  | { readonly is: 'nothing' }

/** A larger JSON file does not fit into memory beside everything else. */
const MAX_JSON_BYTES = 256 * 1024 * 1024
const UNDATED_REASON =
  'the time of the recording is not stated: put the date into the name of the file'
const KNOWN_LAYOUTS = `Known layouts: ${LAYOUT_NAMES.join(', ')}`

/** Summary of a file's layout. */
interface DetectionText {
  readonly name: string
  readonly rank: number
  /** Null when each row of the file names its venue. */
  readonly venue: Venue | null
}

/** Null for a file without rows. */
export function describeDetected(detection: Detection): DetectionText | null {
  switch (detection.is) {
    case 'table':
      return detection.layout
    case 'recording':
      return { ...detection.recording, name: detection.recording.layout }
    case 'context':
      return { ...detection.context, name: detection.context.layout }
    case 'nothing':
      return null
  }
}

/**
 * Detects the content of a file from its bytes and fields alone.
 * @param tempDir where the content of a compressed file is put
 * @throws UnreadableFile when it cannot be read, or holds nothing that can be imported
 */
export async function detect(
  file: string,
  db: DuckDBConnection,
  tempDir: string,
): Promise<Detection> {
  const path = await unpack(file, tempDir)
  const format = await formatOf(path)
  if (format === 'json' && (await exportedColumns(path)) === null) {
    const recording = await detectRecording(path)
    if (recording !== null) return recording
  }
  const table = await openTable(db, path, format)
  const layout = tableLayoutOf(table.columns)
  if (layout === null) throw new UnreadableFile(unknownLayout(table.columns))
  return { is: 'table', layout, table }
}

/** Names only columns of known layouts: the first line of any other text is private content. */
function unknownLayout(columns: ReadonlySet<string>): string {
  const nearest = nearestLayout(columns)
  return nearest === null
    ? `the layout is unknown. ${KNOWN_LAYOUTS}`
    : `the layout is unknown. Columns of ${nearest.name} that are missing: ${nearest.missing.join(', ')}. Present: ${nearest.present.join(', ')}. Rename or add the missing ones`
}

/** Another response of the venue's API: known, but without data that the history stores. */
const withoutHistory: Context = {
  layout: 'venue_a_without_history',
  venue: 'venue_a',
  rank: 4,
  contextKind: null,
  ids: [],
  titles: { events: [], series: [] },
  addTo: () => {},
}

/** Null when the payload belongs to no venue but may be a table written as JSON. */
async function detectRecording(path: string): Promise<Detection | null> {
  if ((await stat(path)).size > MAX_JSON_BYTES) {
    throw new UnreadableFile('the JSON file is larger than 256 MB: split it')
  }
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const first = firstLine(text)
    if (first !== null) return detectLines(first, text, path) ?? rejectTable(text)
    throw new UnreadableFile(`the JSON is malformed or truncated${positionOf(cause)}`, { cause })
  }
  const { body, notes } = unwrap(value)
  const detection = recordingOf(body, notes)
  if (detection === null) {
    if (Array.isArray(value)) return value.length === 0 ? { is: 'nothing' } : rejectTable(text)
    if (body !== value) return { is: 'context', context: withoutHistory }
    throw new UnreadableFile(
      `the JSON holds no markets, trades, books or bars of a known venue. ${KNOWN_LAYOUTS}`,
    )
  }
  if ('ids' in detection) return { is: 'context', context: detection }
  const receivedAt = recordedAt(body, notes, path)
  if (receivedAt === null) {
    throw new UnreadableFile(UNDATED_REASON)
  }
  return { is: 'recording', recording: detection, receivedAt }
}

/**
 * The position where a text stops being JSON, when the parser states it. The parser's message is
 * not used because it quotes the text.
 */
function positionOf(cause: unknown): string {
  const position =
    cause instanceof Error ? /line \d+ column \d+/.exec(cause.message)?.[0] : undefined
  return position === undefined ? '' : ` (${position})`
}

/** Leaves a text to the engine. @throws UnreadableFile for a text that would crash the engine */
function rejectTable(text: string): null {
  if (isTooDeep(text)) throw new UnreadableFile('the JSON is nested more than 100 levels deep')
  return null
}

/** The first value of a text that is one JSON object a line; null for other texts. */
function firstLine(text: string): unknown {
  const [first = '', second = ''] = text.split('\n', 2)
  if (second.trim() === '') return null
  try {
    const value: unknown = JSON.parse(first)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Null when the lines are the rows of a table. */
function detectLines(first: unknown, text: string, path: string): Detection | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const recording = linesOf(first, lines)
  if (recording === null) return null
  const receivedAt = recordedAt(lines.map(rawOf), NO_NOTES, path)
  if (receivedAt === null) throw new UnreadableFile(UNDATED_REASON)
  return { is: 'recording', recording, receivedAt }
}
