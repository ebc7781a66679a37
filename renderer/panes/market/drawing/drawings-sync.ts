import { untrack } from 'svelte'
import type { ChartDrawings } from '../../../../backend/contract/charts/drawings.ts'
import { chartDrawings } from '../../../api/context-queries.ts'
import type { Live } from '../../../api/live.ts'
import type { Source } from '../../../api/source.svelte.ts'
import type { Account } from '../../../shell/window/account.svelte.ts'
import type { Drawings } from '../../../shell/window/drawings.svelte.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'

type Notify = (text: string, tone?: 'info' | 'error') => void

/** The most drawings of one market that the service stores. */
const MAX_PER_MARKET = 50

interface Identified {
  readonly id: string
}
/** Drawings of the service with those that only this machine has, the newest ones. */
const mergeDrawings = (
  stored: readonly Identified[],
  local: readonly Identified[],
): readonly Identified[] => {
  const storedIds = new Set(stored.map(({ id }) => id))
  return [...stored, ...local.filter(({ id }) => !storedIds.has(id))].slice(-MAX_PER_MARKET)
}

/**
 * Makes the drawings of the page those of the signed-in user. Drawings that this machine has from
 * before signing in are stored in the account then.
 */
export class DrawingsSync {
  readonly #live: Pick<Live, 'source' | 'subscribe' | 'send' | 'refetch'>
  readonly #account: Pick<Account, 'user'>
  readonly #drawings: Drawings
  readonly #notify: Notify
  readonly #source: Source<ChartDrawings>
  /** The answer that was applied last. */
  #appliedBody: ChartDrawings | null = null
  /** Markets whose drawings have to be sent. */
  readonly #unsentTickers = new Set<string>()
  /** Markets whose drawings the service refused. */
  readonly #refusedTickers = new Set<string>()
  #isSending = false

  constructor(
    live: Pick<Live, 'source' | 'subscribe' | 'send' | 'refetch'>,
    account: Pick<Account, 'user'>,
    drawings: Drawings,
    notify: Notify,
  ) {
    this.#live = live
    this.#account = account
    this.#drawings = drawings
    this.#notify = notify
    this.#source = live.source(chartDrawings)
  }

  /** Requests the drawings while a chart is visible. Call it inside an effect. */
  watch(): () => void {
    return this.#account.user === null ? () => {} : this.#live.subscribe(this.#source)
  }

  /** Applies the service's answer. Call it inside an effect. */
  follow(): void {
    const user = this.#account.user?.id ?? null
    const { body } = this.#source
    untrack(() => this.#receive(user, body))
  }

  #receive(user: string | null, body: ChartDrawings | null): void {
    const { store } = this.#drawings
    if (user === null || body === null) {
      if (user === null) this.#drawings.store = null
      return
    }
    if (body === this.#appliedBody && store !== null) return
    // An answer requested before a change is outdated; it is requested again afterwards.
    if (this.#isSending) return
    this.#unsentTickers.clear()
    this.#appliedBody = body
    const drawings = this.#drawings
    drawings.store = { onChanged: (ticker) => this.#onDrawingsChanged(ticker) }
    const { owner, unsent } = drawings
    // Drawings of another account are not this user's.
    if (owner !== user) this.#refusedTickers.clear()
    const drawingsByTicker = new Map(body.markets.map((market) => [market.ticker, market.drawings]))
    const enqueue = (ticker: string, all: readonly Identified[]): void => {
      this.#unsentTickers.add(ticker)
      drawingsByTicker.set(ticker, [...all] as ChartDrawings['markets'][number]['drawings'])
    }
    if (owner === user) for (const ticker of unsent) enqueue(ticker, drawings.get(ticker))
    if (owner === null) {
      for (const ticker of drawings.tickers) {
        const previous: readonly Identified[] = drawingsByTicker.get(ticker) ?? []
        const mergedDrawings = mergeDrawings(previous, drawings.get(ticker))
        if (mergedDrawings.length > previous.length) enqueue(ticker, mergedDrawings)
      }
    }
    drawings.replace([...drawingsByTicker].toReversed(), user, [...this.#unsentTickers])
    void this.#send()
  }

  #onDrawingsChanged(ticker: string): void {
    this.#unsentTickers.add(ticker)
    void this.#send()
  }

  /** Sends the markets one after the other, each with its newest drawings. */
  async #send(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    let isStored = false
    for (const ticker of this.#unsentTickers) {
      this.#unsentTickers.delete(ticker)
      const body = { ticker, drawings: this.#drawings.get(ticker) }
      const answer = await this.#live.send('PUT', '/api/chart/drawings', body)
      if (answer.ok) {
        isStored = true
        this.#refusedTickers.delete(ticker)
        if (!this.#unsentTickers.has(ticker)) this.#drawings.markSent(ticker)
        continue
      }
      if (!this.#refusedTickers.has(ticker)) {
        const state = `Drawings of ${ticker} are on this machine only`
        this.#notify(`${state}: ${answer.failure.message}`, 'error')
      }
      this.#refusedTickers.add(ticker)
    }
    this.#isSending = false
    // Only after a change: each answer comes here, and would request the next one without a pause.
    if (isStored) this.#live.refetch(this.#source)
  }
}

const syncs = new WeakMap<Terminal, DrawingsSync>()

/** The synchronisation of a terminal, shared by its charts. */
export function drawingsSyncOf(terminal: Terminal): DrawingsSync {
  const existing = syncs.get(terminal)
  if (existing !== undefined) return existing
  const { live, account, drawings } = terminal
  const sync = new DrawingsSync(live, account, drawings, (text, tone) =>
    terminal.showNotice(text, tone),
  )
  syncs.set(terminal, sync)
  return sync
}
