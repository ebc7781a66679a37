import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { HOUR } from '../../domain/units.ts'
import { readRecording } from '../../jobs/replay/recording.ts'
import {
  recordFolder,
  startReplayOf,
  type RecordedFolder,
  type RunningReplay,
} from '../../testing/replayed-folder.ts'
import { BUY, OPEN_LIMITS } from '../../testing/trading-service.ts'

const START = '2026-11-20T14:00:00.000Z'
const FROM = Date.parse(START) - 6 * HOUR
const SPAN = { from: FROM, to: FROM + 2 * HOUR }

let folder: RecordedFolder
let files: string
beforeAll(async () => {
  folder = await recordFolder({ seed: 4, markets: 24, start: START, livedMs: 1_000 })
  files = mkdtempSync(join(tmpdir(), 'augury-recording-'))
}, 120_000)
afterAll(() => {
  folder.remove()
  rmSync(files, { recursive: true, force: true })
})

const reportOf = async (replay: RunningReplay): Promise<string> => {
  const { report } = await replay.ask<{ report: object }>('GET', '/api/replay/report')
  return JSON.stringify(report)
}

/** Of venue_a, whose bars contain the quotes at which orders are filled. */
const tickersOf = async (replay: RunningReplay): Promise<string[]> => {
  const { text } = await replay.get('/api/public/markets?venue=venue_a&limit=8')
  return (JSON.parse(text) as { markets: { ticker: string }[] }).markets.map(({ ticker }) => ticker)
}

const intend = (replay: RunningReplay, ticker: string, more: object = {}) =>
  replay.ask<{ id: string }>('POST', '/api/intents', {
    ...BUY,
    marketId: ticker,
    maxPrice: null,
    ...more,
  })

/** Runs a recording again; returns the report. */
async function again(file: string): Promise<string> {
  const replay = await startReplayOf(folder.dataDir, SPAN)
  try {
    const following = replay.replay.playRecording(readRecording(readFileSync(file, 'utf8'), file))
    const step = await replay.post('step', { n: 60 })
    expect([step.status, step.body['error']]).toEqual([
      409,
      'This replay runs a recording, which controls its clock',
    ])
    await following
    return await reportOf(replay)
  } finally {
    await replay.stop()
  }
}

describe('a recording', () => {
  // [replay.record.again]
  it('gives the same report again, byte for byte, including cancelled orders and seeks', async () => {
    const record = join(files, 'steps.ndjson')
    const replay = await startReplayOf(folder.dataDir, { ...SPAN, record })
    let report: string
    try {
      await replay.ask('PUT', '/api/portfolio/config', { ...OPEN_LIMITS, excludeCategories: [] })
      const [second = '', third = '', fourth = '', ...others] = await tickersOf(replay)
      for (const ticker of others) await intend(replay, ticker)
      const { id } = await intend(replay, second, { maxPrice: 1 })
      await replay.post('step', { n: 2_700 })
      await replay.ask('DELETE', `/api/intents/${id}`)
      await intend(replay, third, { direction: 'no' })
      // Refused: it changed nothing and is not recorded.
      await expect(intend(replay, 'NO-SUCH-MARKET')).rejects.toThrow('404')
      await replay.post('step')
      await replay.post('seek', { to: new Date(FROM + HOUR).toISOString() })
      await intend(replay, fourth)
      await replay.post('step', { n: 1_800 })
      report = await reportOf(replay)
    } finally {
      await replay.stop()
    }
    expect((JSON.parse(report) as { trades: number }).trades).toBeGreaterThan(2)
    const { lines } = readRecording(readFileSync(record, 'utf8'), record)
    expect(lines.map(({ kind }) => kind).slice(-6)).toEqual([
      'request',
      'request',
      'request',
      'seek',
      'request',
      'end',
    ])
    const repeated = await again(record)
    expect(JSON.parse(repeated)).toEqual(JSON.parse(report))
    expect(repeated).toBe(report)
  }, 120_000)

  // [replay.record.again]
  it('of a replay that ran by itself gives the same report too', async () => {
    const record = join(files, 'runs.ndjson')
    const replay = await startReplayOf(folder.dataDir, { ...SPAN, record })
    let report: string
    try {
      await replay.ask('PUT', '/api/portfolio/config', { ...OPEN_LIMITS, excludeCategories: [] })
      const tickers = await tickersOf(replay)
      await replay.post('speed', { speed: 3_600 })
      await replay.post('resume')
      for (const ticker of tickers) await intend(replay, ticker, { targetQuantity: 3 })
      const isOver = () => replay.replay.control.position().state === 'ended'
      await vi.waitUntil(isOver, { timeout: 60_000, interval: 20 })
      report = await reportOf(replay)
    } finally {
      await replay.stop()
    }
    expect((JSON.parse(report) as { trades: number }).trades).toBeGreaterThan(3)
    const repeated = await again(record)
    expect(JSON.parse(repeated)).toEqual(JSON.parse(report))
    expect(repeated).toBe(report)
  }, 120_000)

  // [replay.record.refused]
  it('is refused with a remedy when it cannot be read or written', async () => {
    const copy = join(files, 'kept.ndjson')
    writeFileSync(copy, 'mine')
    for (const [record, message] of [
      [copy, 'exists already. Name another file with --record FILE.'],
      [join(files, 'no', 'such', 'folder'), 'cannot be written (ENOENT)'],
    ] as const) {
      await expect(startReplayOf(folder.dataDir, { ...SPAN, record })).rejects.toThrow(message)
    }
    expect(readFileSync(copy, 'utf8')).toBe('mine')
    const head =
      '{"recording":"augury replay","version":1,"from":"2026-11-20T08:00:00.000Z","to":"2026-11-20T12:00:00.000Z"}'
    const refused: readonly (readonly [text: string, message: string])[] = [
      ['', 'is not a recording of a replay'],
      ['{"a":1}', 'is not a recording of a replay'],
      ['\u0000\u0001', 'is not a recording of a replay'],
      [head.replace('"version":1', '"version":9'), 'was recorded by another version (9)'],
      [head.replace('"to"', '"until"'), 'line 1: from or to is missing'],
      [
        `${head}\n{"kind":"request","at":"2026-11-20T08:00:00.000Z"}`,
        'line 2 is not a valid line of a recording',
      ],
      [`${head}\n{"kind":"end","at":"2026-11-20T08:0`, 'line 2 is not a valid line of a recording'],
      [
        `${head}\n{"kind":"leap","at":"2026-11-20T08:00:00.000Z"}`,
        'line 2 is not a valid line of a recording',
      ],
    ]
    for (const [text, message] of refused) {
      expect(() => readRecording(text, 'FILE'), text).toThrow(message)
    }
  })

  // [replay.record.refused]
  it('reports when one of its requests is not accepted any more', async () => {
    const head = {
      recording: 'augury replay',
      version: 1,
      from: new Date(SPAN.from),
      to: new Date(SPAN.to),
    }
    const request = {
      kind: 'request',
      at: new Date(SPAN.from),
      userId: 'usr_1',
      method: 'POST',
      path: '/api/intents',
      repeatKey: null,
      created: 'in_1',
      body: JSON.stringify({ ...BUY, marketId: 'GONE' }),
    }
    const text = [head, request].map((line) => JSON.stringify(line)).join('\n')
    const replay = await startReplayOf(folder.dataDir, SPAN)
    try {
      await expect(replay.replay.playRecording(readRecording(text, 'FILE'))).rejects.toThrow(
        'POST /api/intents was accepted when it was recorded and is refused now',
      )
    } finally {
      await replay.stop()
    }
  }, 60_000)
})
