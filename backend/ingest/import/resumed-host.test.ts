import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportStep, StoredStep } from '../../history/history-copies.ts'
import type { ImportHost, StagedFile } from './import-host.ts'
import { createResumedHost } from './resumed-host.ts'

const staged = (hash: string, more: Partial<StagedFile> = {}): StagedFile =>
  ({
    kind: 'trades',
    path: '/staged/1',
    content: { rows: 5, hash },
    source: null,
    isCounted: true,
    file: 0,
    ...more,
  }) as unknown as StagedFile

describe('a resumed import', () => {
  /** Writes of the host: what, and the key of the step. */
  let writes: [string, string | null][]
  let stored: StoredStep[]
  const keep = <T>(what: string, result: T, step: ImportStep | undefined): Promise<T> => {
    writes.push([what, step?.key ?? null])
    if (step !== undefined) stored.push({ key: step.key, result })
    return Promise.resolve(result)
  }
  const host = {
    adopt: (_file: StagedFile, step?: ImportStep) => keep('adopt', { taken: 3, known: 2 }, step),
    adoptFacts: (versions: readonly unknown[], isCounted?: boolean, step?: ImportStep) =>
      keep(`facts ${String(isCounted)}`, { taken: versions.length, known: 0 }, step),
    storeStatements: (_statements: object, step?: ImportStep) =>
      keep('statements', { taken: 1, known: 1 }, step),
    settle: (outcomes: readonly unknown[], dryRun: boolean, step?: ImportStep) =>
      keep(
        `settle ${String(dryRun)}`,
        outcomes.map((_, index) => (['taken', 'known', 'no such market'] as const)[index]),
        step,
      ),
  } as unknown as ImportHost
  beforeEach(() => {
    writes = []
    stored = []
  })
  const outcomes = [{}, {}, {}] as unknown as Parameters<ImportHost['settle']>[0]
  const facts = [{}] as unknown as Parameters<ImportHost['adoptFacts']>[0]
  const attempt = (earlier: readonly StoredStep[] | null) =>
    createResumedHost(host, { importId: 'imp_1', earlier })

  it('repeats no write that an earlier attempt stored', async () => {
    const all = async (resumed: ReturnType<typeof attempt>) => {
      const of = resumed.hostOf(0)
      return [
        await of.adopt(staged('a')),
        await of.adopt(staged('a')),
        await of.adopt(staged('b', { isCounted: false })),
        await of.adoptFacts(facts),
        await of.adoptFacts(facts, false),
        await of.storeStatements({}),
        await of.settle(outcomes, false),
      ]
    }
    expect(await all(attempt(null))).toEqual([
      { taken: 3, known: 2 },
      { taken: 3, known: 2 },
      { taken: 3, known: 2 },
      { taken: 1, known: 0 },
      { taken: 1, known: 0 },
      { taken: 1, known: 1 },
      ['taken', 'known', 'no such market'],
    ])
    expect(new Set(writes.map(([, key]) => key)).size).toBe(7)
    writes = []
    const resumed = attempt(stored)
    expect(resumed.storedOf(0)).toEqual({ taken: 9, known: 6, takenBefore: 9 })
    expect(resumed.storedOf(1)).toEqual({ taken: 0, known: 0, takenBefore: 0 })
    expect(await all(resumed)).toEqual([
      { taken: 3, known: 2, takenBefore: 3 },
      { taken: 3, known: 2, takenBefore: 3 },
      { taken: 3, known: 2, takenBefore: 3 },
      { taken: 1, known: 0, takenBefore: 1 },
      { taken: 1, known: 0, takenBefore: 1 },
      { taken: 1, known: 1, takenBefore: 1 },
      ['taken before', 'known', 'no such market'],
    ])
    expect(writes).toEqual([])
    expect(resumed.storedOf(0)).toEqual({ taken: 0, known: 0, takenBefore: 0 })
    // A further write of the same content is a new one.
    await resumed.hostOf(0).adopt(staged('a'))
    expect(writes).toHaveLength(1)
  })

  it('stores what differs from the earlier attempt', async () => {
    await attempt(null).hostOf(0).adopt(staged('a'))
    writes = []
    const of = attempt(stored).hostOf(0)
    await of.adopt(staged('b'))
    await of.adopt(staged('a', { kind: 'quotes' }))
    await of.adopt(staged('a', { file: 1 }))
    await of.adopt(staged('a', { isCounted: false }))
    expect(writes).toHaveLength(4)
  })

  it('records no step of a trial or of an import that is never resumed', async () => {
    await attempt(null).hostOf(0).settle(outcomes, true)
    const single = createResumedHost(host, null).hostOf(0)
    await single.adopt(staged('a'))
    await single.settle(outcomes, false)
    await single.adoptFacts(facts)
    expect(writes).toEqual([
      ['settle true', null],
      ['adopt', null],
      ['settle false', null],
      ['facts true', null],
    ])
  })
})
