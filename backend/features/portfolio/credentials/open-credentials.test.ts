import { createPrivateKey } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG } from '../../../domain/portfolio/config.ts'
import { PerUserQueue } from '../../../lib/per-user-queue.ts'
import { eraseSecrets } from '../../../lib/secret-buffers.ts'
import { openState, type State } from '../../../state/open.ts'
import { envelopeBody, newPem } from '../../../testing/credentials.ts'
import { FakeClock } from '../../../testing/fake-clock.ts'
import { addUser } from '../../../testing/users.ts'
import type { OpenCredentials, TradingVenue } from '../../../venues/trading.ts'
import { createPortfolioStore, type PortfolioStore } from '../portfolio.store.ts'
import { createAccountSecrets } from './account-secrets.ts'
import { createCredentialsService, type CredentialsService } from './credentials.service.ts'
import { createCredentialsStore, type CredentialsStore } from './credentials.store.ts'
import { createOpenCredentials } from './open-credentials.ts'

const [ANN, BEN] = ['usr_ann', 'usr_ben']
const PEM = newPem()
const CREDENTIALS = { keyId: 'key-1', privateKeyPem: PEM }
const WALLET = {
  walletAddress: `0x${'a'.repeat(40)}`,
  privateKey: `0x${'12'.repeat(32)}`,
  signatureType: 2,
}

let state: State
let clock: FakeClock
let installationKey: string
let store: CredentialsStore
let portfolios: PortfolioStore
let service: CredentialsService
let open: OpenCredentials
/** Users whose live trading ended. */
let ended: string[]
/** Orders that could not be cancelled. */
let left: { venue: 'venue_a' | 'venue_b' }[]
/** Buffers that held the key of an envelope. */
let keys: Buffer[]

beforeEach(async () => {
  state = await openState(':memory:')
  await addUser(state, ANN)
  await addUser(state, BEN)
  clock = new FakeClock()
  installationKey = 'i'.repeat(43)
  store = createCredentialsStore(state)
  portfolios = createPortfolioStore(state)
  ended = []
  left = []
  keys = []
  const secrets = createAccountSecrets(store, () => installationKey)
  service = createCredentialsService({
    store,
    secrets,
    portfolios,
    onLiveEnded: (userId) => Promise.resolve(void ended.push(userId)),
    cancelOrders: () => Promise.resolve(left),
    userQueue: new PerUserQueue(),
    clock,
  })
  open = createOpenCredentials(store, {
    async keyOf(...args) {
      const key = await secrets.keyOf(...args)
      keys.push(key)
      return key
    },
  })
})
afterEach(() => state.destroy())

const upload = async (
  userId = ANN,
  credentials: Readonly<Record<string, string | number>> = CREDENTIALS,
  venue = 'venue_a',
) =>
  service.store(userId, await envelopeBody(await service.issueKey(userId, { venue }), credentials))

const openOf = async <V extends TradingVenue>(userId: string, venue: V) => {
  const opened = await open(userId, venue)
  if (opened === null) throw new Error('no credentials are stored')
  return opened
}

