import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { WatchedPage } from '../../../backend/contract/orders/watch.ts'
import { watchedPage } from '../../api/alert-queries.ts'
import type { Live } from '../../api/live.ts'
import { targetOf } from '../../api/path.ts'
import type { Source } from '../../api/source.svelte.ts'
import { TaskQueues } from '../../lib/task-queues.ts'
import type { Account } from './account.svelte.ts'
import type { Watchlist } from './watchlist.svelte.ts'

type ShowNotice = (text: string, tone?: 'info' | 'error') => void

/**
 * Makes the watchlist of the page that of the signed-in user: the markets that the service stores
 * for the user's board, alerts and command line. Markets added before signing in are stored then.
 */
export class WatchlistSync {
  readonly #live: Pick<Live, 'source' | 'subscribe' | 'send' | 'refetch'>
  readonly #account: Pick<Account, 'user'>
  readonly #watchlist: Watchlist
  readonly #showNotice: ShowNotice
  readonly #source: Source<WatchedPage>
  /** Ids of the stored markets. */
  readonly #ids = new SvelteMap<string, string>()
  /** Changes that the service has not answered; a list requested before them is outdated. */
  #pendingCount = 0
  /** A change of a market is sent after the answer to the one before. */
  readonly #changes = new TaskQueues()

  constructor(
    live: Pick<Live, 'source' | 'subscribe' | 'send' | 'refetch'>,
    account: Pick<Account, 'user'>,
    watchlist: Watchlist,
    showNotice: ShowNotice,
  ) {
    this.#live = live
    this.#account = account
    this.#watchlist = watchlist
    this.#showNotice = showNotice
    this.#source = live.source(watchedPage)
  }

  /** Requests the list once after signing in. Call it inside an effect. */
  watch(): () => void {
    const isMissing = this.#account.user !== null && this.#source.body === null
    return isMissing ? this.#live.subscribe(this.#source) : () => {}
  }

  /** Requests the list repeatedly, for a pane that shows it. Call it inside an effect. */
  watchOften(): () => void {
    return this.#account.user === null ? () => {} : this.#live.subscribe(this.#source)
  }

  /** Takes over what the service answers. Call it inside an effect. */
  follow(): void {
    const user = this.#account.user?.id ?? null
    const { body } = this.#source
    untrack(() => this.#receive(user, body))
  }

  #receive(user: string | null, body: WatchedPage | null): void {
    const list = this.#watchlist
    if (user === null || body === null) {
      list.store = null
      return
    }
    list.store = {
      refusal: (ticker) => this.#refusal(ticker),
      onAdded: (ticker) => this.#queue(ticker, () => this.#add(ticker)),
      onRemoved: (ticker) => this.#queue(ticker, () => this.#remove(ticker)),
    }
    if (this.#pendingCount > 0) return
    const storedObjects = body.objects.filter(({ kind }) => kind === 'market').toReversed()
    this.#ids.clear()
    for (const { ref, id } of storedObjects) this.#ids.set(ref, id)
    const localMarkets =
      list.owner === user ? [] : list.all.filter(({ ticker }) => !this.#ids.has(ticker))
    const rows = storedObjects.map(({ ref, createdAt }) => ({ ticker: ref, addedAt: createdAt }))
    list.replace([...rows, ...localMarkets], user)
    for (const { ticker } of localMarkets) this.#queue(ticker, () => this.#add(ticker))
  }

  /** Sends a change of a market once the previous one is answered, whose id it may need. */
  #queue(ticker: string, send: () => Promise<string | null>): void {
    this.#pendingCount += 1
    void this.#changes.run(ticker, async () => this.#settle(await send()))
  }

  /** Why a market stays on the list; null when it can be removed. */
  #refusal(ticker: string): string | null {
    const object = this.#source.body?.objects.find(({ ref }) => ref === ticker)
    const count = object?.rules.length ?? 0
    if (count === 0) return null
    const alerts = count === 1 ? 'An alert keeps' : `${count} alerts keep`
    return `${alerts} ${ticker} on the watchlist. ALERT lists and removes them`
  }

  /** Returns why the change failed; null when it did not. */
  async #add(ticker: string): Promise<string | null> {
    const answer = await this.#live.send('POST', '/api/watch', { ticker })
    if (answer.ok) this.#ids.set(ticker, answer.body.id)
    return answer.ok ? null : `${ticker} was not stored: ${answer.failure.message}`
  }

  async #remove(ticker: string): Promise<string | null> {
    const id = this.#ids.get(ticker)
    if (id === undefined) return null
    const answer = await this.#live.send('DELETE', targetOf('/api/watch/:id', { id }))
    return answer.ok ? null : `${ticker} was not removed: ${answer.failure.message}`
  }

  /** The last answer: the list is requested again, which also takes back a failed change. */
  #settle(failureText: string | null): void {
    this.#pendingCount -= 1
    if (failureText !== null) this.#showNotice(failureText, 'error')
    if (this.#pendingCount === 0) this.#live.refetch(this.#source)
  }
}
