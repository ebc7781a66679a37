import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FOLDER = process.env['AUGURY_RECORDINGS'] ?? resolve(import.meta.dirname, '../../shared/data')

/** Whether recorded payloads are available; a test without them reports that and is skipped. */
export const hasRecordings = existsSync(join(FOLDER, 'README.md'))
export const WITHOUT_RECORDINGS =
  'recordings absent: set AUGURY_RECORDINGS to the folder that holds them'

/** Path of a recorded file. */
export const recordingPath = (path: string): string => join(FOLDER, path)

/** A recorded JSON payload by its path in the folder; the wrapper some recordings have is removed. */
export function recording(path: string): unknown {
  const body: unknown = JSON.parse(readFileSync(join(FOLDER, path), 'utf8'))
  const isWrapped = typeof body === 'object' && body !== null && '_metadata' in body
  return isWrapped && 'response' in body ? body.response : body
}
