import type { NewKey, SignedUp } from '../../../backend/contract/accounts.ts'
import type { ServedIntent } from '../../../backend/contract/orders/intents.ts'
import type { PanelCreated } from '../../../backend/contract/panels/panels.ts'
import type { PaperReset } from '../../../backend/contract/portfolio.ts'
import { RequestRefused, type Client } from './client.ts'
import type { Table } from './rows.store.ts'

/** A row of a table that a response acknowledged. */
export interface AddedRow {
  readonly table: Table
  readonly id: string
  /** Revokes, cancels or removes the row; absent for rows that stay. */
  readonly remove?: () => Promise<unknown>
}

/** Writes of one route, each with a unique name. */
export interface WriteKind {
  readonly name: string
  /** Maximum number of them between two starts, because the service has limits. */
  readonly maxPerStart: number
  /** Whether a request without a response may be sent again and must not write twice. */
  readonly isRepeatable?: true
  add(client: Client, name: string): Promise<readonly AddedRow[]>
}

const PANELS = '/api/dashboard2/market-watch/panels'
const DATA_HEALTH = {
  version: 1,
  kind: 'preset',
  preset: { id: 'data_health' },
  display: { visualization: 'table' },
}

/** Listing and revoking keys share 60 requests a minute; a user has 20 active keys in a space. */
const keys = (path: '/api/keys' | '/api/data-keys'): WriteKind => ({
  name: path,
  maxPerStart: 20,
  async add(client, name) {
    const { id } = await client.asOwner<NewKey>('POST', path, { name })
    const remove = () => client.asOwner('DELETE', `${path}/${id}`)
    return [{ table: 'access_key', id, remove }]
  },
})

const intentOf = (client: Client, name: string) =>
  client.asOwner<ServedIntent>(
    'POST',
    '/api/intents',
    {
      marketId: client.ticker,
      action: 'buy',
      direction: 'yes',
      targetQuantity: 10,
      triggerType: 'price_below',
      triggerPrice: 1,
      rationale: name,
    },
    { 'idempotency-key': name },
  )

/**
 * A cancellation is repeated when a kill interrupted its response, so it may already have taken
 * effect.
 */
async function cancelIntent(client: Client, id: string): Promise<void> {
  try {
    await client.asOwner('DELETE', `/api/intents/${id}`)
  } catch (error) {
    const isCancelled =
      error instanceof RequestRefused && error.message.includes('"from":"cancelled"')
    if (!isCancelled) throw error
  }
}

const intents: WriteKind = {
  name: 'intents',
  maxPerStart: 60,
  isRepeatable: true,
  async add(client, name) {
    const { id } = await intentOf(client, name)
    return [{ table: 'intent', id, remove: () => cancelIntent(client, id) }]
  },
}

/** A fill is a row of the ledger, and a change of the intent in the same transaction. */
const fills: WriteKind = {
  name: 'fills',
  maxPerStart: 60,
  isRepeatable: true,
  async add(client, name) {
    const { id } = await intentOf(client, name)
    const fill = { orderId: name, fillQuantity: 10, fillPrice: 40 }
    await client.asOwner('PATCH', `/api/intents/${id}`, { fill })
    return [
      { table: 'intent', id },
      { table: 'ledger_entry', id: name },
    ]
  },
}

const panels: WriteKind = {
  name: 'panels',
  maxPerStart: 60,
  async add(client, name) {
    const { body } = await client.asPage<PanelCreated>('POST', PANELS, {
      title: name,
      spec: DATA_HEALTH,
    })
    const { id } = body.panel
    return [{ table: 'panel', id, remove: () => client.asPage('DELETE', `${PANELS}/${id}`) }]
  },
}

/** Each reset of the paper account begins the next epoch. */
const paperResets: WriteKind = {
  name: 'paper resets',
  maxPerStart: 20,
  async add(client) {
    const path = '/api/portfolio/paper/reset'
    const { epoch } = await client.asOwner<PaperReset>('POST', path, { confirm: true })
    return [{ table: 'paper_epoch', id: String(epoch) }]
  },
}

/** Sign-ups and sign-ins share 20 requests a minute. */
const signUps: WriteKind = {
  name: 'sign-ups',
  maxPerStart: 15,
  async add(client, name) {
    const account = { email: `${name}@example.test`, password: 'correct horse battery' }
    const { body, cookie } = await client.asPage<SignedUp>('POST', '/api/signup', account, '')
    const signOut = () => client.asPage('POST', '/api/auth/signout', {}, cookie)
    return [
      { table: 'account', id: body.user.id },
      { table: 'access_key', id: body.key.id },
      { table: 'session', id: body.session.id, remove: signOut },
    ]
  },
}

export const WRITE_KINDS: readonly WriteKind[] = [
  keys('/api/keys'),
  keys('/api/data-keys'),
  intents,
  fills,
  panels,
  paperResets,
  signUps,
]
