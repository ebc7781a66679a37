import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MarketRow } from '../../../backend/contract/market.ts'
import type { Answer } from '../../api/client.ts'
import { Source } from '../../api/source.svelte.ts'
import { PageClock } from '../../lib/clock.svelte.ts'
import { Pane } from '../dock/pane.svelte.ts'
import type { Command } from '../commands/command.ts'
import { parseLine } from '../commands/parse.ts'
import { marketRow } from '../../testing/rows.ts'
import { dataStateOf, noteOfChange } from '../window/data-state.ts'
import { Block, Blocks, MAX_BLOCKS, MAX_LIVE, measure } from './blocks.svelte.ts'
import { feedFinder } from './feed-finder.ts'
import { firstAbsent, unknownTickers } from './market-check.ts'
import { MarketFinder } from './market-finder.ts'
import { clearBest, groupedByEvent } from './market-lookup.ts'

const START = Date.parse('2026-11-20T10:00:00.000Z')
beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const command = (line: string): Command => {
  const parsed = parseLine(line)
  if ('message' in parsed || parsed[0] === undefined) throw new Error(line)
  return parsed[0]
}
const clock = () => new PageClock({ wall: () => START, monotonic: () => 0 })
const sourceOf = (body: object | null, answeredAt: number | null, dataAt = START) => {
  const source = new Source<object>({
    path: '/a' as never,
    interval: 1,
    cadence: 1,
    timeOf: () => new Date(dataAt).toISOString(),
  })
  source.body = body
  source.answeredAt = answeredAt
  return source
}

describe('the answer of a command', () => {
  const blockOf = (line = 'MOV to csv') => {
    const pane = new Pane('p', command(line), 'A')
    return new Block('b', command(line), pane, START)
  }

  it('has the line and the title of its command, and the time of its last response', () => {
    const block = blockOf()
    expect([block.line, block.component, block.latency, block.dataAt]).toEqual([
      'MOV',
      'Movers',
      null,
      null,
    ])
    block.update([])
    block.update([sourceOf({}, START + 10), sourceOf(null, null)])
    expect(block.latency).toBeNull()
    block.update([sourceOf({}, START + 10, START - 5), sourceOf({}, START + 250, START - 9)])
    expect([block.latency, block.wasKnown, block.dataAt]).toEqual([250, false, START - 9])
    block.update([sourceOf({}, START + 900)])
    expect(block.latency).toBe(250)
  })

  it('was known when it arrived before the command', () => {
    const block = blockOf()
    block.update([sourceOf({}, START - 1)])
    expect([block.latency, block.wasKnown]).toEqual([0, true])
    const exact = blockOf()
    exact.update([sourceOf({}, START)])
    expect(exact.wasKnown).toBe(false)
  })

  it('is a table of at most forty rows, also once it is text', () => {
    const block = blockOf()
    expect(block.toText()).toBe('No response.')
    const rows = Array.from({ length: 42 }, (_, index) => ({ name: `row${index}` }))
    block.update([sourceOf({ markets: rows }, START, START - 7)])
    expect(block.toText()).toContain('row39')
    expect(block.toText()).not.toContain('row40')
    expect(block.toText()).toMatch(/\n2 more rows\n$/)
    block.pane.visibleRows = () => rows.slice(0, 40)
    expect(block.toText()).not.toContain('more rows')
    block.freeze()
    expect([
      block.text === block.toText(),
      block.sources,
      block.pane.visible,
      block.dataAt,
    ]).toEqual([true, [], false, START - 7])
    block.pane.visible = true
    block.freeze()
    expect(block.pane.visible).toBe(true)
  })

  it('is measured when its pane has every response, and no longer once it shows another', async () => {
    const pane = new Pane('p', command('MOV'), 'A')
    const before = [sourceOf({}, START - 100)]
    pane.sources = before
    const block = new Block('b', command('MOV'), pane, START)
    measure(block, pane, before)
    flushSync()
    expect(block.latency).toBeNull()
    pane.sources = [sourceOf({}, START + 30)]
    flushSync()
    expect(block.latency).toBe(30)
    const other = new Block('c', command('MOV'), pane, START)
    pane.sources = [sourceOf(null, null)]
    measure(other, pane, null)
    flushSync()
    pane.command = command('CHG')
    flushSync()
    await Promise.resolve()
    pane.sources = [sourceOf({}, START + 60)]
    flushSync()
    expect(other.latency).toBeNull()
  })
})

