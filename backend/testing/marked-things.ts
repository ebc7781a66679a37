import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import type { Administered } from './routes-by-owner.ts'
import type { Answer, Person, SentHeaders, WholeService } from './whole-service.ts'

/** The id of a created resource. */
export async function idIn(answer: Promise<Answer>): Promise<string> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(`${status} ${text}`)
  return (JSON.parse(text) as { id: string }).id
}

/** Writes a marker text of their own into everything that users may name; returns those texts. */
export async function marked(service: WholeService, { token, email }: Person): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const write = (method: string, path: string, body: object, more: SentHeaders = headers) =>
    service.ask(path, { method, headers: more, body: JSON.stringify(body) })
  const answers = [
    await write('PATCH', '/api/auth/me', { name: 'marker-of-a-name' }),
    await write('POST', '/api/keys', { name: 'marker-of-a-key' }),
    await write('POST', '/api/data-keys', { name: 'marker-of-a-data-key' }),
    await write(
      ...(['POST', '/api/auth/signin'] as const),
      { email, password: 'a password of twelve' },
      { 'user-agent': 'marker-of-an-agent' },
    ),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 201, 200])
  return ['marker-of-a-name', 'marker-of-a-key', 'marker-of-a-data-key', 'marker-of-an-agent']
}

/** Title of a panel of one user. */
export const MARKED_PANEL = 'marker-of-a-panel'
/** A panel on a user's board; its id. */
export async function boarded(service: WholeService, { cookie }: Person): Promise<string> {
  const spec = { kind: 'preset', preset: { id: 'data_health' }, display: { visualization: 'list' } }
  const { text } = await service.ask('/api/dashboard2/market-watch/panels', {
    method: 'POST',
    headers: { cookie, origin: service.url },
    body: JSON.stringify({ title: MARKED_PANEL, spec }),
  })
  return (JSON.parse(text) as { panel: { id: string } }).panel.id
}

/** A completed backtest of a user; its id. */
export async function playedBy(service: WholeService, { token }: Person): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const body = {
    strategy: 'buy-and-hold',
    from: '2020-01-01T00:00:00Z',
    to: '2020-01-02T00:00:00Z',
  }
  const id = await idIn(
    service.ask('/api/backtests', { method: 'POST', headers, body: JSON.stringify(body) }),
  )
  await eventually(async () => {
    const { text } = await service.ask(`/api/backtests/${id}`, { headers })
    expect(text).toMatch(/"state":"(?:done|failed|cancelled)"/)
  })
  return id
}

/** Note of a user's tick, and reason of a trade. */
export const MARKED_TICK = 'marker-of-a-tick'
/** A tick and a trade that a user reports; their ids. */
export async function reportedBy(
  service: WholeService,
  { token }: Person,
): Promise<{ tickId: string; tradeId: string }> {
  const headers = { authorization: `Bearer ${token}` }
  const add = async (path: string, body: object): Promise<string> => {
    const text = JSON.stringify(body)
    const { status } = await service.ask(path, { method: 'POST', headers, body: text })
    expect(status).toBe(200)
    const [row] = JSON.parse((await service.ask(path, { headers })).text) as { id: string }[]
    return row?.id ?? ''
  }
  const trade = {
    venue: 'venue_a',
    marketId: service.ticker,
    direction: 'buy_yes',
    quantity: 1,
    entryPriceCents: 40,
    rationale: MARKED_TICK,
  }
  return {
    tickId: await add('/api/portfolio/ticks', { handoffNote: MARKED_TICK }),
    tradeId: await add('/api/portfolio/trades', trade),
  }
}

/** Reason of a user's intent. */
export const MARKED_INTENT = 'marker-of-an-intent'
/** An intent of a user; its id. */
export function meantBy(service: WholeService, { token }: Person): Promise<string> {
  const body = {
    action: 'buy',
    marketId: service.ticker,
    direction: 'yes',
    targetQuantity: 1,
    triggerType: 'price_below',
    triggerPrice: 0.1,
    rationale: MARKED_INTENT,
  }
  const headers = { authorization: `Bearer ${token}` }
  return idIn(service.ask('/api/intents', { method: 'POST', headers, body: JSON.stringify(body) }))
}

/** Text of a watched object of one user. */
export const MARKED_WATCH = 'marker of a watched object'

/** Watches a market with an alert as this user; returns the ids. */
export async function watchedBy(
  service: WholeService,
  { token }: Person,
): Promise<{ readonly watchId: string; readonly ruleId: string }> {
  const body = {
    ticker: service.ticker,
    note: MARKED_WATCH,
    condition: 'price_above',
    threshold: 99.9,
  }
  const headers = { authorization: `Bearer ${token}` }
  const { text } = await service.ask('/api/watch', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const { id, rule } = JSON.parse(text) as { id: string; rule: { id: string } }
  return { watchId: id, ruleId: rule.id }
}

/** Label of a webhook endpoint of one user. */
export const MARKED_ENDPOINT = 'marker-of-an-endpoint'
/** A webhook endpoint of a user on a port where nothing listens; its id. */
export function endpointOf(service: WholeService, { token }: Person): Promise<string> {
  const body = { url: 'https://127.0.0.1:65535/', label: MARKED_ENDPOINT }
  const headers = { authorization: `Bearer ${token}` }
  const sending = { method: 'POST', headers, body: JSON.stringify(body) }
  return idIn(service.ask('/api/webhook-endpoints', sending))
}

/** Text of a thesis of one user. */
export const MARKED_THESIS = 'The marker of one thesis will stay hidden until 2030'

/** Forms a thesis as this user; returns its id. */
export async function claimedBy(
  service: WholeService,
  { token }: Person,
  claim = MARKED_THESIS,
): Promise<string> {
  const { text } = await service.ask('/api/thesis/create?sync=true', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ rawThesis: claim }),
  })
  return (JSON.parse(text) as { id: string }).id
}

/** One of each resource that administrators create, from files in a folder. */
export async function administeredBy(
  service: WholeService,
  { token }: Person,
  folder: string,
): Promise<Omit<Administered, 'userId'>> {
  const headers = { authorization: `Bearer ${token}` }
  const start = (path: string, body: object): Promise<string> =>
    idIn(service.ask(path, { method: 'POST', headers, body: JSON.stringify(body) }))
  mkdirSync(join(folder, 'files'))
  writeFileSync(join(folder, 'files', 'marker.csv'), 'a,b\n1,2\n')
  const exportId = await start('/api/exports', {
    out: 'marker.csv',
    kind: 'trades',
    format: 'csv',
  })
  const importId = await start('/api/imports', { paths: [join(folder, 'files')] })
  const backupId = await start('/api/backups', { out: join(folder, 'marker-backup') })
  // Cancelled, because a whole one takes longer than the rest of the test.
  await service.ask(`/api/backups/${backupId}`, { method: 'DELETE', headers })
  for (const path of [`exports/${exportId}`, `imports/${importId}`, `backups/${backupId}`]) {
    await eventually(async () => {
      const { text } = await service.ask(`/api/${path}`, { headers })
      expect(text).toMatch(/"state":"(?:done|failed|cancelled)"/)
    })
  }
  return { exportId, importId, backupId }
}
