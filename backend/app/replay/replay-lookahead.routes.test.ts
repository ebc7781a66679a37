import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService } from '../service.ts'
import { readConfig } from '../config.ts'
import { HOUR } from '../../domain/units.ts'
import { bind } from '../../http/server.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openStores } from '../stores.ts'
import { cutHistory } from '../../testing/cut-history.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { recordFolder, startReplayOf, type RecordedFolder } from '../../testing/replayed-folder.ts'

const START = '2026-11-20T14:00:00.000Z'
const FROM = Date.parse(START) - 3 * HOUR
/** Instants of the compared responses, none of them a snapshot instant. */
const ASKED_AT = [FROM + 7_000, FROM + 20 * 60_000 + 11_000, FROM + 35 * 60_000 + 4_000]

/** Of a market by its ticker. */
const OF_MARKET = (ticker: string): string[] => [
  `/api/public/market/${ticker}?depth=true`,
  `/api/public/market/${ticker}/candles?timeframe=5m&limit=50`,
  `/api/public/market/${ticker}/history`,
  `/api/agent/inspect/${ticker}?format=json`,
]
const OF_ALL = [
  '/api/public/markets?limit=200',
  '/api/public/scan?q=fed',
  '/api/public/screen?limit=50',
  '/api/public/liquidity',
]

let folder: RecordedFolder
beforeAll(async () => {
  folder = await recordFolder({ seed: 5, markets: 30, start: START, livedMs: 1_000 })
})
afterAll(() => folder.remove())

const tickersIn = (text: string): string[] =>
  (JSON.parse(text) as { markets: { ticker: string }[] }).markets.map(({ ticker }) => ticker)

/** Fields that describe the process, not an instant. */
const withoutTimings = (text: string): string =>
  text.replace(/"(?:latencyMs|generatedInMs)":[^,}]*/g, '"":0')
/** Labels are stored by a running service: none ran at that time, but the replay did. */
const withoutLabels = (text: string): string =>
  text.replace(/"regimeHistory":\[[^\]]*\]|"regimeCount":\d+/g, '"":0')

/** Responses of a replay at each of the instants, by instant and path. */
async function answersOf(dataDir: string, until: number): Promise<Map<string, string>> {
  const replay = await startReplayOf(dataDir, { from: FROM, to: until })
  const answers = new Map<string, string>()
  try {
    let now = FROM
    for (const at of ASKED_AT) {
      const { status } = await replay.post('step', { n: (at - now) / 1_000 })
      expect(status).toBe(200)
      now = at
      const list = await replay.get(OF_ALL[0] ?? '')
      const paths = [...OF_ALL, ...tickersIn(list.text).slice(0, 4).flatMap(OF_MARKET)]
      for (const path of paths) {
        const { status: answered, text } = await replay.get(path)
        answers.set(`${at} ${path}`, `${answered} ${text}`)
      }
    }
  } finally {
    await replay.stop()
  }
  return answers
}

/** A service on the whole folder at its end. */
async function plainService(dataDir: string, now: number) {
  const clock = new FakeClock(now)
  const config = readConfig(['--data', dataDir, '--source', 'none'], { AUGURY_FAIR_USE: 'off' })
  const bound = await bind({ host: '127.0.0.1', port: 0 })
  const service = createService({
    config,
    clock,
    random: () => 0.5,
    log: silentLogger,
    boundUrl: bound.url,
    stores: await openStores(dataDir, silentLogger, clock),
  })
  service.serveOn(bound, 'launch-secret')
  await service.start()
  await service.settle()
  return {
    async get(path: string) {
      const response = await fetch(`${bound.url}${path}`)
      return `${response.status} ${await response.text()}`
    },
    async stop() {
      await bound.close(0)
      await service.stop()
    },
  }
}

describe('responses of a replay', () => {
  let whole: Map<string, string>
  beforeAll(async () => {
    whole = await answersOf(folder.dataDir, folder.endedAt)
  })

  // [replay.lookahead.cut]
  it('are the same if nothing later is stored', async () => {
    const cut = mkdtempSync(join(tmpdir(), 'augury-cut-'))
    try {
      mkdirSync(cut, { recursive: true })
      const path = join(cut, 'history.duckdb')
      const last = ASKED_AT.at(-1) ?? 0
      await cutHistory(join(folder.dataDir, 'history.duckdb'), path, last)
      const without = await answersOf(cut, last)
      expect([...without.keys()]).toEqual([...whole.keys()])
      for (const [requested, answer] of without) {
        expect([requested, withoutPorts(answer)]).toEqual([
          requested,
          withoutPorts(whole.get(requested) ?? ''),
        ])
      }
    } finally {
      rmSync(cut, { recursive: true, force: true })
    }
  })

  // [replay.lookahead.as-of]
  it('equal those of a later service as of that instant', async () => {
    const plain = await plainService(folder.dataDir, folder.endedAt)
    try {
      const differing: string[] = []
      for (const [requested, answer] of whole) {
        const [at = '', path = ''] = requested.split(' ')
        const asOf = `asOf=${new Date(Number(at)).toISOString()}`
        const later = await plain.get(`${path}${path.includes('?') ? '&' : '?'}${asOf}`)
        const [then, since] = [answer, later].map((text) => withoutLabels(withoutPorts(text)))
        if (then !== since) differing.push(differenceOf(requested, then ?? '', since ?? ''))
      }
      expect(differing.slice(0, 4), `${differing.length} of ${whole.size}`).toEqual([])
    } finally {
      await plain.stop()
    }
  })
})

/** The first difference of two responses. */
function differenceOf(requested: string, then: string, later: string): string {
  let at = 0
  while (at < then.length && then[at] === later[at]) at += 1
  const part = (text: string): string => text.slice(Math.max(0, at - 150), at + 250)
  return `${requested}\n  then  ${part(then)}\n  later ${part(later)}`
}

/** Replaces the port in addresses. */
const withoutPorts = (text: string): string =>
  withoutTimings(text).replace(/127\.0\.0\.1:\d+/g, 'service')
