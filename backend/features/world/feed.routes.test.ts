import { afterEach, describe, expect, it } from 'vitest'
import { ANONYMOUS } from '../../http/auth/auth.ts'
import { marketView } from '../../testing/builders.ts'
import { marketQuantities } from '../../testing/snapshot-builders.ts'
import { reading, worldApp } from '../../testing/world-app.ts'

const STEP = 300_000
const hostile = marketView({
  liquidityScore: 'high',
  facts: { ticker: 'KXBAD', title: 'Is <b>this</b> & "that" \u0007 markup?' },
})
const MARKETS = [
  marketQuantities({ view: hostile, surprise: { vr: 3, expectedVr: 0, residualVr: 3 } }),
]

interface Reported {
  readonly event?: string
  readonly id?: string
  readonly data?: Record<string, unknown>
  readonly line?: string
}

/** Reads events of a stream one by one. */
function follow(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const next = async (): Promise<Reported | null> => {
    while (!text.includes('\n\n')) {
      const { value, done } = await reader.read()
      if (done) return null
      text += decoder.decode(value, { stream: true })
    }
    const end = text.indexOf('\n\n')
    const block = text.slice(0, end)
    text = text.slice(end + 2)
    const fields = new Map(
      block.split('\n').map((line) => {
        const colon = line.indexOf(': ')
        return [line.slice(0, colon), line.slice(colon + 2)] as const
      }),
    )
    if (!fields.has('event')) return { line: block }
    const data = JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown>
    const id = fields.get('id')
    return { event: fields.get('event') ?? '', ...(id === undefined ? {} : { id }), data }
  }
  return { next, leave: () => reader.cancel() }
}

async function startedWorld(snapshots = 1) {
  const app = worldApp({ markets: MARKETS })
  const step = async (disagreement: number) => {
    app.state.snapshot = {
      ...app.state.snapshot,
      indices: new Map([['', reading({ disagreement })]]),
    }
    await app.build()
  }
  await step(40)
  for (let i = 1; i < snapshots; i++) {
    await app.clock.advance(STEP)
    await step(40 + i)
  }
  const stream = async (headers: Record<string, string> = {}, query = '') => {
    const response = await app.get(`/api/agent/world/feed${query}`, {
      accept: 'text/event-stream',
      ...headers,
    })
    if (response.body === null) throw new Error('there is no stream')
    return { response, ...follow(response.body) }
  }
  return { ...app, step, stream }
}

const idOf = (iso: string): string => String(Date.parse(iso) / 1_000)