it('a workspace keeps two hundred answers, the newest fifty live', () => {
  const blocks = new Blocks()
  const paneOf = (id: string) => new Pane(id, command('MOV'), 'A')
  for (let count = 0; count < MAX_BLOCKS + 1; count += 1)
    blocks.add(command('MOV'), paneOf, clock())
  expect([blocks.all.length, blocks.all[0]?.id, blocks.all.at(-1)?.id]).toEqual([
    200,
    'block-2',
    'block-201',
  ])
  const live = blocks.all.filter(({ text }) => text === null)
  expect([live.length, MAX_LIVE]).toEqual([50, 50])
  expect(live[0]?.id).toBe('block-152')
  const last = blocks.all.at(-1)
  expect([last?.ranAt, blocks.clear(), blocks.all, last?.pane.visible]).toEqual([
    START,
    200,
    [],
    false,
  ])
})

describe('markets that the bar finds', () => {
  const refusal = (status: number, retryAfter: number | null): Answer<never> => ({
    ok: false,
    failure: { kind: 'refused', status, code: null, message: '', retryAfter },
  })
  function feed(answers: (page: number) => Answer<object> | null) {
    const requested: string[] = []
    const signals: (AbortSignal | undefined)[] = []
    const live = {
      read: (path: string, signal?: AbortSignal) => {
        requested.push(path)
        signals.push(signal)
        return Promise.resolve(answers(requested.length - 1))
      },
    }
    const finder = new MarketFinder(new Promise(() => {}))
    const seen: string[] = []
    const stop = feedFinder(live as never, finder, (markets) =>
      seen.push(...markets.map(({ ticker }) => ticker)),
    )
    return { requested, finder, seen, stop, signals }
  }
  const page = (index: number, nextCursor: string | null): Answer<object> => ({
    ok: true,
    body: { markets: [marketRow({ ticker: `K${index}` })], nextCursor },
  })

  it('are loaded ten pages at most, a page every three seconds', async () => {
    const { requested, finder, seen } = feed((index) => page(index, `c${index + 1}`))
    await pass(2_999)
    expect(requested).toEqual([])
    await pass(1)
    expect(requested).toEqual(['/api/public/markets?limit=500&nextActions=off'])
    await pass(3_000)
    expect(requested[1]).toBe('/api/public/markets?limit=500&cursor=c1&nextActions=off')
    await pass(60_000)
    expect([requested.length, finder.size, seen.length]).toEqual([10, 10, 10])
    expect(finder.has('K3')).toBe(true)
  })

  it('end with the last page, and are requested again after a failure', async () => {
    const { requested, finder } = feed((index) =>
      index === 0
        ? page(0, 'c1')
        : index === 1
          ? refusal(429, 8_000)
          : index === 2
            ? refusal(500, null)
            : page(1, null),
    )
    await pass(6_000)
    expect(requested).toHaveLength(2)
    await pass(7_999)
    expect(requested).toHaveLength(2)
    await pass(1)
    expect(requested).toHaveLength(3)
    await pass(14_999)
    expect(requested).toHaveLength(3)
    await pass(1)
    expect(requested.slice(1)).toEqual(
      Array.from({ length: 3 }, () => '/api/public/markets?limit=500&cursor=c1&nextActions=off'),
    )
    await pass(60_000)
    expect([requested.length, finder.size]).toEqual([4, 2])
  })

  it('are no longer requested once it is stopped, also while one is pending', async () => {
    const running = feed((index) => page(index, 'c'))
    await pass(3_000)
    running.stop()
    await pass(60_000)
    expect([running.requested.length, running.signals[0]?.aborted]).toEqual([1, true])
    const early = feed((index) => page(index, 'c'))
    early.stop()
    await pass(60_000)
    expect(early.requested).toEqual([])
    const aborted = feed(() => null)
    await pass(60_000)
    expect(aborted.requested).toHaveLength(1)
  })

  it('replace the figures of known ones, and report new ones', async () => {
    const added: string[][] = []
    const finder = new MarketFinder(
      Promise.resolve({
        add: (hits: readonly { ticker: string }[]) => added.push(hits.map(({ ticker }) => ticker)),
        find: () => [
          { ticker: 'K1', title: 'old' },
          { ticker: 'KX', title: 'unknown' },
        ],
      } as never),
    )
    let news = 0
    finder.onadded = () => (news += 1)
    finder.add([marketRow({ ticker: 'K1', title: 'One' })])
    expect([finder.find('one', 5), news]).toEqual([[], 1])
    await finder.loaded
    finder.add([marketRow({ ticker: 'K1', title: 'One, newer' })])
    finder.add([marketRow({ ticker: 'K2', title: 'Two' })])
    expect([news, added]).toEqual([2, [['K1'], [], ['K2']]])
    expect(finder.find('one', 5).map(({ title }) => title)).toEqual(['One, newer', 'unknown'])
  })

  it('are checked before a command changes the group', async () => {
    const commands = [command('KXA-1 GP'), command('MOV'), command('KXB-1 GP'), command('. GP')]
    expect(unknownTickers(commands, (ticker) => ticker === 'KXA-1')).toEqual(['KXB-1'])
    const absent = (statuses: Record<string, number>) =>
      firstAbsent(
        {
          read: (path: string) => {
            const status = statuses[path.split('/').at(-1) ?? '']
            return Promise.resolve(
              status === undefined ? { ok: true, body: {} } : refusal(status, null),
            )
          },
        } as never,
        ['K1', 'K2', 'K3'],
      )
    expect(await absent({})).toBeNull()
    expect(await absent({ K1: 500, K3: 404 })).toBe('K3')
    expect(await absent({ K2: 404, K3: 404 })).toBe('K2')
  })

  it('have a clear best only when the next question scores less', () => {
    const result = (ticker: string, score: number, more: Partial<MarketRow> = {}) =>
      ({ ...marketRow({ ticker, title: ticker, ...more }), score }) as never
    expect(clearBest([])).toBeNull()
    expect(clearBest([result('A', 1)])).toBe('A')
    expect(clearBest([result('A', 1), result('B', 0.8)])).toBe('A')
    expect(clearBest([result('A', 1), result('B', 0.81)])).toBeNull()
    // The same question on the other venue is no other question.
    const same = { eventTitle: 'Fed', subtitle: 'Cut' }
    expect(clearBest([result('A', 1, same), result('B', 0.9, same)])).toBe('A')
    expect(
      clearBest([result('A', 1, same), result('B', 0.9, { ...same, subtitle: 'Hold' })]),
    ).toBeNull()
    const hit = (ticker: string, eventId: string) => ({
      ticker,
      title: ticker,
      row: marketRow({ ticker, eventId }),
    })
    const grouped = groupedByEvent([
      hit('A', 'e1'),
      hit('B', 'e2'),
      hit('C', 'e1'),
      { ticker: 'D', title: 'D' },
    ])
    expect(grouped.map(({ ticker }) => ticker)).toEqual(['A', 'C', 'B', 'D'])
  })
})

