import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Millis } from '../domain/units.ts'
import { replaceFile } from '../lib/files/durable-file.ts'

/**
 * The newest checkpoint of the operational rows, noted apart from their files, so that a whole set of
 * older files (rows, copy, seals and records) is recognized.
 */
export interface LastGeneration {
  readonly generation: number
  readonly at: Millis
}

const noteOf = (path: string): string => join(dirname(path), 'run', 'state-generation.json')

/** Notes a checkpoint that is on disk. */
export function writeGeneration(path: string, last: LastGeneration): void {
  const note = noteOf(path)
  mkdirSync(dirname(note), { recursive: true, mode: 0o700 })
  replaceFile(note, JSON.stringify(last))
}

/** The newest noted checkpoint; null without a readable note. */
export function lastGenerationOf(path: string): LastGeneration | null {
  const note = noteOf(path)
  if (!existsSync(note)) return null
  try {
    const { generation, at } = JSON.parse(readFileSync(note, 'utf8')) as Partial<LastGeneration>
    return Number.isSafeInteger(generation) && Number.isSafeInteger(at)
      ? ({ generation, at } as LastGeneration)
      : null
  } catch {
    return null
  }
}
