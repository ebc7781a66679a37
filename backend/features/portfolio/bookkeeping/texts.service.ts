import type {
  PortfolioStrategy,
  PortfolioStrategyPage,
  PortfolioView,
  PortfolioViewPage,
} from '../../../contract/orders/texts.ts'
import type { TradingView } from '../../../domain/portfolio/decisions/decision-parts.ts'
import type { Millis } from '../../../domain/units.ts'
import { BodyFields } from '../../../http/request/body-fields.ts'
import { listPage, type Paging } from '../../../http/request/list-page.ts'
import { isoOf, type Clock } from '../../../lib/clock.ts'
import { InvalidInput, NotFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { State } from '../../../state/open.ts'
import type { UserTheses } from '../intent-basis.ts'
import {
  DEFAULT_STRATEGY,
  DEFAULT_VIEW,
  strategyFieldsIn,
  viewFieldsIn,
  type StrategyFields,
  type ViewFields,
} from './texts-body.ts'
import { createTextsStore, type TextRow, type TextsStore } from './texts.store.ts'

/** Largest number of views, and of strategies, of a user. */
const MAX_ROWS = 500

type ViewRow = TextRow & ViewFields
type StrategyRow = TextRow & StrategyFields

/** A user's views and strategies. */
export function createPortfolioTexts(deps: {
  readonly state: State
  readonly theses: Pick<UserTheses, 'basis' | 'titles'>
  readonly clock: Pick<Clock, 'now'>
}) {
  const { state, theses, clock } = deps
  const views = createTextsStore<ViewRow>(state, 'view', ({ conviction }) => 0 - conviction)
  const strategies = createTextsStore<StrategyRow>(state, 'strategy', ({ priority }) => priority)

  /** Checks an own thesis and completes its id. @throws NotFound unless it belongs to the user */
  const thesisOfUser = async (userId: string, fields: Partial<ViewFields>) => {
    const { thesisId = null } = fields
    if (thesisId === null) return fields
    return {
      ...fields,
      thesisId: (await theses.basis(userId, { thesisId, strategyId: null })).thesisId,
    }
  }
  const newRow = (prefix: string) => {
    const now = clock.now()
    return { id: newId(prefix, now), createdAt: now, updatedAt: now }
  }

  return {
    async views(userId: string, paging: Paging): Promise<PortfolioViewPage> {
      const { rows, pageInfo } = await listPage(
        paging,
        { kind: 'view' },
        (after, max) => views.page(userId, after, max),
        ({ conviction, id }) => ({ at: 0 - conviction, id }),
      )
      const data = rows.map((row) => servedView(userId, row))
      return { data, views: data, pageInfo }
    },
    async addView(userId: string, body: unknown): Promise<PortfolioView> {
      const fields = viewFieldsIn(new BodyFields(body))
      const { title } = fields
      if (title === undefined) throw new InvalidInput('title is required')
      const row = {
        ...DEFAULT_VIEW,
        title,
        ...(await thesisOfUser(userId, fields)),
        ...newRow('vw'),
      }
      await views.add(userId, row, MAX_ROWS)
      return servedView(userId, row)
    },
    async changeView(userId: string, body: unknown): Promise<PortfolioView> {
      const bodyFields = new BodyFields(body)
      const id = idIn(bodyFields)
      const fields = requireChange(viewFieldsIn(bodyFields))
      const next = await thesisOfUser(userId, fields)
      const now = clock.now()
      const row = await views.change(userId, id, (old) => ({ ...old, ...next, updatedAt: now }))
      if (row === null) throw new NotFound('not found')
      return servedView(userId, row)
    },
    removeView: (userId: string, body: unknown, id: string | null) =>
      remove(views, userId, body, id),

    async strategies(userId: string, paging: Paging): Promise<PortfolioStrategyPage> {
      const { rows, pageInfo } = await listPage(
        paging,
        { kind: 'strategy' },
        (after, max) => strategies.page(userId, after, max),
        ({ priority, id }) => ({ at: priority, id }),
      )
      const data = rows.map((row) => servedStrategy(userId, row))
      return { data, strategies: data, pageInfo }
    },
    async addStrategy(userId: string, body: unknown): Promise<PortfolioStrategy> {
      const fields = strategyFieldsIn(new BodyFields(body))
      const { name, text } = fields
      if (name === undefined) throw new InvalidInput('name is required')
      if (text === undefined) throw new InvalidInput('text is required')
      const row = { ...DEFAULT_STRATEGY, ...fields, name, text, ...newRow('ps') }
      await strategies.add(userId, row, MAX_ROWS)
      return servedStrategy(userId, row)
    },
    async changeStrategy(userId: string, body: unknown): Promise<PortfolioStrategy> {
      const bodyFields = new BodyFields(body)
      const id = idIn(bodyFields)
      const fields = requireChange(strategyFieldsIn(bodyFields))
      const now = clock.now()
      const row = await strategies.change(userId, id, (old) => ({
        ...old,
        ...fields,
        updatedAt: now,
      }))
      if (row === null) throw new NotFound('not found')
      return servedStrategy(userId, row)
    },
    removeStrategy: (userId: string, body: unknown, id: string | null) =>
      remove(strategies, userId, body, id),

    /** The views that ticks use now, highest conviction first. */
    async usable(userId: string): Promise<TradingView[]> {
      const today = isoOf(clock.now()).slice(0, 10)
      const rows = await views.page(userId, null, MAX_ROWS)
      return rows
        .filter(({ active, horizon }) => active && (horizon === null || horizon >= today))
        .map(({ id, title, tickers, direction, conviction, thesisId }) => {
          return { id, title, tickers, direction, conviction, thesisId }
        })
    },
    /** The enabled rules in words, most important first. */
    async rulesInUse(userId: string): Promise<{ name: string; text: string }[]> {
      const rows = await strategies.page(userId, null, MAX_ROWS)
      return rows.filter(({ enabled }) => enabled).map(({ name, text }) => ({ name, text }))
    },
    /** Titles of the user's views, by id. */
    async titles(userId: string): Promise<ReadonlyMap<string, string>> {
      const rows = await views.page(userId, null, MAX_ROWS)
      return new Map(rows.map(({ id, title }) => [id, title]))
    },
  }
}
export type PortfolioTexts = ReturnType<typeof createPortfolioTexts>

/** @throws InvalidInput without an id */
function idIn(fields: BodyFields): string {
  const id = fields.raw('id')
  if (typeof id !== 'string' || id.trim() === '') throw new InvalidInput('id is required')
  return id.trim()
}

function requireChange<T extends object>(fields: T): T {
  if (Object.keys(fields).length === 0) throw new InvalidInput('No valid fields to update')
  return fields
}

async function remove<Row extends TextRow>(
  store: TextsStore<Row>,
  userId: string,
  body: unknown,
  id: string | null,
) {
  const fields = new BodyFields(body ?? {})
  const removed = await store.remove(
    userId,
    idIn(fields.has('id') ? fields : new BodyFields({ id })),
  )
  if (!removed) throw new NotFound('not found')
  return { ok: true as const }
}

const times = ({ createdAt, updatedAt }: { createdAt: Millis; updatedAt: Millis }) => ({
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
})
const servedView = (userId: string, row: ViewRow): PortfolioView => ({
  id: row.id,
  userId,
  title: row.title,
  text: row.text,
  category: row.category,
  tickers: [...row.tickers],
  direction: row.direction,
  conviction: row.conviction,
  horizon: row.horizon,
  thesisId: row.thesisId,
  active: row.active,
  ...times(row),
})
const servedStrategy = (userId: string, row: StrategyRow): PortfolioStrategy => ({
  id: row.id,
  userId,
  name: row.name,
  text: row.text,
  priority: row.priority,
  enabled: row.enabled,
  ...times(row),
})