describe('the state of the data', () => {
  const state = (health: object, pausing: object = { isAll: false, count: 0 }) =>
    dataStateOf({
      health: { venue: () => 'fresh', worstAge: 4_000, feeds: 'fresh', ...health },
      pausing,
    } as never)

  it.each([
    [{ connected: false, connecting: true }, 'late', 'Connecting'],
    [{ connected: false, connecting: false }, 'lost', 'The service is not reachable'],
    [{ connected: true }, 'fresh', 'Connected, data 4s old'],
    [{ connected: true, venue: () => 'late', feeds: 'late' }, 'late', / and .* late, data 4s old$/],
    [
      {
        connected: true,
        venue: (venue: string) => (venue === 'venue_a' ? 'stale' : 'fresh'),
        feeds: 'stale',
      },
      'stale',
      /^\w+ stale, data 4s old$/,
    ],
  ])('of %j is %s', (health, tone, text) => {
    expect(state(health)).toEqual({
      tone,
      text: typeof text === 'string' ? text : expect.stringMatching(text),
      isPaused: false,
    })
  })

  it('is paused with any pane', () => {
    expect(state({ connected: true }, { isAll: true, count: 0 }).isPaused).toBe(true)
    expect(state({ connected: true }, { isAll: false, count: 1 }).isPaused).toBe(true)
  })

  it('is a notification when prices stop being current, and when they are again', () => {
    const at = (tone: 'fresh' | 'late' | 'stale' | 'lost') => ({
      tone,
      text: tone,
      isPaused: false,
    })
    expect(noteOfChange(null, at('lost'))).toBeNull()
    expect(noteOfChange(at('fresh'), at('late'))).toBeNull()
    expect(noteOfChange(at('stale'), at('lost'))).toBeNull()
    expect(noteOfChange(at('stale'), at('late'))).toBeNull()
    expect(noteOfChange(at('fresh'), at('stale'))).toEqual({
      title: 'Augury: prices are no longer current',
      body: 'stale',
      line: 'HEALTH',
    })
    expect(noteOfChange(at('lost'), at('fresh'))?.title).toBe('Augury: prices are current')
  })
})
