import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { replaceFile } from '../lib/durable-file.ts'

/**
 * What a SQLite file held when it last came to rest. SQLite keeps no checksums of its pages, but with
 * a log beside it the file itself only changes when the log is folded in, and only we do that: between
 * two foldings the file must be what it was.
 */
interface Seal {
  readonly sha256: string
  /** The first page's header, which every program that writes the file changes. */
  readonly head: string
}

const HEAD_BYTES = 100
const sealPathOf = (path: string): string => `${path}.seal`

/** Seals a file that is at rest. */
export function seal(path: string): void {
  replaceFile(sealPathOf(path), JSON.stringify(sealOf(path)))
}

/** Breaks the seal before the file changes. */
export const breakSeal = (path: string): void => rmSync(sealPathOf(path), { force: true })

/**
 * `broken`: the content changed although nobody wrote it, since the header is the same and the rest is
 * not. `unknown`: there is no seal, or another program wrote the file and it is judged by itself.
 */
export function sealStateOf(path: string): 'intact' | 'broken' | 'unknown' {
  const kept = readSeal(path)
  if (kept === null || !existsSync(path)) return 'unknown'
  const now = sealOf(path)
  if (kept.sha256 === now.sha256) return 'intact'
  return kept.head === now.head ? 'broken' : 'unknown'
}

/** Whether two files came to rest with the same content, by their seals. */
export function sealedAlike(path: string, other: string): boolean {
  const kept = readSeal(path)
  return kept !== null && kept.sha256 === readSeal(other)?.sha256
}

function sealOf(path: string): Seal {
  const content = readFileSync(path)
  return {
    sha256: createHash('sha256').update(content).digest('hex'),
    head: content.subarray(0, HEAD_BYTES).toString('hex'),
  }
}

function readSeal(path: string): Seal | null {
  try {
    const value = JSON.parse(readFileSync(sealPathOf(path), 'utf8')) as Partial<Seal> | null
    const { sha256, head } = value ?? {}
    return sha256 === undefined || head === undefined ? null : { sha256, head }
  } catch {
    return null
  }
}
