import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CredentialKey } from '../../../contract/orders/credentials.ts'
import type { LedgerPulled } from '../../../contract/orders/imports.ts'
import type {
  LedgerPage,
  PositionPage,
  ServedRisk,
  ServedState,
} from '../../../contract/portfolio.ts'
import { bind, type BoundAddress } from '../../../http/server.ts'
import { envelopeBody, newPem } from '../../../testing/credentials.ts'
import { startDemoService, type DemoService } from '../../../testing/demo-service.ts'

const SECRET = 'launch-secret-of-the-demo'
const PATH = '/api/portfolio/ledger/import/venue_a/pull'
const KEY_ID = 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c'
let demo: DemoService
let bound: BoundAddress
const pem = newPem()

beforeAll(async () => {
  demo = await startDemoService({ seed: 5, markets: 240, start: '2026-11-20T14:00:00.000Z' })
  bound = await bind({ host: '127.0.0.1', port: 0 })
  demo.service.serveOn(bound, SECRET)
})
afterAll(async () => {
  await bound.close(0)
  await demo.stop()
})

async function send<T>(method: string, path: string, body?: object): Promise<[number, T]> {
  const response = await fetch(bound.url + path, {
    method,
    headers: { authorization: `Launch ${SECRET}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return [response.status, (await response.json()) as T]
}
const read = async <T>(path: string): Promise<T> => (await send<T>('GET', path))[1]
const pull = <T = LedgerPulled>(body: object = {}) => send<T>('POST', PATH, body)
async function store(privateKeyPem: string, keyId = KEY_ID): Promise<void> {
  const [, issued] = await send<CredentialKey>('POST', '/api/portfolio/secrets/key', {
    venue: 'venue_a',
  })
  const body = await envelopeBody(issued, { keyId, privateKeyPem })
  expect((await send('POST', '/api/portfolio/secrets', body))[0]).toBe(200)
}

describe('a pull in the demo [portfolio.pull.demo]', () => {
  it('needs credentials, too', async () => {
    expect(await pull<object>()).toEqual([409, { error: 'no secrets found', code: 'CONFLICT' }])
  })

  it('books on paper what the account traded at the simulated venue, each once', async () => {
    await store(pem)
    const before = await read<ServedRisk>('/api/portfolio/risk')
    const [status, checked] = await pull({ dryRun: true })
    expect([status, checked.errors]).toEqual([200, []])
    expect(checked.inserted.fills).toBeGreaterThan(3)
    expect((await read<LedgerPage>('/api/portfolio/ledger')).data).toEqual([])
    const [, booked] = await pull()
    expect(booked.inserted).toEqual(checked.inserted)
    const { data } = await read<LedgerPage>('/api/portfolio/ledger?limit=500')
    expect(data.filter(({ eventType }) => eventType === 'fill')).toHaveLength(booked.inserted.fills)
    expect(new Set(data.map(({ mode, source }) => `${mode} ${source}`))).toEqual(
      new Set(['paper import_venue_a']),
    )
    // The paper account has the cash and the positions of the ledger.
    const cash = data.reduce((sum, { exact }) => sum + Number(exact.cashDelta), 0)
    const { balance } = await read<ServedRisk>('/api/portfolio/risk')
    const paid = (balance.totalCents ?? 0) - (before.balance.totalCents ?? 0)
    expect(Math.abs(paid - cash * 100)).toBeLessThanOrEqual(0.5)
    const { data: open } = await read<PositionPage>('/api/portfolio/positions?limit=500')
    expect(open.length).toBeGreaterThan(0)
    expect(open.every(({ mode, venue }) => mode === 'paper' && venue === 'venue_a')).toBe(true)
    // The account is reported each minute while it has positions.
    await demo.advance(61_000, 10_000)
    const state = await read<ServedState>('/api/portfolio/state')
    expect(state).toMatchObject({ openPositionCount: open.length })
    const [, again] = await pull()
    expect(again).toMatchObject({ inserted: { fills: 0, settlements: 0 }, errors: [] })
    expect(again.duplicates.fills).toBe(booked.inserted.fills)
  })

  it('is booked again after the paper account was reset', async () => {
    await send('POST', '/api/portfolio/paper/reset', { confirm: true })
    const [, booked] = await pull()
    expect(booked.inserted.fills).toBeGreaterThan(3)
    expect(booked.duplicates.fills).toBe(0)
  })
})

describe('a pull that fails names its cause [portfolio.pull.failures]', () => {
  const failed = async (): Promise<[number, string]> => {
    const [status, { error }] = await pull<{ error: string }>()
    return [status, error]
  }

  it('when the key signs nothing', async () => {
    await store('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----')
    expect(await failed()).toEqual([502, expect.stringMatching(/^the private key .* cannot sign/)])
  })

  it('when the key id belongs to another key', async () => {
    await store(newPem())
    expect(await failed()).toEqual([
      502,
      expect.stringMatching(/^Kalshi refused the credentials \(401\); check/),
    ])
  })

  it.each([
    [429, /limits the requests of this account \(429\)/],
    [503, /^Kalshi failed \(503\); nothing was booked/],
  ] as const)('when the venue answers with %s', async (answer, message) => {
    await store(pem)
    const fault = { kind: 'status', status: answer, route: '/portfolio/', count: 100 }
    const script = await fetch(new URL('/control/faults', demo.simulator.venueA.baseUrl), {
      method: 'POST',
      body: JSON.stringify({ venue: 'venue_a', ...fault }),
    })
    expect(await script.json()).toMatchObject({ ok: true })
    const pulling = failed()
    await demo.advance(40_000, 10_000)
    expect(await pulling).toEqual([502, expect.stringMatching(message)])
    demo.simulator.stopFaults()
  })
})
