import type { MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import type { ItemCondition } from '../../domain/alerts/alert-item.ts'
import {
  type AlertRule,
  type WatchedKind,
  type WatchedObject,
} from '../../domain/alerts/alert-rule.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { roundTo, type Millis } from '../../domain/units.ts'
import { servedDelivery } from '../../http/presenters/delivery.ts'
import { isoOrNull, roundOrNull } from '../../http/presenters/market-ref.ts'
import { listPage, type Paging, byCreation } from '../../http/request/list-page.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Conflict, InvalidInput, NotConfigured, NotFound } from '../../lib/errors.ts'
import type { OutgoingEvent } from '../../domain/webhooks/payload.ts'
import { newId } from '../../lib/ids.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { noticeOf, type RuleTarget } from '../../state/event-outbox.ts'
import { firedEvent, targetOf } from './alert-events.ts'
import type { AlertRunner } from './alert-runner.ts'
import type { AlertIndex } from './alert-index.ts'
import {
  changedObject,
  changedRule,
  isEqualRule,
  namesRule,
  newRule,
  textsIn,
  parseWatched,
} from './watch-body.ts'
import type { DeliveryFilter, RuleFilter, WatchStore } from './watch.store.ts'
import type { DeliveryPage } from '../../contract/orders/deliveries.ts'
import type {
  AlertRulePage,
  AlertTested,
  ServedAlertRule,
  ServedWatched,
  WatchCandidates,
  WatchCreated,
  WatchedPage,
} from '../../contract/orders/watch.ts'

/** Most watched objects and most rules of one user. */
const MAX_ITEMS = 500
const MAX_CANDIDATES = 10
/** Confidence of the text itself as a watched query. */
const QUERY_CONFIDENCE = 0.1

/** The endpoints and channels that alert rules may name. */
export interface AlertEndpoints {
  /** @throws NotFound "Endpoint not found" */
  expectOwn(userId: string, endpointId: string): Promise<void>
  /** Whether the service has settings for a channel. */
  isConfigured(channel: 'email' | 'telegram'): boolean
  /** Sends a test event now, with one attempt. */
  test(
    event: OutgoingEvent,
    target: RuleTarget,
  ): Promise<{ readonly ok: boolean; readonly deliveryId: string }>
}

/** Theses that may be watched. */
export interface WatchedTheses {
  /** The user's thesis whose id begins with a text; null without. */
  ownedThesis(
    userId: string,
    id: string,
  ): Promise<{ readonly id: string; readonly title: string } | null>
}

export function createWatchService(deps: {
  readonly store: WatchStore
  readonly runner: AlertRunner
  readonly index: AlertIndex
  readonly userQueue: PerUserQueue
  readonly board: MarketBoard
  /** Regime label of a market in the newest context snapshot; null without one. */
  readonly regimeOf: (view: MarketView) => string | null
  readonly endpoints: AlertEndpoints
  /** Whether some source publishes items of a condition. */
  readonly isAvailable: (condition: ItemCondition) => boolean
  readonly theses: WatchedTheses
  readonly clock: Clock
}) {
  const { store, runner, index, userQueue, board, regimeOf, endpoints, clock } = deps
  const { isAvailable, theses } = deps

  const viewOf = async (ticker: string): Promise<MarketView | null> =>
    board.live().get(ticker) ?? (await board.market(ticker, null))

  const toResponse = async (object: WatchedObject): Promise<ServedWatched> => {
    const rules = (await store.rulesOf(object.id)).map((rule) => ruleOf(runner.newest(rule)))
    const view = object.kind === 'market' ? await viewOf(object.ref) : null
    return {
      id: object.id,
      kind: object.kind,
      ref: object.ref,
      label: object.label,
      venue: object.venue,
      note: object.note,
      state: object.state,
      rules,
      ruleCount: rules.length,
      snapshot: view === null ? null : snapshotOf(view, regimeOf(view), clock.now()),
      lastRefreshedAt: isoOrNull(object.lastRefreshedAt),
      createdAt: isoOf(object.createdAt),
      updatedAt: isoOf(object.updatedAt),
    }
  }

  const ownedObject = async (userId: string, id: string): Promise<WatchedObject> => {
    const object = await store.object(userId, id)
    if (object === null) throw new NotFound('Watch not found')
    return object
  }
  const ownedRule = async (userId: string, id: string): Promise<AlertRule> => {
    const rule = await store.rule(userId, id)
    if (rule === null) throw new NotFound('Alert rule not found')
    return runner.newest(rule)
  }

  /** The existing object of a reference, or a new one. @throws NotFound for an unknown market */
  const objectFor = async (
    userId: string,
    watchedRef: { readonly kind: WatchedKind; readonly ref: string },
    body: unknown,
  ): Promise<{ readonly object: WatchedObject; readonly isNew: boolean }> => {
    const { kind } = watchedRef
    const texts = textsIn(body)
    if (kind === 'bill') throw new NotFound('Bill not found')
    const view = kind === 'market' ? await viewOf(canonicalTicker(watchedRef.ref)) : null
    if (kind === 'market' && view === null) throw new NotFound('Market not found')
    const thesis = kind === 'thesis' ? await theses.ownedThesis(userId, watchedRef.ref) : null
    if (kind === 'thesis' && thesis === null) throw new NotFound('Thesis not found')
    const ref = view?.facts.ticker ?? thesis?.id ?? watchedRef.ref
    const existing = await store.objectOf(userId, kind, ref)
    if (existing !== null) return { object: existing, isNew: false }
    if ((await store.count('watched_object', userId)) >= MAX_ITEMS) {
      throw new Conflict(`at most ${MAX_ITEMS} objects may be watched: remove one first`)
    }
    const now = clock.now()
    const object: WatchedObject = {
      id: newId('wo', now),
      userId,
      kind,
      ref,
      label: (view?.facts.title ?? thesis?.title ?? ref).slice(0, 120),
      venue: view?.facts.venue ?? null,
      note: null,
      state: 'active',
      lastRefreshedAt: null,
      createdAt: now,
      updatedAt: now,
      ...texts,
    }
    return { object, isNew: true }
  }

  /** @throws NotConfigured */
  const expectConfigured = (channel: 'email' | 'telegram'): void => {
    if (endpoints.isConfigured(channel)) return
    throw new NotConfigured(`channel ${channel} has no server settings`)
  }
  /** The rule with the address of its channel. @throws NotConfigured; InvalidInput without one */
  const withAddress = async (rule: AlertRule): Promise<AlertRule> => {
    if (rule.channel !== 'email' && rule.channel !== 'telegram') return rule
    expectConfigured(rule.channel)
    if (rule.target !== null) return rule
    const email = rule.channel === 'email' ? await store.emailOf(rule.userId) : null
    if (email !== null) return { ...rule, target: email }
    throw new InvalidInput(
      rule.channel === 'email'
        ? 'target is required: your account has no email address'
        : 'target is required: the id of a chat',
    )
  }

  /** The rule of a body on an object; an equal one that exists is returned instead. */
  const ruleFor = async (body: unknown, object: WatchedObject): Promise<AlertRule> => {
    const rule = await withAddress(newRule(body, object, isAvailable, clock.now()))
    if (rule.endpointId !== null) await endpoints.expectOwn(object.userId, rule.endpointId)
    const equal = (await store.rulesOf(object.id)).find((existing) => isEqualRule(existing, rule))
    if (equal !== undefined) return equal
    if ((await store.count('alert_rule', object.userId)) >= MAX_ITEMS) {
      throw new Conflict(`at most ${MAX_ITEMS} alert rules may exist: remove one first`)
    }
    return rule
  }

  const register = async (rule: AlertRule): Promise<void> => {
    const view = rule.ticker === null ? null : await viewOf(rule.ticker)
    if (view !== null) runner.register(rule, view)
  }

  return {
    /** Watches an object, with a rule when the body describes one. */
    watch: (
      userId: string,
      body: unknown,
    ): Promise<{ readonly isNew: boolean; readonly made: WatchCreated }> =>
      userQueue.run(userId, async () => {
        const { object, isNew } = await objectFor(userId, parseWatched(body), body)
        const rule = namesRule(body) ? await ruleFor(body, object) : null
        await store.put(isNew ? object : null, rule)
        if (rule !== null) await register(rule)
        const createdObject = await toResponse(object)
        return {
          isNew,
          // The name in stored answers of repeated writes.
          made:
            rule === null ? createdObject : { ...createdObject, rule: ruleOf(runner.newest(rule)) },
        }
      }),
    /** References that a text may resolve to: markets, and the text as a query. */
    async identify(body: unknown): Promise<WatchCandidates> {
      const text = new BodyFields(body).text('text', { min: 1, max: 300 })
      if (typeof text !== 'string') throw new InvalidInput('text is required')
      const name =
        text
          .split(/[?#]/)[0]
          ?.split('/')
          .findLast((part) => part !== '') ?? text
      const exact = await viewOf(canonicalTicker(name))
      const { hits } = board.live().find(text, null, MAX_CANDIDATES)
      const markets = [
        ...(exact === null ? [] : [{ view: exact, score: 1 }]),
        ...hits.filter(({ view }) => view.market !== exact?.market),
      ]
      const candidates = markets.map(({ view, score }) => ({
        kind: 'market' as const,
        ref: view.facts.ticker,
        label: view.facts.title,
        venue: view.facts.venue,
        confidence: roundTo(score, 2),
      }))
      const query = { kind: 'query' as const, ref: text, label: text, venue: null }
      return {
        candidates: [...candidates, { ...query, confidence: QUERY_CONFIDENCE }]
          .toSorted((left, right) => right.confidence - left.confidence)
          .slice(0, MAX_CANDIDATES),
      }
    },
    async objects(
      userId: string,
      filter: { readonly kind: WatchedKind | null; readonly state: WatchedObject['state'] },
      paging: Paging,
    ): Promise<WatchedPage> {
      const { rows, pageInfo } = await listPage(
        paging,
        filter,
        (after, max) => store.objects(userId, filter, after, max),
        byCreation,
      )
      const data = await Promise.all(rows.map(toResponse))
      return { data, objects: data, pageInfo }
    },
    object: async (userId: string, id: string) => toResponse(await ownedObject(userId, id)),
    changeObject: (userId: string, id: string, body: unknown): Promise<ServedWatched> =>
      userQueue.run(userId, async () => {
        const next = changedObject(body, await ownedObject(userId, id), clock.now())
        await store.put(next, null)
        return toResponse(next)
      }),
    removeObject: (userId: string, id: string): Promise<{ ok: true }> =>
      userQueue.run(userId, async () => {
        if (!(await store.removeObject(userId, id))) throw new NotFound('Watch not found')
        index.removeIf((rule) => rule.objectId === id)
        return { ok: true }
      }),
    /** Archives the object of a thesis that was deleted, with its rules. */
    archiveThesis: (userId: string, thesisId: string): Promise<void> =>
      userQueue.run(userId, async () => {
        const object = await store.objectOf(userId, 'thesis', thesisId)
        if (object === null) return
        const archivedFields = { state: 'archived', updatedAt: clock.now() } as const
        await store.put({ ...object, ...archivedFields }, null)
        for (const rule of await store.rulesOf(object.id)) {
          await store.put(null, { ...rule, ...archivedFields })
        }
        index.removeIf(({ objectId }) => objectId === object.id)
      }),
    refresh: (userId: string, id: string): Promise<ServedWatched> =>
      userQueue.run(userId, async () => {
        const next = { ...(await ownedObject(userId, id)), lastRefreshedAt: clock.now() }
        await store.put(next, null)
        return toResponse(next)
      }),
    addRule: (userId: string, body: unknown): Promise<ServedAlertRule> =>
      userQueue.run(userId, async () => {
        const objectId = new BodyFields(body).text('objectId', { min: 1, max: 64 })
        const { object, isNew } =
          typeof objectId === 'string'
            ? { object: await ownedObject(userId, objectId), isNew: false }
            : await objectFor(userId, parseWatched(body), {})
        const rule = await ruleFor(body, object)
        await store.put(isNew ? object : null, rule)
        await register(rule)
        return ruleOf(runner.newest(rule))
      }),
    async rules(userId: string, filter: RuleFilter, paging: Paging): Promise<AlertRulePage> {
      const { rows, pageInfo } = await listPage(
        paging,
        filter,
        (after, max) => store.rules(userId, filter, after, max),
        byCreation,
      )
      const data = rows.map((rule) => ruleOf(runner.newest(rule)))
      return { data, rules: data, pageInfo }
    },
    rule: async (userId: string, id: string) => ruleOf(await ownedRule(userId, id)),
    changeRule: (userId: string, id: string, body: unknown): Promise<ServedAlertRule> =>
      userQueue.run(userId, async () => {
        const rule = await ownedRule(userId, id)
        const object = await ownedObject(userId, rule.objectId)
        const nextRule = changedRule(body, rule, { object, isAvailable }, clock.now())
        const isSameTarget = nextRule.channel === rule.channel && nextRule.target === rule.target
        const next = isSameTarget ? nextRule : await withAddress(nextRule)
        if (next.endpointId !== null) await endpoints.expectOwn(userId, next.endpointId)
        await store.put(null, next)
        await register(next)
        return ruleOf(next)
      }),
    removeRule: (userId: string, id: string): Promise<{ ok: true }> =>
      userQueue.run(userId, async () => {
        if (!(await store.removeRule(userId, id))) throw new NotFound('Alert rule not found')
        index.remove(id)
        return { ok: true }
      }),
    /** Sends a notice now, marked as a test; counters and dedupe stay as they are. */
    test: (userId: string, id: string): Promise<AlertTested> =>
      userQueue.run(userId, async () => {
        const rule = await ownedRule(userId, id)
        const view = rule.ticker === null ? null : await viewOf(rule.ticker)
        const object = await store.object(userId, rule.objectId)
        const regimeLabel = view === null ? null : regimeOf(view)
        const event = firedEvent(
          rule,
          object,
          { view, regimeLabel, isLate: false, item: null },
          clock.now(),
          true,
        )
        const { channel } = rule
        const { message } = event
        const target = targetOf(rule)
        if (target !== null) {
          if (target.channel !== 'webhook') expectConfigured(target.channel)
          const testResult = await endpoints.test(event, target)
          return { ok: testResult.ok, deliveryId: testResult.deliveryId, channel, message }
        }
        const notice = noticeOf(event, null, true)
        await store.addNotice(notice)
        return { ok: true, deliveryId: notice.id, channel, message }
      }),
    async deliveries(
      userId: string,
      filter: DeliveryFilter,
      paging: Paging,
    ): Promise<DeliveryPage> {
      const { rows, pageInfo } = await listPage(
        paging,
        filter,
        (after, max) => store.deliveries(userId, filter, after, max),
        byCreation,
      )
      return { data: rows.map(servedDelivery), pageInfo }
    },
  }
}
export type WatchService = ReturnType<typeof createWatchService>

const snapshotOf = (view: MarketView, regimeLabel: string | null, now: Millis) => {
  const { price, change24h, volume24h, status } = view
  const priceText = price === null ? 'no price' : `${roundTo(price, 1)}¢`
  const change = change24h === null ? '' : `, ${signedNumber(roundTo(change24h, 1))}¢ in 24 h`
  return {
    priceCents: roundOrNull(price),
    volume24h: roundOrNull(volume24h, 6),
    regimeLabel,
    status,
    summary: `${priceText}${change}, ${status}`,
    asOf: isoOf(now),
  }
}

const signedNumber = (value: number): string => (value < 0 ? `−${Math.abs(value)}` : `+${value}`)

function ruleOf(rule: AlertRule): ServedAlertRule {
  const {
    userId: _userId,
    suppressedCount: _suppressed,
    itemsFrom: _itemsFrom,
    ...servedRule
  } = rule
  return {
    ...servedRule,
    lastFiredAt: isoOrNull(rule.lastFiredAt),
    lastEvaluatedAt: isoOrNull(rule.lastEvaluatedAt),
    createdAt: isoOf(rule.createdAt),
    updatedAt: isoOf(rule.updatedAt),
  }
}
