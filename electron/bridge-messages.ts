import type { DataState, MenuGroup, MenuRow, Note, ShellCommand } from './bridge.ts'

const MAX_GROUPS = 12
const MAX_ROWS = 60
const MAX_LABEL_LENGTH = 120
const MAX_LINE_LENGTH = 2_000

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= maxLength

function readCommand(value: unknown): ShellCommand | null {
  if (!isRecord(value)) return null
  const { kind, line } = value
  if ((kind !== 'run' && kind !== 'prefill') || !isText(line, MAX_LINE_LENGTH)) return null
  return { kind, line }
}

function readRow(value: unknown): MenuRow | null {
  if (!isRecord(value)) return null
  const { label } = value
  const command = readCommand(value['command'])
  return command !== null && isText(label, MAX_LABEL_LENGTH) ? { label, command } : null
}

const allOf = <T>(values: readonly unknown[], read: (value: unknown) => T | null): T[] | null => {
  const rows = values.map(read).filter((value) => value !== null)
  return rows.length === values.length ? rows : null
}

function readGroup(value: unknown): MenuGroup | null {
  if (!isRecord(value) || !isText(value['label'], MAX_LABEL_LENGTH)) return null
  const list = value['rows']
  if (!Array.isArray(list) || list.length > MAX_ROWS) return null
  const rows = allOf(list as unknown[], readRow)
  return rows === null ? null : { label: value['label'], rows }
}

/** Validates the menus sent by a page; null when any of them is invalid. */
export const readMenus = (value: unknown): readonly MenuGroup[] | null =>
  Array.isArray(value) && value.length <= MAX_GROUPS ? allOf(value as unknown[], readGroup) : null

const TONES = ['fresh', 'late', 'stale', 'lost'] as const

/** Validates the state of the data sent by a page; null when it is invalid. */
export function readDataState(value: unknown): DataState | null {
  if (!isRecord(value)) return null
  const tone = TONES.find((candidate) => candidate === value['tone'])
  const { text, isPaused } = value
  if (tone === undefined || !isText(text, MAX_LABEL_LENGTH)) return null
  return { tone, text, isPaused: isPaused === true }
}

/**
 * Validates a notification from the page and cuts it to the length that systems show; null when it
 * is invalid.
 */
export function readNote(value: unknown): Note | null {
  if (!isRecord(value)) return null
  const { title, body, line } = value
  if (typeof title !== 'string' || typeof body !== 'string' || title.trim() === '') return null
  const isLine = line === null || isText(line, MAX_LINE_LENGTH)
  return isLine ? { title: title.slice(0, 80), body: body.slice(0, 240), line } : null
}
