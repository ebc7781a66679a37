import { createHash } from 'node:crypto'
import type { ImportStep, StoredStep } from '../../history/history-copies.ts'
import type { StoredCounts, ImportHost, OutcomeStatus } from './import-host.ts'

/** The import that an attempt belongs to, and what earlier attempts stored. */
export interface ImportAttempt {
  readonly importId: string
  /** Null for the first attempt. */
  readonly earlier: readonly StoredStep[] | null
}

/**
 * A host that records every write under a key derived from the file and the data. A resumed import
 * repeats the same writes: those already stored return their earlier result.
 */
export interface ResumedHost {
  /** The host for the writes of one file, by its index in the request. */
  hostOf(file: number): ImportHost
  /** Rows of a file that earlier attempts stored and this attempt has not reached again. */
  storedOf(file: number): StoredCounts
}

export function createResumedHost(host: ImportHost, attempt: ImportAttempt | null): ResumedHost {
  const earlierResults = new Map((attempt?.earlier ?? []).map(({ key, result }) => [key, result]))
  const repeats = new Map<string, number>()

  const stepOf = (file: number, isCounted: boolean, content: string): ImportStep | null => {
    if (attempt === null) return null
    const base = `${file} ${isCounted ? 'rows' : 'beside'} ${content}`
    // Equal writes of a file are distinguished by their order.
    const repeat = repeats.get(base) ?? 0
    repeats.set(base, repeat + 1)
    return { importId: attempt.importId, key: `${base} ${repeat}` }
  }

  /** Result of a step that an earlier attempt stored. */
  const storedResult = (step: ImportStep | null): unknown => {
    if (step === null) return undefined
    const result = earlierResults.get(step.key)
    earlierResults.delete(step.key)
    return result
  }

  const runOnce = async (
    step: ImportStep | null,
    store: (step?: ImportStep) => Promise<StoredCounts>,
  ): Promise<StoredCounts> => {
    const previous = storedResult(step) as StoredCounts | undefined
    if (previous !== undefined) return { ...previous, takenBefore: previous.taken }
    return step === null ? store() : store(step)
  }

  return {
    hostOf: (file) => ({
      ...host,
      adopt(stagedFile) {
        const { kind, content, isCounted } = stagedFile
        const step = stepOf(stagedFile.file, isCounted, `${kind} ${content.rows} ${content.hash}`)
        return runOnce(step, (markStep) => host.adopt(stagedFile, markStep))
      },
      adoptFacts(versions, isCounted = true) {
        const step = stepOf(file, isCounted, `facts ${digestOf(versions)}`)
        return runOnce(step, (markStep) => host.adoptFacts(versions, isCounted, markStep))
      },
      storeStatements(statements) {
        const step = stepOf(file, true, `stated ${digestOf(statements)}`)
        return runOnce(step, (markStep) => host.storeStatements(statements, markStep))
      },
      async settle(outcomes, dryRun) {
        if (dryRun) return host.settle(outcomes, dryRun)
        const step = stepOf(file, true, `settled ${digestOf(outcomes)}`)
        const previous = storedResult(step) as readonly OutcomeStatus[] | undefined
        if (previous !== undefined) {
          return previous.map((status): OutcomeStatus =>
            status === 'taken' ? 'taken before' : status,
          )
        }
        return step === null ? host.settle(outcomes, dryRun) : host.settle(outcomes, dryRun, step)
      },
    }),
    storedOf(file) {
      let [takenCount, knownCount] = [0, 0]
      for (const [key, result] of earlierResults) {
        if (!key.startsWith(`${file} rows `)) continue
        const adoptionCounts = Array.isArray(result) ? countOf(result) : (result as StoredCounts)
        takenCount += adoptionCounts.taken
        knownCount += adoptionCounts.known
      }
      return { taken: takenCount, known: knownCount, takenBefore: takenCount }
    },
  }
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')

const countOf = (statuses: readonly unknown[]): StoredCounts => ({
  taken: statuses.filter((status) => status === 'taken').length,
  known: statuses.filter((status) => status === 'known').length,
})
