import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IndexAnswer, IndexHistory } from '../contract/indices.ts'
import { RESPONSE_BODIES } from '../contract/routes.ts'
import { MINUTE } from '../domain/units.ts'
import type { WorldDelta } from '../domain/world/delta/delta.ts'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'

const START = '2026-11-20T14:02:00.000Z'
/** Reads of users' own data, of the service's state and of single things that need an id. */
const READS = /^GET (\/api\/(?:agent|public|changes|edges)\b.*)/
/** What a request adds to an answer. */
const OF_REQUEST = /"(?:latencyMs|generatedInMs|servedAt)":(?:"[^"]*"|\d+),?/g
const NAMED: Readonly<Record<string, string>> = { ':topic': 'crypto', '*': 'crypto' }
const STEP = 30_000

/** Every read with what it requires, from the table of routes. */
function readsOf(ticker: string): string[] {
  return Object.keys(RESPONSE_BODIES).flatMap((route) => {
    const path = READS.exec(route)?.[1]?.replace(/:\w+|\*/g, (name) => NAMED[name] ?? ticker)
    return path === undefined ? [] : [`${path}?format=json&since=1h&q=fed&ticker=${ticker}`]
  })
}

describe('the first minutes of a service, and its restart', () => {
  let demo: DemoService
  let dataDir: string
  let reads: string[]
  let firstMinute: { readonly at: string; readonly index: IndexAnswer; readonly delta: WorldDelta }
  let sinceFirstMinute: WorldDelta
  let live: Map<string, string>
  let stoppedAt: string
  let index: IndexAnswer
  let past: Map<string, string>

  const json = async <T>(path: string): Promise<T> => {
    const answer = await demo.ask(path)
    expect(answer.slice(0, 4), path).toBe('200 ')
    return JSON.parse(answer.slice(4)) as T
  }
  const now = (): string => new Date(demo.clock.now()).toISOString()
  const answersOf = async (asOf: string | null): Promise<Map<string, string>> => {
    const answers = new Map<string, string>()
    for (const path of reads) {
      const answer = await demo.ask(asOf === null ? path : `${path}&asOf=${asOf}`)
      answers.set(path, answer.replace(OF_REQUEST, ''))
    }
    return answers
  }

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'augury-first-minutes-'))
    demo = await startDemoService({ seed: 11, markets: 60, start: START, dataDir, withPast: true })
    await demo.advance(MINUTE, STEP)
    firstMinute = {
      at: now(),
      index: await json('/api/public/index'),
      delta: await json('/api/agent/world/delta?since=5m&format=json'),
    }
    await demo.advance(19 * MINUTE, STEP)
    const page = await json<{ markets: { ticker: string }[] }>('/api/public/markets?limit=1')
    reads = readsOf(page.markets[0]?.ticker ?? '')
    stoppedAt = now()
    index = await json('/api/public/index')
    sinceFirstMinute = await json(`/api/agent/world/delta?since=${firstMinute.at}&format=json`)
    live = await answersOf(null)
    past = await answersOf(firstMinute.at)
    await demo.restart(0)
  })
  afterAll(async () => {
    await demo.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('knows its gauges from the first minute, and they do not drift when quotes begin', () => {
    const { disagreement, activity } = firstMinute.index
    expect(activity).not.toBeNull()
    expect(index.components.activityBaselineDays).toBe(30)
    expect(Math.abs((index.activity ?? NaN) - (activity ?? NaN))).toBeLessThanOrEqual(10)
    expect(index.disagreement === null).toBe(disagreement === null)
    expect(Math.abs((index.disagreement ?? 0) - (disagreement ?? 0))).toBeLessThanOrEqual(5)
  })

  it('reports nothing in the first delta that is only due to the start', () => {
    const kinds = firstMinute.delta.changes.map(({ kind }) => kind)
    expect(kinds).not.toContain('price_move')
    expect(kinds).not.toContain('regime_changed')
    expect(firstMinute.delta.movers).toEqual({ added: [], dropped: [] })
  })

  it('reports only events of the twenty minutes in a delta that begins in the first minute', async () => {
    const { from, to, changes } = sinceFirstMinute
    const kinds = changes.map(({ kind }) => kind)
    expect(kinds).not.toContain('regime_changed')
    const priceAt = async (ticker: string, at: string): Promise<number | null> => {
      const path = `/api/public/market/${ticker}?asOf=${at}`
      return (await json<{ price: number | null }>(path)).price
    }
    for (const { kind, ticker, label, before, after } of changes) {
      if (kind !== 'price_move' || ticker === null) continue
      const prices = [await priceAt(ticker, from), await priceAt(ticker, to)]
      expect([label, ...prices]).toEqual([label, before, after])
    }
    for (const { at } of changes) expect(at >= from && at <= to).toBe(true)
  })

  it('has an index history from the first minute, whose points an asOf read repeats', async () => {
    const { points } = await json<IndexHistory>('/api/public/index/history?days=2')
    expect(points.length).toBeGreaterThan(20)
    for (const { at, value, activity } of points.slice(-6)) {
      const then = await json<IndexAnswer>(`/api/public/index?asOf=${at}`)
      expect({ at: then.timestamp, value: then.value, activity: then.activity }).toEqual({
        at,
        value,
        activity,
      })
    }
  })

  it('answers every read of an instant after a restart as before it', async () => {
    const again = await answersOf(firstMinute.at)
    for (const [path, answer] of past) expect([path, again.get(path)]).toEqual([path, answer])
    const statuses = [...live.values()].filter((answer) => answer.startsWith('200 '))
    expect(statuses.length).toBeGreaterThan(25)
    expect([...live.values()].filter((answer) => answer.startsWith('503 '))).toEqual([])
  })

  it('continues with the gauges, the regime and the lists of before', async () => {
    const then = await json<IndexAnswer>(`/api/public/index?asOf=${stoppedAt}`)
    const current = await json<IndexAnswer>('/api/public/index')
    for (const reading of [then, current]) {
      expect(reading.components).toEqual(index.components)
      expect(reading.timestamp).toBe(index.timestamp)
    }
    const world = '/api/agent/world?format=json'
    type Lists = { regime: object; index: object; salient: object[]; movers: object[] }
    const before = JSON.parse(
      (live.get([...live.keys()].find((path) => path.startsWith('/api/agent/world?')) ?? '') ?? '')
        .slice(4)
        .replace(/,}/g, '}'),
    ) as Lists
    const after = await json<Lists>(`${world}&since=1h&asOf=${stoppedAt}`)
    expect(after.regime).toEqual(before.regime)
    expect(after.index).toEqual(before.index)
    expect(after.salient).toEqual(before.salient)
    expect(after.movers).toEqual(before.movers)
  })
})