describe('opened credentials', () => {
  it('[portfolio.secrets.opened] are what was uploaded, until they are erased', async () => {
    await upload()
    const opened = await openOf(ANN, 'venue_a')
    expect(opened.keyId).toBe('key-1')
    expect(opened.privateKeyPem.toString()).toBe(PEM)
    const key = createPrivateKey({ key: opened.privateKeyPem, format: 'pem' })
    expect(key.asymmetricKeyType).toBe('rsa')
    eraseSecrets(opened)
    expect(opened.privateKeyPem.every((byte) => byte === 0)).toBe(true)
    expect(keys.map((one) => one.every((byte) => byte === 0))).toEqual([true])
  })

  it('[portfolio.secrets.opened] have secrets as bytes only', async () => {
    await upload(ANN, { ...WALLET, apiKey: 'id', apiSecret: 's', passphrase: 'p' }, 'venue_b')
    const opened = await openOf(ANN, 'venue_b')
    expect(opened).toEqual({
      walletAddress: WALLET.walletAddress,
      privateKey: Buffer.from('12'.repeat(32), 'hex'),
      signatureType: 2,
      funder: null,
      apiKey: 'id',
      apiSecret: Buffer.from('s'),
      passphrase: Buffer.from('p'),
    })
    eraseSecrets(opened)
    const { privateKey, apiSecret, passphrase } = opened
    const bytes = Buffer.concat([
      privateKey,
      apiSecret ?? Buffer.from('-'),
      passphrase ?? Buffer.from('-'),
    ])
    expect(bytes.equals(Buffer.alloc(34))).toBe(true)
  })

  it('are null where none are stored', async () => {
    await upload()
    expect(await open(ANN, 'venue_b')).toBeNull()
    expect(await open(BEN, 'venue_a')).toBeNull()
  })

  const unreadable = 'credentials for venue_a cannot be opened'
  it.each([
    ['lacks a field', { keyId: 'key-1' }],
    ['is of another venue', WALLET],
    ['has a key that is no text', { keyId: 'key-1', privateKeyPem: 7 }],
  ])('[portfolio.secrets.unreadable] are refused when the text %s', async (_name, credentials) => {
    await upload(ANN, credentials)
    await expect(open(ANN, 'venue_a')).rejects.toThrow(unreadable)
  })

  it.each([
    ['a short key', { privateKey: '0x12' }],
    ['a key without a prefix', { privateKey: '12'.repeat(33) }],
    ['a key that is not hexadecimal', { privateKey: `0x${'x'.repeat(64)}` }],
    ['an unknown signature type', { signatureType: 9 }],
  ])('[portfolio.secrets.unreadable] are refused with %s', async (_name, change) => {
    await upload(ANN, { ...WALLET, ...change }, 'venue_b')
    await expect(open(ANN, 'venue_b')).rejects.toThrow('credentials for venue_b cannot be opened')
  })

  it('[portfolio.secrets.unreadable] are refused when another key encrypted them', async () => {
    const issued = await service.issueKey(ANN, { venue: 'venue_a' })
    const body = await envelopeBody({ ...issued, key: 'A'.repeat(43) }, CREDENTIALS)
    await service.store(ANN, body)
    await expect(open(ANN, 'venue_a')).rejects.toThrow(unreadable)
    expect(keys.map((key) => key.every((byte) => byte === 0))).toEqual([true])
  })

  it('[portfolio.secrets.unreadable] are refused on another installation', async () => {
    await upload()
    installationKey = 'j'.repeat(43)
    await expect(open(ANN, 'venue_a')).rejects.toThrow(unreadable)
  })

  it('[portfolio.secrets.bound] do not open for another user or venue', async () => {
    await upload()
    await upload(BEN)
    const envelope = await store.envelope(ANN, 'venue_a')
    const row = {
      label: null,
      updatedAt: clock.now(),
      ...(envelope ?? { uploadId: '', envelope: '' }),
    }
    await store.put({ ...row, userId: BEN, venue: 'venue_a' })
    await store.put({ ...row, userId: ANN, venue: 'venue_b' })
    await expect(open(BEN, 'venue_a')).rejects.toThrow(unreadable)
    await expect(open(ANN, 'venue_b')).rejects.toThrow('credentials for venue_b cannot be opened')
    await openOf(ANN, 'venue_a')
  })
})

describe('deleting the last credentials', () => {
  it('[portfolio.secrets.rotated] makes copies of the envelope unreadable', async () => {
    await upload()
    const copy = await store.envelope(ANN, 'venue_a')
    const before = await store.accountSecret(ANN)
    await service.remove(ANN, undefined, null)
    expect(await store.accountSecret(ANN)).toBeNull()
    await upload(ANN, WALLET, 'venue_b')
    expect(await store.accountSecret(ANN)).not.toBe(before)
    const row = { ...(copy ?? { uploadId: '', envelope: '' }), label: null, updatedAt: clock.now() }
    await store.put({ ...row, userId: ANN, venue: 'venue_a' })
    await expect(open(ANN, 'venue_a')).rejects.toThrow('cannot be opened')
  })

  it('[portfolio.secrets.rotated] keeps the secret while another venue needs it', async () => {
    await upload()
    await upload(ANN, WALLET, 'venue_b')
    await service.remove(ANN, { venue: 'venue_b' }, null)
    await openOf(ANN, 'venue_a')
    expect(await store.accountSecret(ANN)).not.toBeNull()
  })

  it('[portfolio.secrets.live] ends live trading with a notice', async () => {
    const live = { ...DEFAULT_CONFIG, executionMode: 'live' as const }
    await portfolios.change(ANN, { config: live }, clock.now())
    await upload()
    await upload(ANN, WALLET, 'venue_b')
    const notices = () =>
      state.selectFrom('delivery').select('record').where('user_id', '=', ANN).execute()
    await service.remove(ANN, { venue: 'venue_a' }, null)
    expect((await portfolios.read(ANN)).config.executionMode).toBe('live')
    await service.remove(ANN, undefined, 'venue_b')
    expect((await portfolios.read(ANN)).config.executionMode).toBe('dry-run')
    expect(ended).toEqual([ANN])
    expect(JSON.stringify(await notices())).toContain('Live trading ended')
  })

  it('[portfolio.secrets.deleted] name the venue where orders may still rest', async () => {
    await upload()
    await upload(ANN, WALLET, 'venue_b')
    left = [{ venue: 'venue_b' }]
    await service.remove(ANN, { venue: 'venue_b' }, null)
    const rows = await state.selectFrom('delivery').select('record').execute()
    expect(JSON.stringify(rows)).toContain(
      '1 order may still rest at Polymarket and could not be cancelled before the credentials were deleted: cancel it there',
    )
  })

  it('[portfolio.secrets.account] a deleted account leaves nothing behind', async () => {
    await upload()
    await service.issueKey(ANN, { venue: 'venue_b' })
    await state.deleteFrom('account').where('id', '=', ANN).execute()
    for (const table of ['account_secret', 'credential_upload', 'venue_credential'] as const) {
      expect(await state.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })
})
