import { expect, it } from 'vitest'
import { startTrading } from '../../../testing/trading-accounts.ts'
import { simulatedCredentials } from '../../../testing/trading-credentials.ts'
import type { OpenCredentials } from '../../../venues/trading.ts'
import { withLiveClients } from './live-accounts.ts'

const SIGNAL = AbortSignal.timeout(30_000)

async function open(change: Partial<ReturnType<typeof simulatedCredentials>> = {}) {
  const { openA, openB } = await startTrading()
  const stored = { ...simulatedCredentials(), ...change }
  const openCredentials: OpenCredentials = (_, venue) => Promise.resolve(stored[venue])
  const openClient = { venue_a: openA, venue_b: openB }
  return { stored, deps: { openCredentials, openClient } }
}

it('opens both accounts for the work, and fills the keys with zero after it', async () => {
  const { stored, deps } = await open()
  const balances = await withLiveClients('usr_1', deps, ({ clients, failures }) => {
    expect(failures).toEqual({})
    return Promise.all(clients.map((client) => client.balance(SIGNAL)))
  })
  expect(balances).toEqual([1_000_000_000, 1_000_000_000])
  expect(stored.venue_a.privateKeyPem.every((byte) => byte === 0)).toBe(true)
  expect(stored.venue_b.privateKey.every((byte) => byte === 0)).toBe(true)
})

it('fills the keys with zero after work that fails', async () => {
  const { stored, deps } = await open()
  const work = withLiveClients('usr_1', deps, () => Promise.reject(new Error('no')))
  await expect(work).rejects.toThrow('no')
  expect(stored.venue_b.privateKey.every((byte) => byte === 0)).toBe(true)
})

it('opens one venue when the key of the other is unusable, and quotes no part of it', async () => {
  const { deps } = await open({
    venue_a: { keyId: 'k', privateKeyPem: Buffer.from('-----BEGIN secret') },
  })
  await withLiveClients('usr_1', deps, ({ clients, failures }) => {
    expect(clients.map(({ venue }) => venue)).toEqual(['venue_b'])
    expect(failures).toEqual({ venue_a: 'credentials for venue_a cannot be opened' })
    return Promise.resolve()
  })
})

it('reports a venue without credentials', async () => {
  const { deps } = await open()
  const openCredentials: OpenCredentials = () => Promise.resolve(null)
  await withLiveClients('usr_1', { ...deps, openCredentials }, ({ clients, failures }) => {
    expect(clients).toEqual([])
    expect(failures).toEqual({
      venue_a: 'no credentials of venue_a are stored',
      venue_b: 'no credentials of venue_b are stored',
    })
    return Promise.resolve()
  })
})
