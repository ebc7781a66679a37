import { closeSync, openSync, writeSync } from 'node:fs'
import { InvalidInput } from '../../lib/errors.ts'
import { headText, lineText, type RecordedLine, type Recording } from './recording.ts'

/** Records the events of a replay, line by line, so that it can be run again. */
export interface Recorder {
  append(line: RecordedLine): void
  close(): void
}

/** @throws InvalidInput for a file that exists or cannot be written */
export function openRecorder(path: string, span: Omit<Recording, 'lines'>): Recorder {
  let file: number | null
  try {
    // The recording holds users' intents: only its owner may read it.
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const reason = code === 'EEXIST' ? 'exists already' : `cannot be written (${code})`
    throw new InvalidInput(`The recording ${path} ${reason}. Name another file with --record FILE.`)
  }
  writeSync(file, headText(span))
  return {
    append(line) {
      if (file !== null) writeSync(file, lineText(line))
    },
    close() {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}
