import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc, { scaled } from '../../../../scripts/properties.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { cutHistory } from '../../../testing/cut-history.ts'
import { timesOpen } from '../../../testing/open-files.ts'
import {
  contextAt,
  gaugesAt,
  instantOfPast,
  LATEST,
  MARKETS,
  SPAN,
  START,
  writePast,
  ticksAt,
  writtenPast,
  unboundedOf,
  type WrittenPast,
} from '../../../testing/written-past.ts'
import type { WholeHistory } from '../../history.ts'
import type { HistoryTape } from '../../tape.ts'
import { openHistory } from '../open.ts'
import { openTape } from './tape.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "augury-'begun-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const MEMORY_MB = 256
const open = (path: string): Promise<WholeHistory> =>
  openHistory({ path, threads: 1, memoryLimitMb: MEMORY_MB, logger: silentLogger })
const begin = (tape: HistoryTape, at: Millis): Promise<WholeHistory> =>
  tape.historyAt(at, {
    path: join(folder, 'begun.duckdb'),
    dataDir: folder,
    logger: silentLogger,
  })

/** The same stored data: unchanged at its end, cut at an instant, and reopened at that instant. */
async function during(
  past: WrittenPast,
  sortedAt: readonly Millis[],
  at: Millis,
  work: (histories: {
    whole: WholeHistory
    cut: WholeHistory
    started: WholeHistory
    tape: HistoryTape
  }) => Promise<void>,
): Promise<void> {
  const paths = ['whole', 'stored', 'cut', 'begun'].map((name) => join(folder, `${name}.duckdb`))
  const [whole = '', stored = '', cut = ''] = paths
  for (const path of [whole, stored]) {
    const history = await open(path)
    await writePast(history, past, sortedAt)
    await history.close()
  }
  await cutHistory(stored, cut, at)
  const tape = await openTape(stored, MEMORY_MB)
  const histories = {
    whole: await open(whole),
    cut: await open(cut),
    started: await begin(tape, at),
  }
  try {
    await work({ ...histories, tape })
  } finally {
    for (const history of Object.values(histories)) await history.close()
    tape.close()
    for (const path of paths) rmSync(path, { force: true })
  }
}

