import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Millis } from '../domain/units.ts'
import { replaceFile } from '../lib/files/durable-file.ts'

/**
 * The newest checkpoint of the operational rows, recorded apart from their files, so that a
 * whole set of older files (rows, copy, seals and records) is recognized.
 */
export interface LastGeneration {
  readonly generation: number
  readonly at: Millis
}

const recordPathOf = (path: string): string => join(dirname(path), 'run', 'state-generation.json')

/** Records a checkpoint that is on disk. */
export function writeGeneration(path: string, last: LastGeneration): void {
  const recordPath = recordPathOf(path)
  mkdirSync(dirname(recordPath), { recursive: true, mode: 0o700 })
  replaceFile(recordPath, JSON.stringify(last))
}

/** The newest recorded checkpoint; null without a readable record. */
export function lastGenerationOf(path: string): LastGeneration | null {
  const recordPath = recordPathOf(path)
  if (!existsSync(recordPath)) return null
  try {
    const { generation, at } = JSON.parse(
      readFileSync(recordPath, 'utf8'),
    ) as Partial<LastGeneration>
    return Number.isSafeInteger(generation) && Number.isSafeInteger(at)
      ? ({ generation, at } as LastGeneration)
      : null
  } catch {
    return null
  }
}
