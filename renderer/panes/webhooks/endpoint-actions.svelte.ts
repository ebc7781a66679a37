import type { ServedDelivery } from '../../../backend/contract/orders/deliveries.ts'
import type { ServedEndpoint } from '../../../backend/contract/orders/webhooks.ts'
import type { EventName } from '../../../backend/domain/webhooks/delivery.ts'
import type { Answer } from '../../api/client.ts'
import {
  createRoute,
  endpointRoute,
  replayRoute,
  resumeRoute,
  rotateRoute,
  testRoute,
} from '../../api/webhook-queries.ts'
import { formatUtc } from '../../lib/format.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { mayReplay, webhookRefusal } from './webhook-labels.ts'

/** A test waits for the receiver, which has ten seconds. */
const TEST_TIMEOUT = 15_000

interface Confirmation {
  readonly kind: 'rotate' | 'remove'
  readonly endpoint: ServedEndpoint
}
/** A secret that the service sends once. */
interface NewSecret {
  readonly endpointId: string
  readonly label: string
  readonly secret: string
  readonly detail: string
}
/** Fields of an endpoint that its user sets. */
export interface EndpointFields {
  readonly url: string
  readonly label: string
  readonly events: readonly EventName[]
}

const SIGNS = 'It signs the deliveries; the receiver verifies them with it.'

/** Writes about the user's endpoints: their confirmation, secret and rejection. */
export class EndpointActions {
  isBusy = $state(false)
  /** Why the last write was rejected, as a sentence. */
  refusal = $state<string | null>(null)
  /** The write that waits for a confirmation. */
  confirmation = $state.raw<Confirmation | null>(null)
  readonly #terminal: Terminal
  readonly #onWritten: () => void
  #newSecret = $state.raw<(NewSecret & { readonly owner: string | null }) | null>(null)

  /** @param onWritten called after each write, so that shown answers are requested again */
  constructor(terminal: Terminal, onWritten: () => void) {
    this.#terminal = terminal
    this.#onWritten = onWritten
  }

  /** The secret that the user has to store; another user does not see it. */
  get secret(): NewSecret | null {
    const owner = this.#terminal.account.user?.id ?? null
    return this.#newSecret?.owner === owner ? this.#newSecret : null
  }

  dropSecret(): void {
    this.#newSecret = null
  }

  /** Asks before a write that cannot be undone. */
  requestConfirmation(kind: Confirmation['kind'], endpoint: ServedEndpoint): void {
    if (endpoint.thesisId === null) this.confirmation = { kind, endpoint }
    else this.#terminal.showNotice('The thesis manages this endpoint. Change it there', 'error')
  }

  /** Creates an endpoint; null when the service rejected it. */
  async create({ url, label, events }: EndpointFields): Promise<ServedEndpoint | null> {
    const body = { url: url.trim(), events, ...(label.trim() !== '' && { label: label.trim() }) }
    const answer = await this.#write(() => this.#terminal.live.send('POST', createRoute, body))
    if (answer === null) return null
    this.#keepSecret({
      endpointId: answer.id,
      label: answer.label,
      secret: answer.secret,
      detail: SIGNS,
    })
    return answer
  }

  /** Sends the changed fields of an endpoint. @returns whether nothing is left to send */
  async change(endpoint: ServedEndpoint, fields: EndpointFields): Promise<boolean> {
    const [url, label] = [fields.url.trim(), fields.label.trim()]
    const hasOtherEvents =
      fields.events.length !== endpoint.events.length ||
      fields.events.some((name) => !endpoint.events.includes(name))
    const body = {
      ...(url !== endpoint.url && { url }),
      ...(label !== endpoint.label && label !== '' && { label }),
      ...(hasOtherEvents && { events: fields.events }),
    }
    if (Object.keys(body).length === 0) return true
    const { live } = this.#terminal
    const answer = await this.#write(() => live.send('PATCH', endpointRoute(endpoint.id), body))
    if (answer === null) return false
    const urlNote = 'url' in body ? '. Its secret stays the same' : ''
    this.#terminal.showNotice(`“${label === '' ? endpoint.label : label}” changed${urlNote}`)
    return true
  }

  /** Performs the confirmed write. */
  async confirm(): Promise<Confirmation | null> {
    const { confirmation } = this
    if (confirmation === null) return null
    const { kind, endpoint } = confirmation
    const isDone = await (kind === 'remove' ? this.#remove(endpoint) : this.#rotate(endpoint))
    this.confirmation = null
    return isDone ? confirmation : null
  }

  async toggle({ id, label, state, thesisId }: ServedEndpoint): Promise<void> {
    const { live } = this.#terminal
    if (state !== 'paused' && thesisId !== null) {
      this.#terminal.showNotice('The thesis manages this endpoint. Change it there', 'error')
      return
    }
    const answer = await this.#write(() =>
      state === 'paused'
        ? live.send('POST', resumeRoute(id), {})
        : live.send('PATCH', endpointRoute(id), { state: 'paused' }),
    )
    if (answer !== null) {
      this.#terminal.showNotice(`“${label}” ${state === 'paused' ? 'resumed' : 'paused'}`)
    }
  }

  async test({ id, label }: ServedEndpoint): Promise<void> {
    const { live } = this.#terminal
    const tested = await this.#write(() => live.send('POST', testRoute(id), {}, TEST_TIMEOUT))
    if (tested === null) return
    const { ok, status, error, durationMs } = tested
    const answer = status === null ? (error ?? 'no response') : `HTTP ${status}`
    const result = ok ? 'delivered' : 'failed'
    const text = `Test of “${label}” ${result}: ${answer} after ${durationMs} ms`
    this.#terminal.showNotice(text, ok ? 'info' : 'error')
  }

  async replay({ id }: ServedEndpoint, delivery: ServedDelivery): Promise<void> {
    if (!mayReplay(delivery)) {
      this.#terminal.showNotice('Only a delivery that has ended can be replayed', 'error')
      return
    }
    const { live } = this.#terminal
    const answer = await this.#write(() => live.send('POST', replayRoute(id, delivery.id), {}))
    if (answer !== null) this.#terminal.showNotice('The delivery is sent again')
  }

  async #remove({ id, label }: ServedEndpoint): Promise<boolean> {
    const answer = await this.#write(() => this.#terminal.live.send('DELETE', endpointRoute(id)))
    if (answer === null) return false
    if (this.#newSecret?.endpointId === id) this.dropSecret()
    this.#terminal.showNotice(`“${label}” was removed`)
    return true
  }

  async #rotate({ id, label }: ServedEndpoint): Promise<boolean> {
    const answer = await this.#write(() => this.#terminal.live.send('POST', rotateRoute(id), {}))
    if (answer === null) return false
    const { secret, previousSecretExpiresAt: until } = answer
    const detail = until === null ? SIGNS : `The old secret is valid until ${formatUtc(until)}.`
    this.#keepSecret({ endpointId: id, label, secret, detail })
    return true
  }

  /** Sends a write, one at a time; null when it was rejected. */
  async #write<T>(send: () => Promise<Answer<T>>): Promise<T | null> {
    if (this.isBusy) return null
    this.isBusy = true
    this.refusal = null
    const answer = await send()
    this.isBusy = false
    this.#onWritten()
    if (answer.ok) return answer.body
    this.refusal = webhookRefusal(answer.failure)
    return null
  }

  #keepSecret(secret: NewSecret): void {
    this.#newSecret = { ...secret, owner: this.#terminal.account.user?.id ?? null }
  }
}