describe('a point-in-time view of a stored history', () => {
  // [replay.lookahead.cut] [replay.lookahead.as-of]
  it('returns what the stored one returns as of its start, and what one without later rows returns', async () => {
    await fc.assert(
      fc.asyncProperty(
        writtenPast,
        fc.array(instantOfPast, { maxLength: 2 }),
        instantOfPast,
        instantOfPast,
        async (past, sortedAt, at, earlier) =>
          during(past, sortedAt, at, async ({ whole, cut, started }) => {
            for (const asOf of [at, Math.min(at, earlier) as Millis]) {
              expect(await ticksAt(started, asOf)).toEqual(await ticksAt(whole, asOf))
              expect(await contextAt(started, asOf)).toEqual(await contextAt(whole, asOf))
            }
            expect(await ticksAt(started, LATEST)).toEqual(await ticksAt(cut, LATEST))
            expect(await contextAt(started, LATEST)).toEqual(await contextAt(cut, LATEST))
            for (const asOf of [at, LATEST]) {
              expect(await gaugesAt(started, asOf)).toEqual(await gaugesAt(cut, asOf))
            }
            expect(await unboundedOf(started)).toEqual(await unboundedOf(cut))
          }),
      ),
      { numRuns: scaled(2), endOnFailure: true },
    )
  })

  it('returns what the stored one returns at its end, after the later rows were appended and sorted', async () => {
    await fc.assert(
      fc.asyncProperty(
        writtenPast,
        fc.array(instantOfPast, { maxLength: 2 }),
        instantOfPast,
        instantOfPast,
        async (past, sortedAt, at, earlier) =>
          during(past, sortedAt, at, async ({ whole, started, tape }) => {
            for await (const { ticks, ...window } of tape.windows(at, LATEST)) {
              await started.append({ ...ticks, ...window })
            }
            const requested = [at, Math.max(at, earlier) as Millis, LATEST]
            for (const asOf of requested) {
              expect(await ticksAt(started, asOf)).toEqual(await ticksAt(whole, asOf))
            }
            await started.sortClosedHours((Math.max(at, earlier) + DAY / 2) as Millis)
            for (const asOf of requested) {
              expect(await ticksAt(started, asOf)).toEqual(await ticksAt(whole, asOf))
            }
            expect(await unboundedOf(started)).toEqual(await unboundedOf(whole))
          }),
      ),
      { numRuns: scaled(2), endOnFailure: true },
    )
  })

  const stored = async (): Promise<string> => {
    const path = join(folder, 'stored.duckdb')
    const history = await open(path)
    await writePast(history, fc.sample(writtenPast, { numRuns: 1, seed: 7 })[0] as WrittenPast, [])
    await history.close()
    return path
  }
  const AT = (START + SPAN / 2) as Millis
  const TRADES = { from: START as Millis, to: LATEST, asOf: LATEST, markets: MARKETS }

  it('runs statements over what was known by then, and what was appended since', async () => {
    const tape = await openTape(await stored(), MEMORY_MB)
    const started = await begin(tape, AT)
    try {
      const countOf = async (sql: string): Promise<number> => {
        const signal = new AbortController().signal
        const outcome = await started.query(sql, { maxRows: 9, maxLength: 999, signal })
        if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome))
        return Number((JSON.parse(outcome.answer.rows[0] ?? '[]') as number[])[0])
      }
      const quotes = 'select count(*) from quotes'
      const late = `${quotes} where epoch_ms(known_at) > ${AT}`
      const known = await countOf(quotes)
      expect([known > 0, await countOf(late)]).toEqual([true, 0])
      let appended = 0
      for await (const { ticks, ...window } of tape.windows(AT, LATEST)) {
        appended += ticks.quotes.market.length
        await started.append({ ...ticks, ...window })
      }
      expect(await countOf(quotes)).toBe(known + appended)
      expect(await countOf(late)).toBe(appended)
    } finally {
      await started.close()
      tape.close()
    }
  })

  it('accesses no file outside its folder, and does not change the stored one', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'augury-outside-'))
    const path = await stored()
    const before = readFileSync(path)
    const tape = await openTape(path, MEMORY_MB)
    try {
      for (let n = 0; n < 2; n++) {
        const started = await begin(tape, AT)
        await started.copyTo('trades', TRADES, join(folder, 'inside.parquet'))
        const file = join(outside, 'trades.parquet')
        await expect(started.copyTo('trades', TRADES, file)).rejects.toThrow('could not answer')
        await expect(started.adopt('trades', file)).rejects.toThrow('could not keep the rows')
        await started.close()
        rmSync(join(folder, 'begun.duckdb'))
      }
    } finally {
      tape.close()
      rmSync(outside, { recursive: true })
    }
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it.skipIf(process.platform !== 'linux')(
    'leaves the stored one locked when it is closed, and releases its own file',
    async () => {
      const path = await stored()
      const tape = await openTape(path, MEMORY_MB)
      try {
        const started = await begin(tape, AT)
        expect(timesOpen(join(folder, 'begun.duckdb'))).toBe(1)
        await started.close()
        expect(timesOpen(join(folder, 'begun.duckdb'))).toBe(0)
        const writes = `await (await import('@duckdb/node-api')).DuckDBInstance.create(process.argv[1])`
        const { status, stderr } = spawnSync(
          process.execPath,
          ['--input-type=module', '-e', writes, path],
          { encoding: 'utf8' },
        )
        expect([status, stderr]).toEqual([1, expect.stringMatching(/could not set lock/i)])
      } finally {
        tape.close()
      }
    },
  )
})