describe('the feed as Atom', () => {
  // [world.feed.atom]
  it('lists the newest twenty snapshots, newest first, and escapes quoted text', async () => {
    const { get } = await startedWorld(22)
    const response = await get('/api/agent/world/feed')
    expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const text = await response.text()
    expect(text.split('<entry>')).toHaveLength(21)
    const head = text.slice(0, text.indexOf('</entry>'))
    expect(head).toBe(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>tag:augury,2026:world</id>
  <title>Augury world</title>
  <updated>2026-11-20T15:50:00.000Z</updated>
  <author><name>Augury</name></author>
  <link rel="self" href="http://augury.test/api/agent/world/feed"/>
  <entry>
    <id>tag:augury,2026:world/${idOf('2026-11-20T15:50:00Z')}</id>
    <title>Steady — no dominant macro signal</title>
    <updated>2026-11-20T15:50:00.000Z</updated>
    <link rel="alternate" href="http://augury.test/api/agent/world?asOf=2026-11-20T15%3A50%3A00.000Z"/>
    <content type="text"># World (2026-11-20 15:50 UTC)
Regime: Steady — no dominant macro signal
Index: Disagree 61 | GeoRisk – | Breadth – | Activity –
Baseline: last 12h

[residual] 3σ volume @ 42¢ — Is &lt;b&gt;this&lt;/b&gt; &amp; &quot;that&quot; \u{fffd} markup? — http://augury.test/api/agent/world?op=explain&amp;item=${
      /item=(s-\w{6})/.exec(head)?.[1] ?? ''
    }
</content>
  `)
  })

  it('is a feed without entries before the first snapshot', async () => {
    const { get } = worldApp()
    const response = await get('/api/agent/world/feed', { accept: '*/*' })
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain('<entry>')
  })
})

describe('the feed as a stream', () => {
  // [world.feed.stream] [world.feed.snapshot-first] [world.feed.deltas]
  it('sends a snapshot, then a delta with each stored one', async () => {
    const { stream, step, clock, feature } = await startedWorld()
    const { response, next, leave } = await stream()
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(await next()).toEqual({ line: 'retry: 5000' })
    const snapshot = await next()
    expect(snapshot).toMatchObject({
      event: 'snapshot',
      id: idOf('2026-11-20T14:05:00Z'),
      data: { op: 'snapshot', asOf: '2026-11-20T14:05:00.000Z', marketCount: 1 },
    })
    expect(snapshot?.data).not.toHaveProperty('nextActions')
    await clock.advance(14_000)
    await clock.advance(1_000)
    expect(await next()).toEqual({ line: ': hb' })
    await clock.advance(STEP - 15_000)
    await step(45)
    let event = await next()
    while (event?.line === ': hb') event = await next()
    expect(event).toMatchObject({
      event: 'delta',
      id: idOf('2026-11-20T14:10:00Z'),
      data: {
        from: '2026-11-20T14:05:00.000Z',
        to: '2026-11-20T14:10:00.000Z',
        changes: [{ kind: 'gauge', before: 40, after: 45 }],
      },
    })
    await leave()
    expect(feature.stream.readers).toBe(0)
  })

  // [world.feed.resume]
  it('continues after the last id without a snapshot, every delta in order', async () => {
    const { stream } = await startedWorld(5)
    const lastId = idOf('2026-11-20T14:10:00Z')
    for (const opened of [
      await stream({ 'last-event-id': lastId }),
      await stream({}, `?lastEventId=${lastId}`),
    ]) {
      await opened.next()
      const events = [await opened.next(), await opened.next(), await opened.next()]
      expect(events.map((event) => [event?.event, event?.id])).toEqual([
        ['delta', idOf('2026-11-20T14:15:00Z')],
        ['delta', idOf('2026-11-20T14:20:00Z')],
        ['delta', idOf('2026-11-20T14:25:00Z')],
      ])
      await opened.leave()
    }
  })

  // [world.feed.reset]
  it.each([
    ['hello', 'id_unknown'],
    [idOf('2026-11-20T14:07:00Z'), 'id_unknown'],
    [idOf('2026-11-20T23:00:00Z'), 'clock_moved'],
  ])('restarts after id %s: %s', async (lastId, reason) => {
    const { stream } = await startedWorld(3)
    const { next, leave } = await stream({ 'last-event-id': lastId })
    await next()
    expect(await next()).toEqual({ event: 'reset', data: { reason } })
    expect(await next()).toMatchObject({ event: 'snapshot', id: idOf('2026-11-20T14:15:00Z') })
    await leave()
  })

  it('restarts after an id that is too old', async () => {
    const app = await startedWorld()
    const rows = Array.from({ length: 580 }, (_, i) => ({
      region: '',
      at: (Date.parse('2026-11-20T14:05:00Z') - (i + 1) * STEP) as never,
      body: '{"salient":[],"movers":[],"gauges":{},"label":"x","value":null}',
    }))
    await app.history.appendContext({ snapshots: rows })
    const lastId = String((Date.parse('2026-11-20T14:05:00Z') - 578 * STEP) / 1_000)
    const { next, leave } = await app.stream({ 'last-event-id': lastId })
    await next()
    expect(await next()).toEqual({ event: 'reset', data: { reason: 'id_too_old' } })
    await leave()
  })

  // [world.feed.error]
  it('reports a failure and ends', async () => {
    const app = worldApp()
    const response = await app.get('/api/agent/world/feed', { accept: 'text/event-stream' })
    if (response.body === null) throw new Error('there is no stream')
    const { next } = follow(response.body)
    await next()
    expect(await next()).toMatchObject({ event: 'error', data: { code: 'NOT_READY' } })
    expect(await next()).toBeNull()
    expect(app.feature.stream.readers).toBe(0)
  })

  // [world.feed.stop]
  it('ends with the server', async () => {
    const { stream, feature } = await startedWorld()
    const { next } = await stream()
    await next()
    await next()
    feature.close()
    expect(await next()).toBeNull()
  })

  // [world.feed.limits]
  it('accepts twenty readers per address', async () => {
    const { stream, get } = await startedWorld()
    const readers = []
    for (let i = 0; i < 20; i++) readers.push(await stream())
    const refused = await get('/api/agent/world/feed', { accept: 'text/event-stream' })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('10')
    await readers[0]?.leave()
    readers.push(await stream())
    for (const reader of readers) await reader.leave()
  })
})

describe('over HTTP', () => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  // [world.feed.accept]
  it('streams to clients that prefer events and serves the document to others', async () => {
    const app = await startedWorld()
    const served = await app.listen({ authenticate: () => ANONYMOUS, fairUse: 'off' })
    closers.push(
      () => app.feature.close(),
      () => served.close(0),
    )
    const address = `${served.url}/api/agent/world/feed`
    const atom = await fetch(address)
    expect(atom.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    expect(atom.headers.get('vary')).toContain('Accept')
    expect(atom.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300')
    await atom.text()
    const leaving = new AbortController()
    const events = await fetch(address, {
      headers: { accept: 'text/event-stream', 'accept-encoding': 'gzip' },
      signal: leaving.signal,
    })
    expect(events.headers.get('content-type')).toBe('text/event-stream')
    expect(events.headers.get('content-encoding')).toBeNull()
    expect(events.headers.get('vary')).toContain('Accept')
    if (events.body === null) throw new Error('there is no stream')
    const { next } = follow(events.body)
    await next()
    expect(await next()).toMatchObject({ event: 'snapshot' })
    leaving.abort()
    await expect.poll(() => app.feature.stream.readers).toBe(0)
  })

  // [world.snapshot.cache]
  it('serves the world from cached bytes with a tag', async () => {
    const app = await startedWorld()
    const served = await app.listen({ authenticate: () => ANONYMOUS, fairUse: 'off' })
    closers.push(
      () => app.feature.close(),
      () => served.close(0),
    )
    const address = `${served.url}/api/agent/world?format=json`
    const first = await fetch(address)
    await first.text()
    expect(first.headers.get('cache-control')).toBe(
      'public, max-age=30, stale-while-revalidate=150',
    )
    const second = await fetch(address)
    await second.text()
    expect(second.headers.get('x-svc-cache')).toBe('hit')
    await app.clock.advance(20_000)
    const etag = first.headers.get('etag') ?? ''
    const third = await fetch(address, { headers: { 'if-none-match': etag } })
    expect(third.status).toBe(304)
  })
})
