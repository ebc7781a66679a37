import { createHash } from 'node:crypto'
import type { MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import { moneyOf } from '../../domain/backtest/broker/fill-model.ts'
import {
  isOpen,
  mayTransition,
  OPEN_INTENTS,
  transition,
  priceFor,
  remainingSize,
  withFill,
  type DeletedBasis,
  type Intent,
  type IntentStatus,
} from '../../domain/portfolio/intent.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { MODES, reportedFillKey, type NewLedgerEntry } from '../../domain/portfolio/ledger.ts'
import {
  contractsOf,
  DAY,
  priceOfCents,
  type Cents,
  type Millis,
  type MoneyE6,
} from '../../domain/units.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import type { Clock } from '../../lib/clock.ts'
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { CHANGEABLE, changedIntent, parseFill, namedMarket, newIntent } from './intent-body.ts'
import { basisOf, type UserTheses } from './intent-basis.ts'
import type { IntentRunner } from './intent-runner.ts'
import { servedIntent } from './intent-served.ts'
import type { IntentFilter, IntentsStore, IdempotencyKey } from './intents.store.ts'
import { SETTABLE_STATUSES } from '../../contract/orders/intents.ts'
import type { IntentPage, ServedIntent } from '../../contract/orders/intents.ts'
import { checkIdempotencyKey } from '../../state/repeated-writes.ts'
import type { LedgerStore } from './ledger.store.ts'
import type { PaperAccounts } from './paper-accounts.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'
import { byCreation, listPage, type Paging } from '../../http/request/list-page.ts'

/** Most open intents of one user. */
const MAX_OPEN = 1_000
/** How long an idempotency key repeats its answer. */
const IDEMPOTENCY_WINDOW = DAY
const ROUTE = 'POST /api/intents'
const THESIS_DELETED = 'thesis_deleted'
const STRATEGY_DELETED = 'strategy_deleted'

export interface IntentsService {
  /** @param idempotencyKey `Idempotency-Key` of the request */
  create(userId: string, body: unknown, idempotencyKey: string | null): Promise<ServedIntent>
  page(userId: string, filter: IntentFilter, paging: Paging): Promise<IntentPage>
  byId(userId: string, id: string): Promise<ServedIntent>
  change(userId: string, id: string, body: unknown): Promise<ServedIntent>
  cancel(userId: string, id: string): Promise<{ ok: true; id: string; status: 'cancelled' }>
  /**
   * Cancels the open intents of a thesis that name a source, such as its heartbeat.
   * @param reason their `statusReason`
   */
  cancelBySource(userId: string, thesisId: string, sourceId: string, reason: string): Promise<void>
  /** Cancels the open intents of a thesis or a strategy that was deleted. */
  cancelDeleted(userId: string, deletedBasis: DeletedBasis): Promise<void>
  /** The same for every user at the start: a stop may have come between a deletion and this. */
  cancelAllDeleted(): Promise<void>
}

export function createIntentsService(deps: {
  readonly store: IntentsStore
  readonly ledger: LedgerStore
  readonly accounts: PaperAccounts
  readonly runner: IntentRunner
  readonly theses: UserTheses
  /** Id of the exchange to which orders of a user go now; null on paper. */
  readonly exchangeOf: (userId: string) => Promise<string | null>
  readonly userQueue: PerUserQueue
  readonly board: MarketBoard
  readonly clock: Clock
}): IntentsService {
  const { store, ledger, accounts, runner, theses, exchangeOf, userQueue, board, clock } = deps
  const unfinishedIds = new Set<string>()

  const findOwnIntent = async (userId: string, id: string): Promise<Intent> => {
    const intent = await store.byId(userId, id)
    if (intent === null) throw new NotFound('Intent not found')
    return intent
  }
  const viewOf = async (ticker: string): Promise<MarketView | null> =>
    board.live().get(ticker) ?? (await board.market(ticker, null))
  const toResponse = async (intent: Intent): Promise<ServedIntent> => {
    const view = await viewOf(intent.ticker)
    const e4 = (cents: Cents | null) => (cents === null ? null : priceOfCents(cents))
    const bestPrices = { bid: e4(view?.bestBid ?? null), ask: e4(view?.bestAsk ?? null) }
    return servedIntent(intent, priceFor(intent, bestPrices))
  }
  /** Writes the next state of an intent, and checks it if it may trade now. */
  const write = async (
    before: Intent,
    next: Intent,
    entries: readonly NewLedgerEntry[] = [],
  ): Promise<void> => {
    const intent = { next, from: before.status }
    await ledger.book(before.userId, { intent, entries }, clock.now())
    runner.register(next, (await viewOf(next.ticker))?.market ?? null)
    if (next.autoExecute && isOpen(next)) runner.recheck(next)
  }

  /**
   * The intent in the account that its user trades with now, if the service may trade it. It stays
   * in that account, so that an intent made on paper never becomes a live order.
   * @throws Conflict when the body names the other account
   */
  const checkAccount = async (intent: Intent, body: unknown): Promise<Intent> => {
    const expectedMode = new BodyFields(body).word('mode', MODES)
    const exchange = await exchangeOf(intent.userId)
    const mode = exchange === null ? 'paper' : 'live'
    if (expectedMode !== undefined && expectedMode !== mode) {
      const now = mode === 'live' ? 'live' : 'on paper'
      throw new Conflict(`trading is ${now} now: review the order and send it again`)
    }
    return intent.autoExecute ? { ...intent, mode, exchange } : intent
  }

  const withStatus = (intent: Intent, body: unknown): Intent => {
    const fields = new BodyFields(body)
    const to = fields.word('status', SETTABLE_STATUSES)
    const reason = fields.text('statusReason', { max: 500 }) ?? null
    if (to === undefined) throw new InvalidInput('status is required')
    if (!mayTransition('caller', intent.status, to)) throw invalidTransition(intent.status, to)
    const next = transition(intent, to, clock.now(), reason)
    if (to !== 'filled') return next
    // The caller reports that the rest was traded elsewhere, at unknown prices.
    const note = reason ?? 'the rest was filled outside'
    return { ...next, filledSize: next.targetSize, statusReason: note }
  }

  const bookReportedFill = async (intent: Intent, fillValue: unknown): Promise<void> => {
    const { orderId, size, price, cost: statedCost } = parseFill(fillValue)
    if (intent.fills.some((candidate) => candidate.orderId === orderId)) return
    const rest = remainingSize(intent)
    if (!isOpen(intent)) throw invalidTransition(intent.status, size >= rest ? 'filled' : 'partial')
    if (size > rest) throw new InvalidInput(`fillQuantity must be at most ${contractsOf(rest)}`)
    const now = clock.now()
    const cost = statedCost ?? moneyOf(price, size)
    const next = {
      ...withFill(intent, { orderId, size, price, cost, at: now }),
      // One that the service trades stays in its account.
      mode: intent.autoExecute ? intent.mode : ('live' as const),
    }
    const view = await viewOf(intent.ticker)
    const entry: NewLedgerEntry = {
      id: newId('ple', now),
      eventType: 'fill',
      mode: 'live',
      epoch: 0,
      source: 'intent',
      occurredAt: now,
      venue: intent.venue,
      ticker: intent.ticker,
      size,
      price,
      marketTitle: intent.marketTitle,
      category: view?.facts.category ?? null,
      action: intent.action,
      direction: intent.direction,
      fee: 0 as MoneyE6,
      cashDelta: ((intent.action === 'buy' ? -1 : 1) * cost) as MoneyE6,
      slippage: null,
      realized: null,
      result: null,
      orderId,
      liquidity: null,
      tickId: null,
      intentId: intent.id,
      ...basisOf(intent),
      confidence: 'exact',
      key: reportedFillKey(intent.id, orderId),
      note: null,
      payload: {},
    }
    const [realized = null] = await accounts.realizedByEach(intent.userId, [entry])
    await write(intent, next, [{ ...entry, realized }])
  }

  const cancelEach = async (
    userId: string,
    reasonOf: (intent: Intent) => Promise<string | null> | string | null,
  ): Promise<void> => {
    const openIntents = { statuses: OPEN_INTENTS, ticker: null, thesisId: null }
    for (const intent of await store.page(userId, openIntents, null, MAX_OPEN)) {
      const reason = await reasonOf(intent)
      if (reason !== null) await write(intent, transition(intent, 'cancelled', clock.now(), reason))
    }
  }

  return {
    cancelDeleted(userId, deletedBasis) {
      const isThesis = 'thesisId' in deletedBasis
      const reason = isThesis ? THESIS_DELETED : STRATEGY_DELETED
      const concerns = ({ thesisId, strategyId }: Intent): boolean =>
        isThesis ? thesisId === deletedBasis.thesisId : strategyId === deletedBasis.strategyId
      return userQueue.run(userId, () =>
        cancelEach(userId, (intent) => (concerns(intent) ? reason : null)),
      )
    },
    cancelBySource: (userId, thesisId, sourceId, reason) =>
      userQueue.run(userId, () =>
        cancelEach(userId, (intent) =>
          intent.thesisId === thesisId && intent.sourceId === sourceId ? reason : null,
        ),
      ),
    async cancelAllDeleted() {
      for (const userId of await store.users())
        await userQueue.run(userId, () =>
          cancelEach(userId, async (intent) => {
            try {
              await theses.basis(userId, intent)
              return null
            } catch (error) {
              if (!(error instanceof NotFound)) throw error
              return intent.strategyId === null ? THESIS_DELETED : STRATEGY_DELETED
            }
          }),
        )
    },
    async create(userId, body, idempotencyKey) {
      const key = idempotencyKey === null ? null : keyWithHash(idempotencyKey, body)
      const claim = key === null ? null : `${userId} ${key.key}`
      if (claim !== null && unfinishedIds.has(claim)) {
        throw new Conflict(
          'the first request with this Idempotency-Key is unfinished',
          'IN_PROGRESS',
        )
      }
      if (claim !== null) unfinishedIds.add(claim)
      try {
        if (key !== null) {
          const since = (clock.now() - IDEMPOTENCY_WINDOW) as Millis
          const previous = await store.storedAnswer(userId, key, since)
          if (previous !== null && previous.bodyHash !== key.bodyHash) {
            const message = 'this Idempotency-Key was sent with another body'
            throw new Conflict(message, 'IDEMPOTENCY_MISMATCH')
          }
          if (previous !== null) return previous.answer as ServedIntent
        }
        const view = await board.market(namedMarket(body), null)
        if (view === null) throw new NotFound('Market not found')
        return await userQueue.run(userId, async () => {
          const newIntentRow = newIntent(body, view, userId, clock.now())
          const intent = await checkAccount(
            { ...newIntentRow, ...(await theses.basis(userId, newIntentRow)) },
            body,
          )
          if ((await store.countOpen(userId)) >= MAX_OPEN) {
            throw new Conflict(`at most ${MAX_OPEN} intents may be open at once`)
          }
          const answer = await toResponse(intent)
          const since = (clock.now() - IDEMPOTENCY_WINDOW) as Millis
          await store.add(intent, key === null ? null : { key, answer, since })
          runner.register(intent, view.market)
          if (intent.autoExecute) runner.recheck(intent)
          return answer
        })
      } finally {
        if (claim !== null) unfinishedIds.delete(claim)
      }
    },
    async page(userId, { statuses, ticker: requestedTicker, thesisId }, paging) {
      const ticker = requestedTicker === null ? null : canonicalTicker(requestedTicker)
      const { rows, pageInfo } = await listPage(
        paging,
        [statuses, ticker, thesisId],
        (after, max) => store.page(userId, { statuses, ticker, thesisId }, after, max),
        byCreation,
      )
      const data = await Promise.all(rows.map(toResponse))
      return { data, intents: data, pageInfo }
    },
    byId: async (userId, id) => toResponse(await findOwnIntent(userId, id)),
    change: (userId, id, body) =>
      userQueue.run(userId, async () => {
        const intent = await findOwnIntent(userId, id)
        const fields = new BodyFields(body)
        const kinds = [fields.has('status'), fields.has('fill'), fields.has(...CHANGEABLE)]
        const requestedKinds = kinds.filter(Boolean).length
        if (requestedKinds === 0) throw new InvalidInput('No valid fields to update')
        if (requestedKinds > 1)
          throw new InvalidInput('status, fill and other fields must be sent separately')
        if (kinds[0] === true) await write(intent, withStatus(intent, body))
        else if (kinds[1] === true) await bookReportedFill(intent, fields.raw('fill'))
        else {
          if (intent.status !== 'pending' && intent.status !== 'armed') {
            throw new Conflict(
              `intent is ${intent.status}: its fields can change only while it is pending or armed`,
            )
          }
          const ranges = (await viewOf(intent.ticker))?.facts.priceRanges ?? []
          const changedIntentRow = changedIntent(body, intent, ranges, clock.now())
          await write(
            intent,
            fields.flag('autoExecute') === true
              ? await checkAccount(changedIntentRow, body)
              : changedIntentRow,
          )
        }
        return toResponse(await findOwnIntent(userId, id))
      }),
    cancel: (userId, id) =>
      userQueue.run(userId, async () => {
        const intent = await findOwnIntent(userId, id)
        if (!mayTransition('caller', intent.status, 'cancelled')) {
          throw invalidTransition(intent.status, 'cancelled')
        }
        await write(intent, transition(intent, 'cancelled', clock.now(), 'cancelled by the user'))
        return { ok: true, id, status: 'cancelled' }
      }),
  }
}

const invalidTransition = (from: IntentStatus, to: IntentStatus): Conflict =>
  new Conflict(`cannot change intent from ${from} to ${to}`, 'INVALID_TRANSITION', { from, to })

/** @throws InvalidInput */
function keyWithHash(key: string, body: unknown): IdempotencyKey {
  checkIdempotencyKey(key)
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  return { route: ROUTE, key, bodyHash }
}
